package dev.leakline;

import static dev.leakline.FigureFiles.MB;
import static dev.leakline.FigureFiles.analyse;
import static dev.leakline.FigureFiles.file;
import static dev.leakline.FigureFiles.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.leakline.Input.Demand;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.result.Agreement;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.MemoryGap;
import dev.leakline.result.MemoryGap.Alignment;
import dev.leakline.result.MemoryGap.Kind;
import dev.leakline.result.MemoryGap.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/**
 * One job of real PyTorch, recorded by {@code testkit/figures/record.py} in three ways at once: as a snapshot, as what the allocator said of
 * itself after each step, and as what the driver said every few milliseconds. Each must lead to the same figures.
 */
class FiguresOfOneJobTest {
    /** What each step keeps, rounded as the allocator does. */
    private static final long KEPT = 4 * MB;

    /** The driver's figures, a reading every few milliseconds, lead to a rate that is 2.1 % lower than the blocks say. */
    private static final double SAME = 0.025;

    private final Input snapshot = open("job.pickle.gz");
    private final Input stats = open("job.jsonl.gz");
    private final Input device = open("smi.csv.gz");
    private final Input process = open("apps.csv.gz");

    FiguresOfOneJobTest() throws IOException {}

    @Test
    void eachSourceAlone_tellsTheSameRate() throws IOException {
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
        assertThat(result.agreements()).hasSizeGreaterThan(5).allMatch(Agreement::isAgreed);
    }

    @Test
    void whatLeaksAtALineComesBeforeHostMemoryThatGrowsByMore() {
        Input host = file("host.jsonl", seconds(Quantity.HOST_USED, 0, 60, second -> (900 + second * 30L) * MB));
        List<Finding> found = analyse(host, snapshot).findings();
        assertThat(found).hasSizeGreaterThan(1);
        assertThat(found.getFirst().site().isLine()).isTrue();
        assertThat(found.getFirst().bytes()).isLessThan(found.get(1).bytes());
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

    /**
     * The stand-in's context takes 512 MiB, and the job calls the driver itself for another 96 in the middle. The allocator's figures come by
     * steps and those of the driver by time, so only what they come to together is sure.
     */
    @Test
    void theRestIsNamed_inAllWithoutACommonClock() {
        AnalysisResult result = analyse(stats, process);
        assertThat(result.findings()).hasSize(1);
        MemoryGap gap = result.gaps().getFirst();
        assertThat(gap.alignment()).isEqualTo(Alignment.SHAPE);
        assertThat(gap.parts()).extracting(Part::kind).startsWith(Kind.ALLOCATED, Kind.CACHED, Kind.CONTEXT);
        long rest = gap.usedBytes() - bytes(gap, Kind.ALLOCATED) - bytes(gap, Kind.CACHED);
        assertThat(rest).isCloseTo(608 * MB, within(24 * MB));
        assertThat(gap.parts().stream().mapToLong(Part::bytes).sum()).isEqualTo(gap.usedBytes());
    }

    /** The snapshot has times, as the driver's figures have; they see a segment of 20 MiB a moment apart. */
    @Test
    void theRestIsNamed_byTheClockOfTheSnapshot() {
        AnalysisResult result = analyse(snapshot, stats, process);
        MemoryGap gap = result.gaps().getFirst();
        assertThat(gap.innerSeries()).isEqualTo(MemoryGap.SNAPSHOT);
        assertThat(bytes(gap, Kind.CONTEXT)).isCloseTo(512 * MB, within(24 * MB));
        assertThat(bytes(gap, Kind.LIBRARIES)).isCloseTo(96 * MB, within(24 * MB));
        assertThat(bytes(gap, Kind.UNEXPLAINED)).isBetween(0L, 24 * MB);
        assertThat(gap.growthPerUnit()).isZero();
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
        double perStep = leak.bytesPerStep();
        return Double.isNaN(perStep) ? leak.bytesPerSecond() : perStep;
    }

    private static long peak(AnalysisResult result, String quantity) {
        return result.series().stream()
                .filter(series -> series.quantity().equals(quantity))
                .mapToLong(series -> series.peak().value())
                .findFirst()
                .orElseThrow();
    }

    private static double secondsOfAStep() throws IOException {
        List<String> lines = lines("job.jsonl.gz");
        return (time(lines.getLast()) - time(lines.getFirst())) / (lines.size() - 1);
    }

    private static double time(String line) {
        return new JsonMapper().readTree(line).get("time").asDouble();
    }

    private static Input open(String name) throws IOException {
        return Input.open(InputSource.of(recorded(name)), Demand.EVIDENCE);
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
