package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.Input.Demand;
import dev.leakline.codec.Codec;
import dev.leakline.read.Formats;
import dev.leakline.report.TextReport;
import dev.leakline.report.html.HtmlReport;
import dev.leakline.report.html.HtmlReport.Bundle;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.source.Content;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.testkit.Thoroughness;
import dev.leakline.testkit.fault.Faults;
import dev.leakline.testkit.holders.HolderDumpBuilder;
import dev.leakline.testkit.holders.Item;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reports come from strangers, from later versions and through programs that rewrite JSON. */
class ReportReaderTest {
    private static final long MB = 1 << 20;
    private static final JsonMapper JSON = new JsonMapper();
    private static final TextReport.Options ALL = new TextReport.Options(100, true, true);
    private static final Style STYLE = new Style(80, true, true);

    private final AnalysisResult result = analyse(recording());

    @Test
    void whatIsNotKnownIsPassedOver() throws IOException {
        ObjectNode report = report();
        report.putObject("added_later").putArray("list").addObject().put("deep", 1);
        ((ObjectNode) report.get("devices").get(0).get("peak")).put("added_too", "text");
        ((ObjectNode) report.get("devices").get(0)).putArray("and_this").add(1).add("two");
        assertThat(text(read(report))).isEqualTo(text(result));
    }

    @Test
    void theOrderOfPropertiesDoesNotMatter() throws IOException {
        ObjectNode sorted = JSON.createObjectNode();
        ObjectNode report = report();
        report.propertyNames().stream().sorted().forEach(name -> sorted.set(name, report.get(name)));
        assertThat(sorted.propertyNames()).first().isEqualTo("acquittals");
        assertThat(text(read(sorted))).isEqualTo(text(result));
    }

    @Test
    void aCompressedReportIsAReport() throws IOException {
        assertThat(text(read(gzip(json(100).getBytes(StandardCharsets.UTF_8))))).isEqualTo(text(result));
    }

    @Test
    void whatWasLeftOutIsCounted() throws IOException {
        AnalysisResult short1 = read(json(1).getBytes(StandardCharsets.UTF_8));
        int all = result.devices().getFirst().peak().sites();
        assertThat(short1.devices().getFirst().peak().unlisted())
                .isEqualTo(all - 1)
                .isPositive();
        assertThat(TextReport.of(short1, new TextReport.Options(1, false, false), STYLE))
                .contains(all - 1 + " more site", all - 1 + " not named in the report that was read");
    }

    @TestFactory
    Stream<DynamicTest> whatIsWrongIsNamedWithItsPlace() {
        return Stream.of(
                wrong("a text for a number", "/devices/0/peak/bytes", "\"much\"", "a whole number", "'much'"),
                wrong("a list for a number", "/devices/0/peak/bytes", "[1, 2]", "a whole number", "a list"),
                wrong("a fraction for a count", "/findings/0/blocks", "1.5", "a whole number", "1.5"),
                wrong("too large a count", "/devices/0/events", "4000000000", "32 bits", "4000000000"),
                wrong("a number for a text", "/findings/0/site/file", "7", "a text", "7"),
                wrong("an unknown verdict", "/verdict", "\"leaque\"", "one of [leak, reference_cycle", "'leaque'"),
                wrong("an object for a list", "/findings/0/stack", "{}", "a list", "an object"),
                wrong("null in a list", "/devices/0/timeline/0", "null", "a value", "null"),
                wrong("a text for an object", "/findings/0/site", "\"train.py\"", "an object", "'train.py'"),
                wrong("fewer sites than listed", "/devices/0/peak/sites", "0", "at least the", "0"),
                wrong("an input that is none", "/findings/0/input", "7", "the index of one of 3 inputs", "7"),
                wrong("a dump that is none", "/findings/0/holders/0/input", "3", "the index of one of 3 inputs", "3"),
                wrong("dumps that are none", "/dumps/0/inputs", "[1, -1]", "the index of one of 3 inputs", "-1"),
                wrong(
                        "a way without a beginning",
                        "/findings/0/holders/0/path",
                        "[]",
                        "an object at least",
                        "an empty list"),
                wrong(
                        "growth of another number of dumps",
                        "/findings/0/holders/0/growth/items",
                        "[1, 2, 3]",
                        "as many items as bytes and storages",
                        "others"),
                wrong(
                        "a later schema",
                        "/schema",
                        "\"leakline.report/2\"",
                        "'leakline.report/1'",
                        "'leakline.report/2'"),
                wrong("another schema", "/schema", "\"leakline.diff/1\"", "'leakline.report/1'", "'leakline.diff/1'"));
    }

    private DynamicTest wrong(String name, String place, String value, String expected, String found) {
        return dynamicTest(name, () -> {
            ObjectNode report = report();
            set(report, place, JSON.readTree(value));
            ReadException refusal = refusal(report.toString().getBytes(StandardCharsets.UTF_8));
            assertThat(refusal.code()).isEqualTo(Code.DAMAGED);
            assertThat(refusal)
                    .hasMessageContaining(expected)
                    .hasMessageContaining("found " + found)
                    .hasMessageContaining("before byte");
        });
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        ObjectNode report = report();
        ((ObjectNode) report.get("devices").get(0).get("coverage")).remove("ring");
        assertThat(refusal(bytes(report)))
                .hasMessageContaining("/devices/0/coverage/ring: expected a text, found nothing");
    }

    /** Whatever takes the place of a value, the report is printed or refused in words. */
    @Test
    void noValueOfAnyKindBreaksTheReport() throws IOException {
        ObjectNode whole = report();
        List<String> all = new ArrayList<>();
        collect("", whole, all);
        assertThat(all).hasSizeGreaterThan(150);
        List<String> places = Thoroughness.of(all);
        String[] values = {"null", "-1", "9223372036854775807", "1e400", "\"\\u001b[2J\"", "[]", "{}", "true", "[[[]]]"
        };
        int printed = 0;
        for (String place : places) {
            for (String value : values) {
                ObjectNode report = whole.deepCopy();
                set(report, place, JSON.readTree(value));
                printed += isPrinted(place + " = " + value, bytes(report)) ? 1 : 0;
            }
        }
        assertThat(printed).isBetween(places.size(), places.size() * values.length - places.size());
    }

    private static boolean isPrinted(String what, byte[] report) throws IOException {
        try {
            assertThat(text(read(report))).doesNotContain("\u001b[2J");
            return true;
        } catch (ReadException e) {
            assertThat(e).hasMessageMatching("(?s).{10,}");
            return false;
        } catch (RuntimeException e) {
            return fail(what, e);
        }
    }

    @Test
    void everyCutIsRefused() throws IOException {
        for (byte[] whole : List.of(json(100).getBytes(StandardCharsets.UTF_8), page())) {
            for (int share = 0; share < 100; share++) {
                ReadException refusal = refusal(Faults.truncated(whole, share / 100.0));
                assertThat(refusal).as("%s %% of a report", share).hasMessageMatching("(?s).{10,}");
            }
        }
        ReadException ofPage = refusal(Faults.truncated(page(), 0.9));
        assertThat(ofPage.code()).isEqualTo(Code.TRUNCATED);
        assertThat(ofPage).hasMessageContaining("truncated");
    }

    @Test
    void aPageWhoseDataWasChangedIsRefused() throws IOException {
        String page = new String(page(), StandardCharsets.UTF_8);
        int data = page.indexOf("id=\"leakline-data\">") + 100;
        String spoilt = page.substring(0, data) + "%" + page.substring(data + 1);
        assertThat(refusal(spoilt.getBytes(StandardCharsets.UTF_8))).hasMessageContaining("not base64");
        String zeroed = page.substring(0, data) + "A".repeat(40) + page.substring(data + 40);
        assertThat(refusal(zeroed.getBytes(StandardCharsets.UTF_8)).code()).isIn(Code.DAMAGED, Code.TRUNCATED);
    }

    @Test
    void aPageAroundSomethingElseHoldsNoReport() throws IOException {
        assertThat(refusal(page(gzip("{\"segments\": []}".getBytes(StandardCharsets.UTF_8)))))
                .hasMessageContaining("contains no report");
        assertThat(refusal(page(gzip("{\"schema\": \"leakline.page/1\"}".getBytes(StandardCharsets.UTF_8)))))
                .hasMessageContaining("expected a report, found nothing");
    }

    @Test
    void aSmallFileThatUnfoldsToMuchIsRefused() throws IOException {
        String bomb = "{\"schema\": \"leakline.page/1\", \"pictures\": [" + "0,".repeat(1 << 20);
        byte[] page = page(gzip(bomb.getBytes(StandardCharsets.UTF_8)));
        assertThat(page.length).isLessThan(10_000);
        ReadException refusal = refusal(page, limits(1 << 20, Integer.MAX_VALUE));
        assertThat(refusal.code()).isEqualTo(Code.LIMIT);
        assertThat(refusal).hasMessageContaining("it decompresses to more than 1048576 bytes");
    }

    @Test
    void moreItemsThanAnyReportHasAreRefused() throws IOException {
        String item = "{\"event\":1,\"time_us\":null,\"bytes\":2,\"reserved_bytes\":3},";
        String many = "{\"schema\": \"leakline.report/1\", \"devices\": [{\"timeline\": [" + item.repeat(1001);
        ReadException refusal = refusal(many.getBytes(StandardCharsets.UTF_8), limits(1 << 20, 1000));
        assertThat(refusal.code()).isEqualTo(Code.LIMIT);
        assertThat(refusal).hasMessageContaining("more than 1000 items, at byte");
    }

    private static ReadLimits limits(long bytes, int items) {
        ReadLimits usual = ReadLimits.DEFAULT;
        return new ReadLimits(
                usual.stringBytes(),
                usual.distinctStringBytes(),
                usual.stackDepth(),
                usual.nesting(),
                usual.openValues(),
                usual.settings(),
                usual.shownSettings(),
                usual.devices(),
                usual.inflatedBytes(),
                bytes,
                items,
                usual.reportNesting(),
                usual.sizeBytes(),
                usual.sumOfSizes(),
                usual.unfolding(),
                usual.unfoldedFreely(),
                usual.searchedBytes(),
                usual.messagesOfLine());
    }

    @Test
    void calls_refusedWhereTheyNestDeeperThanAnyProgramCalls() throws IOException {
        String call = "{\"kind\":\"user\",\"file\":\"a.py\",\"line\":1,\"function\":\"f\",\"calls\":[";
        String deep =
                "{\"schema\": \"leakline.report/1\", \"devices\": [{\"peak\": {\"by_call\": [" + call.repeat(100_000);
        assertThat(refusal(deep.getBytes(StandardCharsets.UTF_8)).code()).isEqualTo(Code.LIMIT);
    }

    private ObjectNode report() {
        return (ObjectNode) JSON.readTree(json(100));
    }

    private String json(int top) {
        StringWriter json = new StringWriter();
        Codec.write(result.shown(top, true), json);
        return json.toString();
    }

    private byte[] page() throws IOException {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        HtmlReport.write(result, List.of(), new Bundle("", ""), page);
        return page.toByteArray();
    }

    private static byte[] page(byte[] data) {
        String base64 = Base64.getEncoder().encodeToString(data);
        return ("<!doctype html><script id=\"leakline-data\">" + base64 + "</script>").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(file)) {
            out.write(content);
        }
        return file.toByteArray();
    }

    private static void collect(String place, JsonNode node, List<String> places) {
        if (!place.isEmpty()) {
            places.add(place);
        }
        node.properties().forEach(entry -> collect(place + "/" + entry.getKey(), entry.getValue(), places));
        if (node.isArray() && !node.isEmpty()) {
            collect(place + "/0", node.get(0), places);
        }
    }

    private static void set(ObjectNode report, String place, JsonNode value) {
        int last = place.lastIndexOf('/');
        JsonNode parent = report.at(place.substring(0, last));
        String name = place.substring(last + 1);
        if (parent instanceof ArrayNode list) {
            list.set(Integer.parseInt(name), value == null ? JsonNodeFactory.instance.nullNode() : value);
        } else {
            ((ObjectNode) parent).set(name, value);
        }
    }

    private static byte[] bytes(ObjectNode report) {
        return report.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static AnalysisResult read(ObjectNode report) throws IOException {
        return read(bytes(report));
    }

    private static AnalysisResult read(byte[] file) throws IOException {
        return read(file, ReadLimits.DEFAULT);
    }

    private static AnalysisResult read(byte[] file, ReadLimits limits) throws IOException {
        Formats reader = new Formats(limits, _ -> {});
        return ((Content.Report) reader.read(new ByteArrayInputStream(file))).result();
    }

    private static ReadException refusal(byte[] file) {
        return refusal(file, ReadLimits.DEFAULT);
    }

    private static ReadException refusal(byte[] file, ReadLimits limits) {
        ReadException refusal = catchThrowableOfType(ReadException.class, () -> read(file, limits));
        assertThat(refusal).as("a refusal").isNotNull();
        return refusal;
    }

    private static String text(AnalysisResult result) {
        return TextReport.of(result, ALL, STYLE);
    }

    /** The recording with two dumps: half of what leaks is in a list that grew, half in a cycle. */
    private static AnalysisResult analyse(SnapshotBuilder recording) {
        try {
            Input snapshot = input("snapshot.pickle", recording.write(Dialect.PROTOCOL_4));
            Input early = input("early.holders", dump(recording, 10));
            return Analysis.run(
                    List.of(snapshot, early, input("late.holders", dump(recording, 40))), Analysis.Options.ALL);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Input input(String name, byte[] file) throws IOException {
        return Input.open(InputSource.of(name, new ByteArrayInputStream(file)), Demand.EVIDENCE);
    }

    private static byte[] dump(SnapshotBuilder recording, int losses) {
        HolderDumpBuilder dump = new HolderDumpBuilder().header("time_us", "17000000600000" + losses);
        Item list = dump.list(losses / 2);
        Item ring = dump.object("Node");
        ring.attribute("next", ring);
        for (int i = 0; i < losses; i++) {
            Item loss = dump.view("[3]", dump.storage(3 * MB, recording.addressOf("loss" + i) >> 4, -1));
            Item _ = i % 2 == 0 ? list.item(i / 2, loss) : ring.item(i, loss);
        }
        Item weights = dump.view("[9]", dump.storage(37 * MB + 5, recording.addressOf("weights") >> 4, -1));
        dump.module("train").key("losses", list).key("weights", weights);
        return dump.write();
    }

    /** A leak of 3 MiB a step beside two other lines, weights from before, a setting, and a request that failed. */
    private static SnapshotBuilder recording() {
        return SnapshotBuilder.snapshot()
                .setting("expandable_segments", false)
                .preexisting("weights", 37 * MB + 5)
                .repeat(
                        40,
                        (s, i) -> s.alloc("batch", 20 * MB, "train.py:20 train", "main.py:5 main")
                                .alloc("loss" + i, 3 * MB, "train.py:25 train", "main.py:5 main")
                                .free("batch", "train.py:30 train", "main.py:5 main")
                                .step())
                .oom(900 * MB, 77 * MB, "train.py:52 train");
    }
}
