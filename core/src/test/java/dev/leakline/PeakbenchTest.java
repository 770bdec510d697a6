package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.leakline.Analysis.Options;
import dev.leakline.functions.FunctionAnalysis;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Fit;
import dev.leakline.result.Peak;
import dev.leakline.result.Peak.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Programs whose blocks at the peak were sorted by watching them run: the same is said from their recordings alone. */
class PeakbenchTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final double OF_CATEGORY = 0.05;
    private static final double OF_PEAK = 0.01;
    /** In percent. */
    private static final double OF_BATCH = 10;

    @Test
    void eachUseIsWithinAPercentOfThePeakOrFiveOfItself() throws IOException {
        SoftAssertions softly = new SoftAssertions();
        for (Path file : OutsideData.files("peakbench/recorded", ".truth.json")) {
            JsonNode truth = JSON.readTree(Files.readString(file));
            String program = truth.get("program").asString();
            check(softly, program, truth, Analysed.path(file.resolveSibling(program + ".pickle.gz")));
        }
        softly.assertAll();
    }

    /** The largest batch that really ran on a device of a size. */
    @Test
    void theLargestBatchIsWithinATenth() throws IOException {
        SoftAssertions softly = new SoftAssertions();
        for (Path file : OutsideData.files("peakbench/recorded", ".truth.json")) {
            JsonNode truth = JSON.readTree(Files.readString(file));
            if (truth.hasNonNull("fit")) {
                String program = truth.get("program").asString();
                long memory = truth.get("fit").get("device_bytes").asLong();
                double factor = truth.get("fit").get("factor").asDouble();
                Snapshot recording = Snapshot.open(file.resolveSibling(program + ".pickle.gz"));
                Fit fit = Analysis.run(List.of(recording), onDeviceOf(memory)).fitOfPeak();
                assertThat(fit).as(program).isNotNull();
                softly.assertThat(fit.batchFactor()).as(program).isCloseTo(factor, withinPercentage(OF_BATCH));
            }
        }
        softly.assertAll();
    }

    private static Options onDeviceOf(long bytes) {
        return new Options(OptionalInt.empty(), Window.ALL, bytes, FunctionAnalysis.STANDARD);
    }

    private static void check(SoftAssertions softly, String program, JsonNode truth, AnalysisResult result) {
        Peak peak = result.highestPeak();
        assertThat(peak).as(program).isNotNull();
        Map<String, Long> said = new HashMap<>();
        for (Use use : peak.byCategory()) {
            said.put(use.category().name().toLowerCase(Locale.ROOT), use.bytes());
        }
        Map<String, Long> real = new HashMap<>();
        truth.get("by_category")
                .forEach(use -> real.put(
                        use.get("category").asString(), use.get("bytes").asLong()));
        Set<String> categories = new HashSet<>(real.keySet());
        categories.addAll(said.keySet());
        for (String category : categories) {
            long wanted = real.getOrDefault(category, 0L);
            double near = Math.max(OF_CATEGORY * wanted, OF_PEAK * peak.bytes());
            softly.assertThat(Math.abs(said.getOrDefault(category, 0L) - wanted))
                    .as(program + ": " + category)
                    .isLessThanOrEqualTo((long) near);
        }
        long sum = peak.byCategory().stream().mapToLong(Use::bytes).sum();
        softly.assertThat(sum).as(program + ": byte for byte the peak").isEqualTo(peak.bytes());
    }
}
