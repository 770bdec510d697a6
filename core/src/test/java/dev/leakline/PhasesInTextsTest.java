package dev.leakline;

import static dev.leakline.PastedTablesTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Input.Demand;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Phases of a cycle, places of a heap, counters below named steps. */
class PhasesInTextsTest {
    @Test
    void phasesThatComeBackAreSteady() throws IOException {
        String cycle =
                "[step %d] Before generate: 20.1 GB / 79.1 GB\n[step %<d] After generate: 61.0 GB / 79.1 GB\n[step %<d] After offload: %s GB / 79.1 GB\n";
        Conclusion steady = explain(cycle.formatted(1, "20.2") + cycle.formatted(2, "20.2"));
        assertThat(steady.verdict()).isEqualTo(Conclusion.Kind.STEADY);
        assertThat(steady.sentence()).contains("comes back: 61.0 GiB (after generate) become 20.2 GiB (after offload)");
        assertThat(steady.unknown()).contains(Unknown.GROWTH);
        assertThat(explain(cycle.formatted(1, "20.2") + cycle.formatted(2, "38.9"))
                        .sentence())
                .doesNotContain("comes back");
    }

    @Test
    void aHeapProfileSaysWhoAllocatedMost() throws IOException {
        Conclusion go = explain(
                "Showing nodes accounting for 1.90GB, 95% of 2GB total\n      flat  flat%   sum%        cum   cum%\n    1.50GB 75.00% 75.00%     1.50GB 75.00%  cache.(*Store).Put\n    0.40GB 20.00% 95.00%     0.40GB 20.00%  bytes.makeSlice");
        assertThat(go.resource()).isEqualTo(Resource.HOST);
        assertThat(go.sentence())
                .isEqualTo("1.50 GiB of the 2.00 GiB in the heap profile were allocated by cache.(*Store).Put");
        Conclusion python = explain(
                "tracemalloc says\n/app/server.py:88: size=1843 MiB, count=20001, average=94.4 KiB\n/app/b.py:3: size=40.1 MiB, count=401233, average=105 B");
        assertThat(python.sentence()).endsWith("were allocated by /app/server.py:88");
    }

    private static Conclusion explain(String text) throws IOException {
        Input input = Input.open(
                InputSource.of("text", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))),
                Demand.ANYTHING);
        AnalysisResult result = Analysis.run(List.of(input), Analysis.Options.ALL);
        return Objects.requireNonNull(result.conclusion());
    }

    private static String counters(int step, long allocated) {
        return "=== after " + step + " steps ===\n{'allocated_bytes.all.current': " + allocated
                + ",\n 'allocation.all.current': 2913,\n 'reserved_bytes.all.current': 14713618432}\n";
    }

    @Test
    void countersBelowTwoStepsTellWhatAStepAdds() throws IOException {
        Conclusion said = explain(counters(100, 4L << 30) + "\n" + counters(1124, 6L << 30));
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.GROWS);
        assertThat(bytes(said, "growth_per_step")).isEqualTo(2 << 20);
    }

    @Test
    void countersOfTheFirstStepsRiseByWarmUp() throws IOException {
        assertThat(explain(counters(1, 4L << 30) + "\n" + counters(30, 6L << 30))
                        .verdict())
                .isNotEqualTo(Conclusion.Kind.GROWS);
    }
}
