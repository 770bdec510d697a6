package dev.leakline.report.html;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Illustrated;
import dev.leakline.InputSource;
import dev.leakline.Snapshot;
import dev.leakline.report.html.HtmlReport.Bundle;
import dev.leakline.result.Results;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import dev.leakline.text.ByteSize;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page holds its data and nothing but its own script, whatever is in the file. */
class HtmlReportTest {
    private static final long MB = 1 << 20;
    private static final Bundle BUNDLE = new Bundle("const drawn = '\u00e9';", "body { margin: 0 }");
    private static final String ATTACK = "</script><script>alert(1)</script>";

    @Test
    void theDataInflatesToThePromisedSchema() throws IOException {
        JsonNode data = data(page(recording()));
        assertThat(data.get("schema").asString()).isEqualTo("leakline.page/1");
        assertThat(data.get("report").get("schema").asString()).isEqualTo("leakline.report/1");
        assertThat(data.get("report").get("peak").get("by_site").get(0).has("stacks"))
                .isTrue();
        assertThat(data.get("pictures").size())
                .isEqualTo(data.get("report").get("devices").size());
        JsonNode picture = data.get("pictures").get(0);
        assertThat(picture.propertyNames())
                .containsExactlyInAnyOrder(
                        "input",
                        "device",
                        "events",
                        "startTimeUs",
                        "endTimeUs",
                        "sites",
                        "frames",
                        "clock",
                        "timeline",
                        "allocations",
                        "calls",
                        "steps",
                        "annotations",
                        "marks",
                        "deviceBytes",
                        "moments",
                        "segments",
                        "omittedAllocations",
                        "omittedSegments");
        assertThat(picture.get("sites").get(0).propertyNames())
                .containsExactlyInAnyOrder("label", "file", "line", "function", "kind", "stack", "finding");
        assertThat(picture.get("timeline").get("levels").get(0).propertyNames())
                .containsExactlyInAnyOrder("buckets", "firstEvent", "highest", "live", "liveMin", "reserved", "bySite");
        assertThat(picture.get("calls").propertyNames()).containsExactlyInAnyOrder("frame", "parent", "kind");
        assertThat(picture.get("allocations").propertyNames())
                .containsExactlyInAnyOrder("born", "life", "released", "bytes", "address", "site", "call");
        assertThat(picture.get("moments").isNull()).isTrue();
        assertThat(picture.get("segments").get(0).propertyNames())
                .containsExactlyInAnyOrder(
                        "address", "bytes", "born", "died", "pool", "private", "stream", "expandable");
        assertThat(picture.get("deviceBytes").isNull()).isTrue();
        assertThat(picture.get("marks").get("oom").get(0).get("requested").asLong())
                .isEqualTo(900 * MB);
    }

    @Test
    void columnsAreLittleEndianNumbers() throws IOException {
        JsonNode picture = data(page(recording())).get("pictures").get(0);
        JsonNode level = picture.get("timeline").get("levels").get(0);
        byte[] live = Base64.getDecoder().decode(level.get("live").asString());
        assertThat(live).hasSize(8 * level.get("buckets").asInt());
        double last = java.nio.ByteBuffer.wrap(live)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .getDouble(live.length - 8);
        assertThat(last).isEqualTo(30.0 * MB);
        byte[] firsts = Base64.getDecoder().decode(level.get("firstEvent").asString());
        assertThat(firsts).hasSize(4 * (level.get("buckets").asInt() + 1)).startsWith(0, 0, 0, 0, 1, 0, 0, 0);
    }

    @Test
    void theSiteOfAFindingIsMarkedWithIt() throws IOException {
        SnapshotBuilder leak = snapshot();
        leak.repeat(
                60,
                (s, i) -> s.alloc("batch", 40 * MB, "train.py:20 train", "main.py:5 main")
                        .alloc("loss" + i, 3 * MB, "train.py:25 train", "main.py:5 main")
                        .free("batch", "train.py:30 train", "main.py:5 main")
                        .step());
        JsonNode data = data(page(leak));
        assertThat(data.get("report").get("verdict").asString()).isEqualTo("leak");
        JsonNode sites = data.get("pictures").get(0).get("sites");
        assertThat(sites.get(0).get("line").asInt()).isEqualTo(25);
        assertThat(sites.get(0).get("finding").asInt()).isZero();
        assertThat(sites.get(1).get("line").asInt()).isEqualTo(20);
        assertThat(sites.get(1).get("finding").isNull()).isTrue();
    }

    @Test
    void thePolicyAllowsTheScriptAndTheStyleAndNothingElse() throws Exception {
        String page = page(recording());
        assertThat(page)
                .contains("content=\"default-src 'none'; script-src '" + hash(inside(page, "<script>", "</script>"))
                        + "'; style-src '" + hash(inside(page, "<style>", "</style>")) + "'; img-src data:;");
        assertThat(page).doesNotContain("src=", "http://", "https://", "unsafe");
    }

    @Test
    void nothingInAFileBreaksOut() throws IOException {
        String page = page(snapshot()
                .alloc("a", 30 * MB, "x" + ATTACK + ".py:41 " + ATTACK, "'\"&\u0000\u202e.py:2 <b>")
                .alloc("b", 21 * MB, "long.py:1 " + "x".repeat(100_000)));
        assertThat(page).doesNotContain("<script>alert", "\u0000", "\u202e", "xxxxxxxxxx".repeat(101));
        assertThat(Pattern.compile("<script").matcher(page).results()).hasSize(2);
        assertThat(Pattern.compile("</script").matcher(page).results()).hasSize(2);
        assertThat(inside(page, "id=\"leakline-data\">", "</script>")).matches("[A-Za-z0-9+/=]+");
        assertThat(page.length()).isLessThan(20_000);
        JsonNode sites = data(page).get("pictures").get(0).get("sites");
        assertThat(sites.get(0).get("file").asString()).isEqualTo("x" + ATTACK + ".py");
        assertThat(sites.get(1).get("function").asString()).hasSize(1000).endsWith("x…");
    }

    @Test
    void aTitleOrAReasonBreaksOutNeither() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        HtmlReport.write(new Results(ATTACK).leaking(), List.of(), BUNDLE, out);
        String page = out.toString(StandardCharsets.UTF_8);
        assertThat(page).doesNotContain("<script>alert");
        assertThat(page).contains("<title>Leakline: leak at ").contains("&lt;script&gt;alert(1)&lt;/script&gt;");
        assertThat(data(page).get("report").get("findings").get(0).get("title").asString())
                .endsWith(ATTACK);
    }

    @Test
    void aBundleThatWouldEndItsElementIsRefused() {
        assertThatThrownBy(() -> new Bundle("const end = '</SCRIPT>';", "")).hasMessageContaining("</script");
        assertThatThrownBy(() -> new Bundle("a <!-- b", "")).hasMessageContaining("<!--");
        assertThatThrownBy(() -> new Bundle("", "a::after { content: '</style>' }"))
                .hasMessageContaining("</style");
    }

    @Test
    void withoutScriptsThePageIsTheReportAsText() throws IOException {
        String page = page(recording());
        assertThat(page).contains("<html lang=\"en\">", "name=\"viewport\"", "<h1>oom</h1>");
        assertThat(inside(page, "<noscript>", "</noscript>")).contains("train.py:41", "JavaScript");
    }

    @Test
    void anEmptySnapshotMakesASmallPage() throws IOException {
        String page = page(snapshot());
        assertThat(page.length()).isLessThan(5_000);
        assertThat(data(page).get("pictures").size()).isZero();
    }

    @Test
    void aPageInDetailHasAsManyStretchesAsItsSizeAllows() throws IOException {
        Illustrated recording = Analysis.illustrateInDetail(List.of(read(LONG)), Analysis.Options.ALL);
        byte[] most = detailed(recording, Long.MAX_VALUE, "all 330,0");
        String page = new String(most, StandardCharsets.UTF_8);
        assertThat(Pattern.compile(
                                "class=\"leakline-stretch\" data-picture=\"0\" data-from=\"\\d+\" data-to=\"\\d+\">[A-Za-z0-9+/=]+<")
                        .matcher(page)
                        .results())
                .hasSizeGreaterThan(2);
        assertThat(detailed(recording, most.length, "all 330,0")).hasSize(most.length);
        byte[] less =
                detailed(recording, most.length - 1, "with all, it would take about " + ByteSize.format(most.length));
        assertThat(less.length).isLessThan(most.length).isGreaterThan(most.length / 2);
        String none = new String(detailed(recording, 1, "the size leaves no room for more"), StandardCharsets.UTF_8);
        assertThat(none).doesNotContain("leakline-stretch");
    }

    /** A recording as a page of at most so many bytes, if it fits at all; {@code told} is a part of what is said of it. */
    private static byte[] detailed(Illustrated illustrated, long most, String told) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PageDetail detail = HtmlReport.write(illustrated.result(), illustrated.pictures(), BUNDLE, most, out);
        assertThat(detail.sentence())
                .startsWith("The page has single blocks of ")
                .contains(told);
        return out.toByteArray();
    }

    @Test
    void theStreamStaysOpen() throws IOException {
        write(recording(), new ByteArrayOutputStream() {
            @Override
            public void close() {
                throw new AssertionError("the stream is its owner's to close");
            }
        });
    }

    /** More allocations than a picture has of every moment. */
    private static final SnapshotBuilder LONG = snapshot()
            .repeat(
                    110_000,
                    (s, i) ->
                            s.alloc("x", (2 + i % 7) * MB, "train.py:41 train").free("x"));

    private static SnapshotBuilder recording() {
        return snapshot()
                .alloc("a", 30 * MB, "train.py:41 train", "main.py:7 main")
                .oom(900 * MB, 77 * MB, "train.py:52 train");
    }

    private static String page(SnapshotBuilder recording) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(recording, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Snapshot read(SnapshotBuilder recording) throws IOException {
        return Snapshot.open(
                InputSource.of("job.pickle", new ByteArrayInputStream(recording.write(Dialect.PROTOCOL_4))));
    }

    private static void write(SnapshotBuilder recording, OutputStream out) throws IOException {
        Illustrated illustrated = Analysis.illustrate(List.of(read(recording)), Analysis.Options.ALL);
        HtmlReport.write(illustrated.result(), illustrated.pictures(), BUNDLE, out);
    }

    private static JsonNode data(String page) throws IOException {
        byte[] zipped = Base64.getDecoder().decode(inside(page, "id=\"leakline-data\">", "</script>"));
        try (GZIPInputStream inflated = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
            return new JsonMapper().readTree(inflated);
        }
    }

    private static String inside(String page, String from, String to) {
        Matcher matcher = Pattern.compile(Pattern.quote(from) + "(.*?)" + Pattern.quote(to), Pattern.DOTALL)
                .matcher(page);
        assertThat(matcher.find()).as("%s in the page", from).isTrue();
        return matcher.group(1);
    }

    private static String hash(String content) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
        return "sha256-" + Base64.getEncoder().encodeToString(digest);
    }
}
