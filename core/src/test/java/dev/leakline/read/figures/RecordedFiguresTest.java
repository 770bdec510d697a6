package dev.leakline.read.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.source.Content;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What PyTorch 2.14 itself writes and prints of its counters; see testkit/recordings/record_figures.py. */
class RecordedFiguresTest {
    private static final long MIB = 1 << 20;
    private static final int STEPS = 30;

    @Test
    void memoryStatsAsJsonAndAsPythonPrintsThem() throws IOException {
        Content.Figures json = recorded("stats.jsonl.gz");
        assertThat(json.format()).isEqualTo("memory_stats, text, gzip");
        assertThat(json.measurements().series())
                .extracting(series -> series.subject.source())
                .containsOnly(Source.MEMORY_STATS);
        assertThat(json.measurements().series()).hasSize(9).allMatch(series -> series.size() == STEPS);
        assertThat(FigureTexts.shown(recorded("stats.txt.gz"))).isEqualTo(FigureTexts.shown(json));
        MemorySeries allocated = FigureTexts.only(json, Quantity.ALLOCATED);
        assertThat(IntStream.range(1, STEPS))
                .allMatch(i -> allocated.position(i) == i && allocated.value(i) - allocated.value(i - 1) == MIB);
    }

    @Test
    void theLastOfThemNested() throws IOException {
        Content.Figures nested = recorded("nested_stats.json.gz");
        MemorySeries last = FigureTexts.only(recorded("stats.jsonl.gz"), Quantity.RESERVED);
        assertThat(nested.measurements().series()).hasSize(9);
        assertThat(FigureTexts.only(nested, Quantity.RESERVED).value(0)).isEqualTo(last.value(STEPS - 1));
    }

    @Test
    void summariesWithinALog() throws IOException {
        Content.Figures log = recorded("summaries.log.gz");
        MemorySeries stats = FigureTexts.only(recorded("stats.jsonl.gz"), Quantity.ALLOCATED);
        List<MemorySeries> allocated = log.measurements().series().stream()
                .filter(series -> series.subject.quantity() == Quantity.ALLOCATED)
                .toList();
        assertThat(allocated)
                .extracting(series -> series.subject.source())
                .containsExactly(Source.LOG, Source.MEMORY_STATS);
        assertThat(allocated.getFirst().size()).isEqualTo(STEPS);
        MemorySeries summary = allocated.getLast();
        assertThat(IntStream.range(0, 3).mapToObj(summary::position)).containsExactly(0.0, 10.0, 20.0);
        assertThat(IntStream.range(0, 3)).allMatch(i -> Math.abs(summary.value(i) - stats.value(10 * i)) < 1024);
    }

    @Test
    void timelinesInBothForms() throws IOException {
        List<MemorySeries> timeline =
                recorded("timeline.json.gz").measurements().series();
        List<MemorySeries> raw = recorded("timeline.raw.json.gz").measurements().series();
        assertThat(labels(timeline))
                .containsExactlyInAnyOrder("", "parameter", "input", "temporary", "activation", "gradient");
        assertThat(labels(raw)).isSubsetOf(labels(timeline));
        assertThat(most(raw)).isEqualTo(most(timeline)).isGreaterThan(MIB);
    }

    private static List<String> labels(List<MemorySeries> series) {
        return series.stream().map(one -> one.subject.label()).toList();
    }

    /** The most that all categories held at once. */
    private static long most(List<MemorySeries> series) {
        MemorySeries all = series.stream()
                .filter(one -> one.subject.label().isEmpty())
                .findFirst()
                .orElseThrow();
        return FigureTexts.values(all).stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    private static Content.Figures recorded(String name) throws IOException {
        return FigureTexts.read(Files.readAllBytes(Path.of("src/test/resources/figures", name)));
    }
}
