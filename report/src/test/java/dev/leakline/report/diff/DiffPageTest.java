package dev.leakline.report.diff;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.InputSource;
import dev.leakline.Snapshot;
import dev.leakline.compare.Comparer;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.Side;
import dev.leakline.result.DiffDocument;
import dev.leakline.result.DiffDocument.DeviceRow;
import dev.leakline.result.DiffDocument.SiteRow;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import dev.leakline.text.ByteSize;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of a comparison says what text and JSON say, and is nothing but text, whatever is in the files. */
class DiffPageTest {
    private static final long MB = 1 << 20;
    private static final String ATTACK = "</style><script>alert(1)</script><img src=x onerror='alert(2)'>\"";

    @Test
    void figuresAreThoseOfTheJson() throws IOException {
        Comparison comparison = compare(leak(3 * MB), leak(7 * MB));
        String page = page(comparison, DiffPage.LINES);
        DiffDocument json = DiffDocument.of(comparison, Integer.MAX_VALUE);
        DeviceRow device = json.devices().getFirst();
        assertThat(device.bySite()).hasSize(2);
        assertThat(page)
                .contains("<h1>" + json.summary() + "</h1>")
                .contains(row(
                        "live at the peak",
                        device.before().peakBytes(),
                        device.after().peakBytes()))
                .contains(row(
                        "live at the end",
                        device.before().endBytes(),
                        device.after().endBytes()))
                .contains(row(
                        "reserved at the end",
                        device.before().endReservedBytes(),
                        device.after().endReservedBytes()));
        SiteRow changed = device.bySite().getFirst();
        assertThat(page)
                .contains(row("train.py:25 train", changed.bytesBefore(), changed.bytesAfter()))
                .contains("<td class=\"rise\">+" + ByteSize.format(changed.changeBytes()));
    }

    @Test
    void everyFigureOfTheTextIsOnThePage() throws IOException {
        Comparison comparison = compare(
                leak(7 * MB).setting("expandable_segments", false), clean(90).expandableSegments());
        String page = page(comparison, 15)
                .replaceFirst("(?s).*<main>", "")
                .replaceAll("<[^>]*>", " ")
                .replaceAll("\\s+", " ");
        List<String> figures = Pattern.compile("[+-]?\\d[\\d.,]* ?(?:[KMG]iB|%)?")
                .matcher(DiffReport.of(comparison, 15, new Style(140, false, true)))
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(figures).hasSizeGreaterThan(20);
        assertThat(comparison.caveats()).isNotEmpty();
        assertThat(page)
                .contains(figures)
                .contains(comparison.caveats())
                .contains("leak -&gt; no_leak", "gone", "expandable_segments false", "at 1 line unchanged");
    }

    @Test
    void bothCoursesHaveOneScale() throws IOException {
        String page = page(
                compare(snapshot().alloc("a", 40 * MB, "a.py:1 f"), snapshot().alloc("a", 80 * MB, "a.py:1 f")), 15);
        List<String> peaks = Pattern.compile("<circle cx=\"[\\d.]+\" cy=\"([\\d.]+)\"")
                .matcher(page)
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(peaks).containsExactly("90.0", "20.0");
        assertThat(page).containsSubsequence("V90.0", "V20.0", "before: 40.0 MiB");
    }

    @Test
    void aDeviceOfOneSideHasOneChart() throws IOException {
        SnapshotBuilder two =
                snapshot().alloc("a", 40 * MB, "a.py:1 f").device(1).alloc("b", 20 * MB, "b.py:1 f");
        String page = page(compare(snapshot().alloc("a", 40 * MB, "a.py:1 f"), two), 15);
        assertThat(page).contains("<h2>device 0</h2>", "<h2>device 1</h2>", "<b>before</b> no such device");
        assertThat(Pattern.compile("<svg class=\"chart\"").matcher(page).results())
                .hasSize(3);
    }

    @Test
    void whatDoesNotDifferIsDrawnAndHasNoLines() throws IOException {
        String page = page(compare(clean(40), clean(40)), 15);
        assertThat(page).contains("<h1>same: ", "<svg class=\"chart\"").doesNotContain(DeviceRows.LINES);
    }

    @Test
    void moreLinesThanAreShownAreSummed() throws IOException {
        Comparison comparison = compare(leak(3 * MB), snapshot().alloc("a", 90 * MB, "other.py:3 f"));
        assertThat(page(comparison, 1))
                .contains("at 2 more lines (--top 3 shows all)")
                .doesNotContain("train.py:20 ");
    }

    @Test
    void namesAreTextWhateverTheyAre() throws IOException {
        SnapshotBuilder hostile = leak(7 * MB, "x" + ATTACK + ".py:25 f\u0000\u202e" + ATTACK)
                .alloc("long", 50 * MB, "long.py:1 " + "x".repeat(100_000))
                .setting("roundup_power2_divisions", ATTACK);
        Comparison comparison = Comparer.compare(side(ATTACK, hostile), side("after" + ATTACK, clean(40)));
        String page = page(comparison, DiffPage.LINES);
        assertThat(page).contains("&lt;script&gt;alert(1)&lt;/script&gt;");
        assertThat(page).doesNotContain("<script", "<img", "\u0000", "\u202e", "x".repeat(1001));
        assertThat(Pattern.compile("</style").matcher(page).results()).hasSize(1);
    }

    @Test
    void nothingIsLoadedOrRun() throws IOException {
        String page = page(compare(leak(3 * MB), leak(7 * MB)), 15);
        assertThat(page)
                .startsWith("<!doctype html>")
                .endsWith("</html>\n")
                .contains("content=\"default-src 'none'; style-src 'sha256-")
                .doesNotContain("script-src", " style=", "href=", "src=");
    }

    private static String row(String label, long was, long is) {
        return "<th scope=\"row\">" + label + "</th><td>" + ByteSize.format(was) + "</td><td>" + ByteSize.format(is)
                + "</td>";
    }

    private static String page(Comparison comparison, int top) throws IOException {
        StringWriter page = new StringWriter();
        DiffPage.write(comparison, top, page);
        return page.toString();
    }

    private static Comparison compare(SnapshotBuilder before, SnapshotBuilder after) throws IOException {
        return Comparer.compare(side("before.pickle", before), side("after.pickle", after));
    }

    private static Side side(String name, SnapshotBuilder recording) throws IOException {
        Snapshot snapshot = Snapshot.open(
                InputSource.of("job.pickle", new ByteArrayInputStream(recording.write(Dialect.PROTOCOL_4))));
        return new Side(name, Analysis.run(List.of(snapshot), Analysis.Options.ALL));
    }

    private static SnapshotBuilder leak(long bytes) {
        return leak(bytes, "train.py:25 train");
    }

    private static SnapshotBuilder leak(long bytes, String line) {
        return snapshot()
                .repeat(
                        40,
                        (s, i) -> s.alloc("batch", 20 * MB, "train.py:20 train", "main.py:5 main")
                                .alloc("loss" + i, bytes, line, "main.py:5 main")
                                .free("batch", "train.py:30 train", "main.py:5 main")
                                .step());
    }

    /** The same loop, whose losses are freed. */
    private static SnapshotBuilder clean(int steps) {
        return snapshot()
                .repeat(
                        steps,
                        (s, i) -> s.alloc("batch", 20 * MB, "train.py:20 train", "main.py:5 main")
                                .alloc("loss" + i, 3 * MB, "train.py:25 train", "main.py:5 main")
                                .free("batch", "train.py:30 train", "main.py:5 main")
                                .free("loss" + i, "train.py:31 train", "main.py:5 main")
                                .step());
    }
}
