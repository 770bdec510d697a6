package dev.leakline.functions.gpumemprof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.codec.Codec;
import dev.leakline.columns.Measurements;
import dev.leakline.functions.FunctionAnalysis;
import dev.leakline.functions.FunctionAnalysis.Outcome;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.FunctionReport;
import dev.leakline.result.FunctionReport.RuleSet;
import dev.leakline.result.InputFile;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The rules of gpumemprof give what gpumemprof gives: every pattern, insight, gap and score in JSON under the same names, whole numbers as whole
 * numbers, to 1e-12. Sentences are ours, and where it stops with an error there is no trend.
 */
class GpumemprofParityTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Set<String> SENTENCES = Set.of("description", "suggestions", "recommendations", "remediation");
    /** Lists that come from sets of Python, whose order changes from run to run. */
    private static final Set<String> SETS = Set.of("affected_functions", "memory_intensive_functions");
    /** Smaller ones only show how close a correlation was rounded to 1. */
    private static final double SMALLEST_P = 1e-30;

    @TestFactory
    Stream<DynamicTest> profiles() throws IOException {
        return profiles("expected.json.gz", Map.of());
    }

    @TestFactory
    Stream<DynamicTest> profilesWithTheLaterLeakRatio() throws IOException {
        return profiles("expected_leak_ratio_0.7.json.gz", Map.of("memory_leak_ratio", 0.7));
    }

    private static Stream<DynamicTest> profiles(String file, Map<String, Double> thresholds) throws IOException {
        JsonNode cases = ParityCases.file(file).get("cases");
        assertThat(cases.size()).isEqualTo(60);
        return ParityCases.profiles().entrySet().stream()
                .map(one -> dynamicTest(
                        one.getKey(), () -> check(cases.get(one.getKey()), report(one.getValue(), thresholds))));
    }

    private static void check(JsonNode expected, JsonNode found) {
        compare("patterns", expected.get("patterns"), found.get("all_patterns"));
        if (expected.get("insights").has("error")) {
            assertThat(found.get("all_insights").findValuesAsString("category")).doesNotContain("temporal");
        } else {
            compare("insights", expected.get("insights"), found.get("all_insights"));
            expected.get("report")
                    .propertyStream()
                    .forEach(part -> compare(part.getKey(), part.getValue(), found.get(part.getKey())));
        }
    }

    @TestFactory
    Stream<DynamicTest> gaps() throws IOException {
        JsonNode cases = ParityCases.file("gap_expected.json.gz").get("cases");
        assertThat(cases.size()).isEqualTo(20);
        return ParityCases.telemetry().entrySet().stream()
                .map(one -> dynamicTest(one.getKey(), () -> {
                    JsonNode expected = cases.get(one.getKey()).get("findings");
                    JsonNode found = report(one.getValue(), Map.of()).get("gap_analysis");
                    if (expected.has("error")) {
                        assertThat(found.findValuesAsString("classification")).doesNotContain("persistent_drift");
                    } else {
                        compare("gaps", expected, found);
                    }
                }));
    }

    private static JsonNode report(Measurements measurements, Map<String, Double> given) {
        FunctionAnalysis analysis = RuleChoice.of(RuleSet.GPUMEMPROF, given);
        List<Outcome> outcomes =
                Stream.ofNullable(analysis.examine(0, measurements, 0)).toList();
        StringWriter json = new StringWriter();
        Codec.write(result(analysis.report(outcomes)).shown(0, false), json);
        JsonNode functions = JSON.readTree(json.toString()).get("functions");
        return functions.get("profiles").get(0);
    }

    private static AnalysisResult result(FunctionReport functions) {
        return new AnalysisResult(
                        "1",
                        List.of(new InputFile("results.json", "profile", 1, "", null)),
                        Verdict.UNDETERMINED,
                        "",
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of())
                .withFunctions(functions);
    }

    private static void compare(String name, JsonNode expected, JsonNode found) {
        assertThat(found).as(name).isNotNull();
        if (SENTENCES.contains(name) && isText(expected)) {
            assertThat(found.toString()).as(name).hasSizeGreaterThan(4);
        } else if (SETS.contains(name)) {
            assertThat(set(found)).as(name).isEqualTo(set(expected));
        } else if (expected.isObject()) {
            assertThat(found.propertyNames()).as(name).containsExactlyElementsOf(expected.propertyNames());
            expected.propertyStream()
                    .forEach(part -> compare(part.getKey(), part.getValue(), found.get(part.getKey())));
        } else if (expected.isArray()) {
            assertThat(found.size()).as("%s: %s", name, found).isEqualTo(expected.size());
            for (int i = 0; i < expected.size(); i++) {
                compare(name + "[" + i + "]", expected.get(i), found.get(i));
            }
        } else if (expected.isFloatingPointNumber()) {
            assertThat(found.isFloatingPointNumber())
                    .as("%s is no whole number", name)
                    .isTrue();
            compare(name, expected.asDouble(), found.asDouble());
        } else if (expected.isNumber()) {
            compare(name, expected.asDouble(), found.asDouble());
        } else {
            assertThat(found).as(name).isEqualTo(expected);
        }
    }

    private static boolean isText(JsonNode node) {
        return node.isString() || (!node.isEmpty() && node.valueStream().allMatch(JsonNode::isString));
    }

    private static Set<String> set(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).collect(Collectors.toSet());
    }

    private static void compare(String name, double expected, double found) {
        boolean isP = name.equals("p_value");
        if (isP && expected < SMALLEST_P) {
            assertThat(found).isLessThan(2 * SMALLEST_P);
        } else {
            assertThat(found).as(name).isCloseTo(expected, within(Math.abs(expected) * (isP ? 1e-9 : 1e-12)));
        }
    }
}
