package dev.leakline.codec;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.InputSource;
import dev.leakline.Snapshot;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Results;
import dev.leakline.testkit.fault.Faults;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.Layout;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The schema {@code leakline.report/1}: what is promised to programs is there, under its name, in its type. */
class JsonReportTest {
    private static final long MB = 1 << 20;

    @Test
    void everyPromisedFieldIsThere() throws IOException {
        JsonNode report = report(recording());
        assertThat(report.propertyNames())
                .contains(
                        "schema",
                        "tool",
                        "inputs",
                        "verdict",
                        "reason",
                        "findings",
                        "peak",
                        "steps",
                        "coverage",
                        "devices",
                        "settings");
        assertThat(report.get("schema").asString()).isEqualTo("leakline.report/1");
        assertThat(report.get("tool").propertyNames()).contains("name", "version");
        assertThat(report.get("inputs").get(0).propertyNames()).contains("path", "kind", "bytes", "torch");
        assertThat(report.get("peak").propertyNames())
                .contains("bytes", "reserved_bytes", "event", "time_us", "by_site");
        assertThat(report.get("steps").propertyNames()).contains("count", "kind");
        assertThat(report.get("peak").get("by_site").get(0).propertyNames())
                .contains("kind", "file", "line", "function", "bytes", "requested_bytes", "blocks", "share");
        assertThat(report.get("findings").isArray()).isTrue();
    }

    @Test
    void theFiguresAreThoseOfTheRecording() throws IOException {
        JsonNode report = report(recording());
        JsonNode peak = report.get("peak");
        assertThat(peak.get("bytes").asLong()).isEqualTo(5 * MB + 4 * (3 * MB + 512));
        assertThat(peak.get("requested_bytes").asLong()).isEqualTo(5 * MB + 4 * (3 * MB + 7));
        assertThat(peak.get("device").asInt()).isZero();
        JsonNode site = peak.get("by_site").get(0);
        assertThat(site.get("file").asString()).isEqualTo("train.py");
        assertThat(site.get("line").asInt()).isEqualTo(41);
        assertThat(site.get("function").asString()).isEqualTo("train");
        assertThat(site.get("blocks").asInt()).isEqualTo(4);
        assertThat(site.get("bytes").asLong()).isEqualTo(4 * (3 * MB + 512));
        assertThat(report.get("coverage").get("older_live_bytes").asLong()).isEqualTo(5 * MB);
        assertThat(report.get("coverage").get("has_times").asBoolean()).isTrue();
        assertThat(report.get("settings").get("max_split_size").asInt()).isEqualTo(-1);
        assertThat(report.get("settings")
                        .get("roundup_power2_divisions")
                        .get("256")
                        .asInt())
                .isZero();
        JsonNode failed = report.get("devices").get(0).get("out_of_memory").get(0);
        assertThat(failed.get("requested_bytes").asLong()).isEqualTo(900 * MB);
        assertThat(failed.get("device_free_bytes").asLong()).isEqualTo(77 * MB);
        assertThat(failed.get("site").get("line").asInt()).isEqualTo(52);
    }

    /** Names in snake_case; the names of settings and of what was not used are the file's own. */
    @Test
    void everyNameIsInSnakeCase() throws IOException {
        List<String> names = new ArrayList<>();
        collectNames(report(recording()), names);
        assertThat(names).isNotEmpty().allMatch(name -> name.matches("[a-z][a-z0-9]*(_[a-z0-9]+)*"));
    }

    private static void collectNames(JsonNode node, List<String> names) {
        node.properties().forEach(entry -> {
            names.add(entry.getKey());
            if (!List.of("settings", "unused").contains(entry.getKey())) {
                collectNames(entry.getValue(), names);
            }
        });
        if (node.isArray()) {
            node.forEach(item -> collectNames(item, names));
        }
    }

    @Test
    void theSitesOfAPeakAddUpToIt() throws IOException {
        JsonNode peak = report(recording()).get("peak");
        long sum = peak.get("by_site")
                .valueStream()
                .mapToLong(site -> site.get("bytes").asLong())
                .sum();
        assertThat(sum).isEqualTo(peak.get("bytes").asLong());
        assertThat(peak.get("sites").asInt())
                .isEqualTo(peak.get("by_site").size())
                .isEqualTo(2);
    }

    @Test
    void topLimitsTheSitesAndStacksComeOnDemand() throws IOException {
        JsonNode peak = report(Dialect.PROTOCOL_4, recording(), 1, true).get("peak");
        assertThat(peak.get("by_site").size()).isEqualTo(1);
        assertThat(peak.get("sites").asInt()).isEqualTo(2);
        JsonNode stack = peak.get("by_site").get(0).get("stacks").get(0);
        assertThat(stack.get("frames").get(1).get("function").asString()).isEqualTo("main");
        assertThat(report(recording())
                        .get("peak")
                        .get("by_site")
                        .get(0)
                        .get("stacks")
                        .isEmpty())
                .isTrue();
    }

    @Test
    void aRecordingWithoutTimesHasNone() throws IOException {
        JsonNode report = report(recording().layout(Layout.V2_1));
        assertThat(report.get("peak").get("time_us").isNull()).isTrue();
        assertThat(report.get("coverage").get("has_times").asBoolean()).isFalse();
    }

    @Test
    void anEmptySnapshotHasNoPeak() throws IOException {
        JsonNode report = report(snapshot());
        assertThat(report.get("peak").isNull()).isTrue();
        assertThat(report.get("coverage").isNull()).isTrue();
        assertThat(report.get("devices").size()).isZero();
    }

    @Test
    void aCutFileIsMarked() throws IOException {
        byte[] cut = Faults.truncated(recording().write(Dialect.PROTOCOL_4), 0.8);
        JsonNode input = report(cut, Integer.MAX_VALUE, false).get("inputs").get(0);
        assertThat(input.get("incomplete").asString()).contains("truncated after byte " + cut.length);
        assertThat(report(recording()).get("inputs").get(0).get("incomplete").isNull())
                .isTrue();
    }

    @Test
    void hostileNamesStayValidJson() throws IOException {
        SnapshotBuilder hostile = snapshot()
                .setting("a\"b\\\u0000\u202e", Double.NaN)
                .alloc("a", 3 * MB, "\"\\\u0000\033\ud83d\ude80.py:4 f\u2028");
        JsonNode report = report(hostile);
        JsonNode site = report.get("peak").get("by_site").get(0);
        assertThat(site.get("file").asString()).isEqualTo("\"\\\u0000\033\ud83d\ude80.py");
        assertThat(site.get("function").asString()).isEqualTo("f\u2028");
        assertThat(report.get("settings").get("a\"b\\\u0000\u202e").asString()).isEqualTo("NaN");
    }

    @Test
    void aFindingHasAllThatIsPromised() {
        JsonNode finding = report(Results.leak()).get("findings").get(0);
        assertThat(finding.propertyNames())
                .contains("id", "kind", "severity", "confidence", "confidence_reasons", "title", "summary")
                .contains("site", "stack", "bytes", "blocks", "bytes_per_step", "bytes_per_second", "steps_to_oom")
                .contains("evidence", "holders", "advice", "input", "device", "cause", "growth", "source");
        assertThat(finding.get("kind").asString()).isEqualTo("leak");
        assertThat(finding.get("severity").asString()).isEqualTo("critical");
        assertThat(finding.get("confidence").asDouble()).isEqualTo(0.97);
        assertThat(finding.get("confidence_reasons").get(1).asString()).isEqualTo("no times");
        assertThat(finding.get("site").get("file").asString()).isEqualTo("/app/train.py");
        assertThat(finding.get("site").get("line").asInt()).isEqualTo(41);
        assertThat(finding.get("stack").get(2).get("line").asInt()).isEqualTo(7);
        assertThat(finding.get("bytes").asLong()).isEqualTo(591 * MB);
        assertThat(finding.get("steps_to_oom").asDouble()).isEqualTo(1_234.5);
        assertThat(finding.get("holders").size()).isZero();
        assertThat(finding.get("cause").isNull()).isTrue();
    }

    @Test
    void theGrowthTheEvidenceTheAdviceAndTheSourceOfAFindingAreThere() {
        JsonNode finding = report(Results.leak()).get("findings").get(0);
        JsonNode growth = finding.get("growth");
        assertThat(growth.propertyNames())
                .containsExactlyInAnyOrder(
                        "low",
                        "high",
                        "share",
                        "taken_per_step",
                        "first_step",
                        "last_step",
                        "rises",
                        "steps",
                        "meaning",
                        "floor");
        assertThat(growth.get("floor").get(199).get("step").asInt()).isEqualTo(199);
        assertThat(growth.get("floor").get(199).get("bytes").asLong()).isEqualTo(591 * MB);
        assertThat(finding.get("evidence").get(0).get("site").get("line").asInt())
                .isEqualTo(17);
        assertThat(finding.get("evidence").get(1).get("site").isNull()).isTrue();
        assertThat(finding.get("advice").get(0).propertyNames())
                .containsExactlyInAnyOrder(
                        "action",
                        "why",
                        "expected_bytes",
                        "before",
                        "after",
                        "link",
                        "patch",
                        "patch_safety",
                        "patch_reason");
        assertThat(finding.get("source").get("first_line").asInt()).isEqualTo(39);
        assertThat(finding.get("source").get("lines").get(2).asString()).isEqualTo("        losses.append(loss)");
    }

    @Test
    void whatIsNotKnownIsNull() {
        JsonNode noRate = report(Results.leak()).get("findings").get(1);
        assertThat(noRate.get("bytes_per_step").isNull()).isTrue();
        assertThat(noRate.get("growth").isNull()).isTrue();
        assertThat(noRate.get("source").isNull()).isTrue();
        JsonNode noTime = report(new Results("").findings(1)).get("findings").get(0);
        assertThat(noTime.get("bytes_per_step").asDouble()).isEqualTo(3.0 * MB);
        assertThat(noTime.get("bytes_per_second").isNull()).isTrue();
        assertThat(noTime.get("steps_to_oom").isNull()).isTrue();
    }

    @Test
    void stepsAcquittalsAndChecksAreThere() {
        JsonNode report = report(Results.noLeak());
        for (JsonNode steps :
                List.of(report.get("steps"), report.get("devices").get(0).get("steps"))) {
            assertThat(steps.get("count").asInt()).isEqualTo(200);
            assertThat(steps.get("kind").asString()).isEqualTo("annotation");
            assertThat(steps.get("meaning").asString()).isEqualTo("one optimizer step");
            assertThat(steps.get("warm_up").asInt()).isEqualTo(3);
            assertThat(steps.get("phases").get(1).get("first_step").asInt()).isEqualTo(150);
        }
        JsonNode acquittal = report.get("acquittals").get(0);
        assertThat(acquittal.get("reason").asString()).isEqualTo("bounded_cache");
        assertThat(acquittal.get("site").get("line").asInt()).isEqualTo(19);
        assertThat(acquittal.get("bytes").asLong()).isEqualTo(96 * MB);
        assertThat(report.get("checks").get(1).get("applicable").asBoolean()).isFalse();
        assertThat(report.get("checks").get(1).get("note").asString()).startsWith("needs an object graph");
    }

    @Test
    void everyNameOfAFindingIsInSnakeCase() {
        List<String> names = new ArrayList<>();
        collectNames(report(Results.leak()), names);
        assertThat(names).contains("bytes_per_step").allMatch(name -> name.matches("[a-z][a-z0-9]*(_[a-z0-9]+)*"));
    }

    private static SnapshotBuilder recording() {
        return snapshot()
                .preexisting("weights", 5 * MB)
                .repeat(
                        4,
                        (s, i) -> s.alloc("a" + i, 3 * MB + 7, "train.py:41 train", "main.py:7 main")
                                .step())
                .oom(900 * MB, 77 * MB, "train.py:52 train")
                .free("a0", "train.py:60 train");
    }

    private static JsonNode report(SnapshotBuilder recording) throws IOException {
        return report(Dialect.PROTOCOL_4, recording, Integer.MAX_VALUE, false);
    }

    private static JsonNode report(Dialect dialect, SnapshotBuilder recording, int top, boolean hasStacks)
            throws IOException {
        return report(recording.write(dialect), top, hasStacks);
    }

    private static JsonNode report(byte[] file, int top, boolean hasStacks) throws IOException {
        Snapshot snapshot = Snapshot.open(InputSource.of("snapshot.pickle", new ByteArrayInputStream(file)));
        return report(Analysis.run(List.of(snapshot), Analysis.Options.ALL), top, hasStacks);
    }

    private static JsonNode report(AnalysisResult result) {
        return report(result, Integer.MAX_VALUE, false);
    }

    private static JsonNode report(AnalysisResult result, int top, boolean hasStacks) {
        StringWriter out = new StringWriter();
        Codec.write(result.shown(top, hasStacks), out);
        return new JsonMapper().readTree(out.toString());
    }
}
