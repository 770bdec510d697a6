package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.leakline.ProfiledCalls.Call;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The shapes of which gpumemprof's analyzer says wrong things, as recordings: it finds leaks in warm-ups, in what one function makes and
 * another frees, and in whole training loops, and misses what grows between the calls that it looks at.
 */
class ParityRecordingsTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final long MB = 1 << 20;

    /**
     * A single call that grows, two of them and then only frees, forward that backward undoes, and a training loop whose evaluation
     * keeps 4 MiB each of five times, which is too seldom to be called a trend.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "c15_leak_ratio_11pct",
                "c16_leak_mostly_freeing",
                "c22_sawtooth_two_functions",
                "c57_training_loop"
            })
    void whatIsNoLeakIsNotCalledOne(String id) throws IOException {
        assertThat(verdict(id)).isEqualTo(Verdict.NO_LEAK);
    }

    /** Six turns of load and unload are too few for any trend. */
    @Test
    void whatIsFreedElsewhereIsNotCalledALeak() throws IOException {
        assertThat(verdict("c17_leak_freed_elsewhere")).isEqualTo(Verdict.UNDETERMINED);
    }

    @Test
    void whatGrowsBetweenCallsIsBlamedOnTheLineBetweenThem() throws IOException {
        AnalysisResult result = Analysed.recording(ProfiledCalls.record(calls("c18_leak_between_calls")));
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(Analysed.blamed(result)).isEqualTo(ProfiledCalls.BETWEEN_LINE);
        assertThat(Analysed.bytesPerStep(result)).isCloseTo(50.0 * MB, withPercentage(20));
    }

    /**
     * Thirty times 100 MiB are taken and 90 given back. That memory does grow, by 10 MiB each time and without a ceiling, so it is a leak,
     * whatever blocks are the ones that stay; in a queue, each goes in the end.
     */
    @Test
    void whatGivesBackLessThanItTakesLeaks() throws IOException {
        List<Call> calls = calls("c24_sawtooth_rising");
        AnalysisResult kept = Analysed.recording(ProfiledCalls.record(calls));
        AnalysisResult queued = Analysed.recording(ProfiledCalls.recordQueue(calls));
        for (AnalysisResult result : List.of(kept, queued)) {
            assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
            assertThat(Analysed.blamed(result)).isEqualTo("steps.py:10");
            assertThat(Analysed.bytesPerStep(result)).isCloseTo(10.0 * MB, withPercentage(20));
        }
        assertThat(queued.findings().getFirst().cause()).isEqualTo("backlog");
        assertThat(queued.findings().getFirst().confidenceReasons())
                .anyMatch(reason -> reason.endsWith("of the blocks that outlived their step were freed later"));
    }

    private static Verdict verdict(String id) throws IOException {
        return Analysed.recording(ProfiledCalls.record(calls(id))).verdict();
    }

    private static List<Call> calls(String id) throws IOException {
        try (InputStream file = Files.newInputStream(OutsideData.path("gpumemprof-parity/inputs.json.gz"));
                InputStream text = new GZIPInputStream(file)) {
            return JSON.readTree(text)
                    .get("cases")
                    .valueStream()
                    .filter(one -> one.get("id").asString().equals(id))
                    .flatMap(one -> one.get("results").valueStream())
                    .map(ParityRecordingsTest::call)
                    .toList();
        }
    }

    private static Call call(JsonNode result) {
        return new Call(
                result.get("function_name").asString(),
                allocated(result.get("memory_before")),
                allocated(result.get("memory_peak")),
                allocated(result.get("memory_after")));
    }

    private static long allocated(JsonNode memory) {
        return memory.get("allocated_memory").asLong();
    }
}
