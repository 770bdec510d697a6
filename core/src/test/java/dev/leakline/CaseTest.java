package dev.leakline;

import static dev.leakline.FigureFiles.MB;
import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.InputFile;
import dev.leakline.testkit.pickle.Dialect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evidence that comes bit by bit, judged whenever somebody asks. */
class CaseTest {
    private static final Subject SUBJECT = new Subject(Source.TELEMETRY, Quantity.ALLOCATED, Axis.STEP, 0, -1, "");

    @Test
    void growthIsToldAsSoonAsItShows() {
        Case live = new Case();
        MemorySeries series = live.measure("monitor", SUBJECT);
        measure(series, 0, 5, step -> (100 + step) * MB);
        assertThat(judge(live).verdict()).isEqualTo(Verdict.UNDETERMINED);
        measure(series, 5, 200, step -> (100 + step) * MB);
        AnalysisResult result = judge(live);
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(result.findings().getFirst().bytesPerStep()).isEqualTo(MB);
        assertThat(result.inputs().getFirst().path()).isEqualTo("monitor");
        assertThat(result.inputs().getFirst().kind()).isEqualTo("live figures");
    }

    /** Whatever goes on for a million steps is judged by what is kept of it, as it was by the first few thousand. */
    @Test
    void aSeriesWithoutEndIsJudgedLikeAWholeOne() {
        Case live = new Case();
        MemorySeries level = live.measure("level", SUBJECT);
        MemorySeries leak =
                live.measure("leak", new Subject(Source.TELEMETRY, Quantity.ALLOCATED, Axis.STEP, 1, -1, ""));
        measure(level, 0, 1_000_000, step -> (500 + step * 7919L % 100) * MB);
        measure(leak, 0, 1_000_000, step -> (500 + step * 7919L % 100) * MB + step * 1_000L);
        assertThat(level.size()).isLessThanOrEqualTo(4800);
        AnalysisResult result = judge(live);
        assertThat(result.findings()).hasSize(1);
        assertThat(result.findings().getFirst().device()).isEqualTo(1);
        assertThat(result.findings().getFirst().bytesPerStep()).isCloseTo(1_000, within(50.0));
        assertThat(result.series().getLast().peak().value()).isGreaterThan(1_550 * MB);
    }

    @Test
    void filesAndLiveSeriesAreOneCase(@TempDir Path folder) throws IOException {
        Path recording = folder.resolve("snapshot.pickle");
        Files.write(recording, snapshot().alloc("a", 30 * MB, "train.py:4 main").write(Dialect.PROTOCOL_4));
        Case both = new Case();
        both.add(recording);
        measure(both.measure("monitor", SUBJECT), 0, 50, step -> step * MB);
        AnalysisResult result = judge(both);
        assertThat(result.inputs()).extracting(InputFile::path).containsExactly(recording.toString(), "monitor");
        assertThat(result.devices()).hasSize(1);
        assertThat(result.series()).hasSize(1);
    }

    private static AnalysisResult judge(Case evidence) {
        return evidence.judge(Analysis.Options.ALL);
    }

    private static void measure(MemorySeries series, int from, int to, IntToLongFunction value) {
        for (int step = from; step < to; step++) {
            series.add(step, value.applyAsLong(step));
        }
    }
}
