package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Recordings of the real allocator whose truth is known: the verdict, the line to blame, the bytes a step. */
class VerdictsTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String TRUTH = ".truth.json";
    /** Steps are not cut at the same places by everybody; a fifth is what leakbench allows. */
    private static final double NEAR = 20;

    @TestFactory
    Stream<DynamicTest> ourScenarios() throws IOException {
        Path folder = Repository.root().resolve("testkit/scenarios/recorded");
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> truths = files.filter(VerdictsTest::isTruth).sorted().toList();
            assertThat(truths).as("truths in " + folder).isNotEmpty();
            return tests(truths);
        }
    }

    @TestFactory
    Stream<DynamicTest> leakbench() throws IOException {
        return tests(OutsideData.files("leakbench/recorded", TRUTH));
    }

    private static boolean isTruth(Path file) {
        return file.toString().endsWith(TRUTH);
    }

    private static Stream<DynamicTest> tests(List<Path> truths) {
        return truths.stream()
                .map(truth -> dynamicTest(truth.getFileName().toString().replace(TRUTH, ""), () -> check(truth)));
    }

    private static void check(Path truthFile) throws IOException {
        JsonNode truth = JSON.readTree(Files.readString(truthFile));
        Path recording = truthFile.resolveSibling(truth.get("scenario").asString() + ".pickle.gz");
        AnalysisResult result = Analysed.path(recording);
        Verdict expected = verdict(truth);
        SoftAssertions softly = new SoftAssertions();
        softly.assertThat(result.verdict()).as("verdict").isEqualTo(expected);
        List<String> sites =
                truth.get("sites").valueStream().map(JsonNode::asString).toList();
        if (!sites.isEmpty()) {
            softly.assertThat(Analysed.blamed(result)).as("line to blame").isIn(sites);
        }
        if (expected == Verdict.LEAK && truth.has("bytes_per_step")) {
            double stated = truth.get("bytes_per_step").asDouble();
            softly.assertThat(Analysed.bytesPerStep(result)).as("bytes a step").isCloseTo(stated, withPercentage(NEAR));
        }
        softly.assertAll();
    }

    static Verdict verdict(JsonNode truth) {
        String name = truth.get("verdict").asString();
        return name.equals("cycle") ? Verdict.REFERENCE_CYCLE : Verdict.valueOf(name.toUpperCase(Locale.ROOT));
    }
}
