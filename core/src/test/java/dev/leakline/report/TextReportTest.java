package dev.leakline.report;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.Snapshot;
import dev.leakline.primitive.Printable;
import dev.leakline.result.AnalysisResult;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextReportTest {
    private static final long MB = 1 << 20;
    private static final TextReport.Options SITES = new TextReport.Options(15, false, false);
    private static final TextReport.Options TREE = new TextReport.Options(15, false, true);

    @ParameterizedTest
    @ValueSource(ints = {1, 40, 41, 55, 63, 64, 65, 80, 100, 140, 500})
    void noLineIsLongerThanTheTerminal(int columns) throws IOException {
        int most = Math.clamp(columns, 40, 140);
        for (boolean isUnicode : new boolean[] {true, false}) {
            String text = TextReport.of(analyse(rich()), TREE, new Style(columns, false, isUnicode));
            assertThat(text.lines().filter(line -> line.length() > most)).isEmpty();
            assertThat(text).contains("device 0", "device 1", "loss.py:9").doesNotContain("\033");
        }
    }

    @Test
    void colourChangesNothingButTheLook() throws IOException {
        AnalysisResult result = analyse(rich());
        String plain = TextReport.of(result, TREE, new Style(80, false, true));
        String coloured = TextReport.of(result, TREE, new Style(80, true, true));
        assertThat(coloured).contains("\033[1m", "\033[0m");
        assertThat(coloured.replaceAll("\033\\[\\d*m", "")).isEqualTo(plain);
    }

    @Test
    void withoutUnicodeTheReportIsAscii() throws IOException {
        String text = TextReport.of(analyse(rich()), TREE, new Style(80, false, false));
        assertThat(text.chars()).allMatch(c -> c == '\n' || (c >= ' ' && c < 0x7f));
        assertThat(text).contains("####", "~", "peak ^");
        assertThat(TextReport.of(analyse(rich()), TREE, new Style(80, false, true)))
                .contains("\u2588", "\u2026");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\033[2J", "\033]0;owned\007", "\r", "\n", "\u202e", "\u2066", "\u200b", "\u009b31m", "\0"})
    void hostileNamesAreEscaped(String attack) throws IOException {
        String escaped = Printable.of(attack);
        TextReport.Options all = new TextReport.Options(15, true, true);
        String text = TextReport.of(analyse("file" + attack, named(attack)), all, new Style(80, false, true));
        String harmless = TextReport.of(analyse("file" + escaped, named(escaped)), all, new Style(80, false, true));
        assertThat(escaped).matches("(\\\\u[0-9a-f]{4}|[ -~])+");
        assertThat(text).contains("file" + escaped, "evil" + escaped, " f" + escaped, "at::" + escaped);
        assertThat(text.lines().count()).isEqualTo(harmless.lines().count());
    }

    private static SnapshotBuilder named(String name) {
        return snapshot()
                .metadata(name)
                .compileContext(name)
                .setting("PYTORCH_CUDA_ALLOC_CONF", name)
                .alloc("a", 30 * MB, "/x/evil" + name + ".py:4 f" + name, "/x/main" + name + ".py:9 main")
                .alloc("b", 20 * MB, "??:0 at::" + name)
                .step()
                .oom(1L << 40, MB, "evil" + name + ".py:5 g" + name);
    }

    @Test
    void theLargestSitesComeFirstAndTheRestIsSummedUp() throws IOException {
        SnapshotBuilder recording = snapshot();
        recording.repeat(9, (s, i) -> s.alloc("a" + i, 30 * MB * (i + 1), "model.py:" + (10 + i) + " layer"));
        String text =
                TextReport.of(analyse(recording), new TextReport.Options(2, false, false), new Style(80, false, true));
        assertThat(text).containsSubsequence("270 MiB", "model.py:18 layer", "240 MiB", "model.py:17 layer");
        assertThat(text)
                .contains("840 MiB  62.2%  at 7 more sites (--top 9 shows all)")
                .doesNotContain("model.py:16");
    }

    @Test
    void theStacksStandBeneathTheirSite() throws IOException {
        SnapshotBuilder recording =
                snapshot().alloc("a", 30 * MB, "??:0 at::empty", "/x/model.py:4 f", "/x/main.py:9 main");
        String text =
                TextReport.of(analyse(recording), new TextReport.Options(5, true, false), new Style(80, false, true));
        assertThat(text)
                .containsSubsequence("30.0 MiB in 1 block from", "at::empty", "/x/model.py:4  f", "/x/main.py:9  main");
    }

    @Test
    void anEmptySnapshotIsSaidToBeEmpty() throws IOException {
        String text = TextReport.of(analyse(snapshot()), SITES, new Style(80, false, true));
        assertThat(text).contains("No device held any memory");
    }

    @Test
    void outOfMemoryErrorsAreListed() throws IOException {
        SnapshotBuilder recording =
                snapshot().alloc("a", 30 * MB, "model.py:4 f").oom(900 * MB, 77 * MB, "model.py:5 g");
        String text = TextReport.of(analyse(recording), SITES, new Style(80, false, true));
        assertThat(text).contains("900 MiB", "77.0 MiB", "model.py:5 g");
    }

    private static SnapshotBuilder rich() {
        String folders = "/home/somebody/" + "deep/".repeat(30);
        String[] recursion = new String[90];
        Arrays.setAll(recursion, i -> folders + "tree.py:" + (100 + i) + " descend_" + "far".repeat(20));
        return snapshot()
                .preexisting("weights", 37 * MB + 5)
                .repeat(
                        120,
                        (s, i) -> s.alloc("loss" + i, 3 * MB + i, "loss.py:9 loss", "main.py:7 main")
                                .step())
                .alloc("deep", 90 * MB, recursion)
                .alloc("mute", 50 * MB)
                .alloc("native", 40 * MB, "??:0 at::" + "template<".repeat(40))
                .alloc("installed", 60 * MB, "/usr/lib/python3/dist-packages/" + "p/".repeat(40) + "x.py:3 f")
                .oom(900 * MB, 77 * MB, recursion)
                .device(1)
                .alloc("other", 41 * MB, folders + "o".repeat(150) + ".py:123456 f")
                .hostAlloc("pinned", 70_000, "data.py:5 pin");
    }

    private static AnalysisResult analyse(SnapshotBuilder recording) throws IOException {
        return analyse("snapshot.pickle", recording);
    }

    private static AnalysisResult analyse(String name, SnapshotBuilder recording) throws IOException {
        byte[] file = recording.write(Dialect.PROTOCOL_4);
        Snapshot snapshot = Snapshot.read(name, new ByteArrayInputStream(file), _ -> {});
        return Analysis.run(List.of(snapshot), Analysis.Options.ALL);
    }
}
