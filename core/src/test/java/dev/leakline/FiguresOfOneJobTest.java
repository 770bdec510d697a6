package dev.leakline;

import static dev.leakline.FigureFiles.MB;
import static dev.leakline.FigureFiles.analyse;
import static dev.leakline.FigureFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.result.Agreement;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.MemoryGap;
import dev.leakline.result.MemoryGap.Kind;
import dev.leakline.result.MemoryGap.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One job of real PyTorch, recorded by {@code testkit/figures/record.py} in three ways at once: as a snapshot, as what the allocator said of
 * itself after each step, and as what the driver said every few milliseconds. Each must lead to the same figures.
 */
class FiguresOfOneJobTest {
    /** What each step keeps, rounded as the allocator does. */
    private static final long KEPT = 4 * MB;

    private static final double SAME = 0.02;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss.SSS", Locale.ROOT);

    private final Snapshot snapshot = Snapshot.open(recorded("job.pickle.gz"));
    private final Measurement stats = stats();
    private final Measurement device = file("smi.csv.gz", smi(Quantity.DEVICE_USED));
    private final Measurement process = file("apps.csv.gz", smi(Quantity.PROCESS_USED));

    FiguresOfOneJobTest() throws IOException {}

    @Test
    void eachSourceAlone_tellsTheSameRate() {
        assertThat(rate(analyse(snapshot))).isCloseTo(KEPT, within(SAME * KEPT));
        assertThat(rate(analyse(stats))).isCloseTo(KEPT, within(SAME * KEPT));
        double perSecond = rate(analyse(process));
        assertThat(perSecond * secondsOfAStep()).isCloseTo(KEPT, within(SAME * KEPT));
    }

    @Test
    void eachSourceAlone_saysLeak() {
        for (Input source : List.of(snapshot, stats, device, process)) {
            assertThat(analyse(source).verdict()).isEqualTo(Verdict.LEAK);
        }
    }

    @Test
    void allTogether_agree() {
        AnalysisResult result = analyse(snapshot, stats, process);
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(result.findings().getFirst().site().isLine()).isTrue();
        assertThat(result.measured().agreements()).hasSizeGreaterThan(5).allMatch(Agreement::isAgreed);
    }

    @Test
    void peaksAreTheSame() {
        AnalysisResult result = analyse(snapshot, stats);
        long recorded = result.devices().getFirst().peak().bytes();
        assertThat(peak(result, "peak_allocated")).isEqualTo(recorded);
        AnalysisResult driver = analyse(process);
        long beside = 512 * MB + 96 * MB;
        assertThat(peak(driver, "process_used")).isCloseTo(peak(result, "peak_reserved") + beside, within(2 * MB));
    }

    /** The stand-in's context takes 512 MiB, and the job calls the driver itself for another 96 in the middle. */
    @Test
    void theRestIsNamed() {
        AnalysisResult result = analyse(stats, process);
        assertThat(result.findings()).hasSize(1);
        MemoryGap gap = result.measured().gaps().getFirst();
        assertThat(gap.parts()).extracting(Part::kind).containsSubsequence(Kind.ALLOCATED, Kind.CACHED, Kind.CONTEXT);
        assertThat(bytes(gap, Kind.CONTEXT)).isCloseTo(512 * MB, within(2 * MB));
        assertThat(bytes(gap, Kind.LIBRARIES)).isCloseTo(96 * MB, within(20 * MB));
        assertThat(Math.abs(bytes(gap, Kind.UNEXPLAINED))).isLessThan(24 * MB);
        assertThat(gap.parts().stream().mapToLong(Part::bytes).sum()).isEqualTo(gap.usedBytes());
    }

    private static long bytes(MemoryGap gap, Kind kind) {
        return gap.parts().stream()
                .filter(part -> part.kind() == kind)
                .mapToLong(Part::bytes)
                .sum();
    }

    private static double rate(AnalysisResult result) {
        Finding leak = result.findings().getFirst();
        assertThat(leak.growth()).isNotNull();
        double perStep = leak.growth().bytesPerStep();
        return Double.isNaN(perStep) ? leak.growth().bytesPerSecond() : perStep;
    }

    private static long peak(AnalysisResult result, String quantity) {
        return result.measured().series().stream()
                .filter(series -> series.quantity().equals(quantity))
                .mapToLong(series -> series.peak().value())
                .findFirst()
                .orElseThrow();
    }

    private double secondsOfAStep() {
        MemorySeries byTime = stats.measurements().series().getLast();
        return (byTime.position(byTime.size() - 1) - byTime.position(0)) / 1e6 / (byTime.size() - 1);
    }

    /** The allocator's figures, by step, and what is reserved by time as well. */
    private static Measurement stats() throws IOException {
        List<MemorySeries> all = new ArrayList<>();
        List<String> keys =
                List.of("allocated_bytes.all.current", "allocated_bytes.all.peak", "reserved_bytes.all.peak");
        List<Quantity> quantities = List.of(Quantity.ALLOCATED, Quantity.PEAK_ALLOCATED, Quantity.PEAK_RESERVED);
        for (Quantity quantity : quantities) {
            all.add(new MemorySeries(new Subject(Source.MEMORY_STATS, quantity, Axis.STEP, 0, -1, "")));
        }
        MemorySeries allocated =
                new MemorySeries(new Subject(Source.MEMORY_STATS, Quantity.ALLOCATED, Axis.TIME, 0, -1, ""));
        MemorySeries reserved =
                new MemorySeries(new Subject(Source.MEMORY_STATS, Quantity.RESERVED, Axis.TIME, 0, -1, ""));
        for (String line : lines("job.jsonl.gz")) {
            JsonNode row = new JsonMapper().readTree(line);
            for (int i = 0; i < all.size(); i++) {
                all.get(i).add(row.get("step").asDouble(), row.get(keys.get(i)).asLong());
            }
            double time = row.get("time").asDouble() * 1e6;
            allocated.add(time, row.get("allocated_bytes.all.current").asLong());
            reserved.add(time, row.get("reserved_bytes.all.current").asLong());
        }
        all.add(allocated);
        all.add(reserved);
        return file("job.jsonl.gz", all.toArray(MemorySeries[]::new));
    }

    /** The last number of each line but one, in MiB; of a process its number, too. */
    private static MemorySeries smi(Quantity quantity) throws IOException {
        boolean isProcess = quantity == Quantity.PROCESS_USED;
        List<String> lines = lines(isProcess ? "apps.csv.gz" : "smi.csv.gz");
        String first = lines.get(1);
        long process = isProcess ? Long.parseLong(first.split(", ", -1)[1]) : -1;
        MemorySeries series = new MemorySeries(new Subject(Source.NVIDIA_SMI, quantity, Axis.TIME, 0, process, ""));
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(", ", -1);
            double time = ChronoUnit.MICROS.between(
                    LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), LocalDateTime.parse(cells[0], TIME));
            series.add(time, Long.parseLong(cells[2].replace(" MiB", "")) * MB);
        }
        return series;
    }

    private static List<String> lines(String name) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(recorded(name))), StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        }
    }

    private static Path recorded(String name) {
        return Repository.root().resolve("testkit/figures/recorded").resolve(name);
    }
}
