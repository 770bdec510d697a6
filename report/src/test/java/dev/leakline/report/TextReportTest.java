package dev.leakline.report;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.InputSource;
import dev.leakline.Snapshot;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.InputFile;
import dev.leakline.result.Results;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import dev.leakline.text.Printable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
            assertThat(tooLong(text, most)).isEmpty();
            assertThat(text).contains("device 0", "device 1", "loss.py:9").doesNotContain("\033");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 40, 41, 55, 63, 64, 65, 80, 100, 140, 500})
    void noLineOfAVerdictIsLongerThanTheTerminal(int columns) {
        int most = Math.clamp(columns, 40, 140);
        Results results = new Results("_" + "long".repeat(60));
        for (boolean isUnicode : new boolean[] {true, false}) {
            Style style = new Style(columns, false, isUnicode);
            String text =
                    TextReport.of(results.leaking(), TREE, style) + TextReport.of(results.leakless(), TREE, style);
            assertThat(tooLong(text, most)).isEmpty();
            assertThat(text)
                    .contains("leak   ", "no_leak   ", "losses", "bounded cache")
                    .doesNotContain("\033");
        }
    }

    /** Lines of code, links and paths to copy are whole. */
    private static Stream<String> tooLong(String text, int most) {
        return text.lines()
                .filter(line -> line.length() > most && !line.matches(" +[-+] .*") && !line.matches("\\s*\\S*/\\S*"));
    }

    /** PyTorch writes what it rounded a pinned request up to as requested. */
    @Test
    void pinnedSizesAreNotCalledRequested() throws IOException {
        SnapshotBuilder pinned = snapshot().hostAlloc("pinned", 66 * MB, "data.py:8 pin");
        assertThat(TextReport.of(analyse(pinned), SITES, new Style(100, false, true)))
                .contains("sizes as PyTorch rounded them up for pinned memory, 128 MiB reserved")
                .doesNotContain("of it requested");
    }

    @Test
    void theVerdictIsTheFirstThingAfterTheInput() {
        List<String> lines = report(Results.leak()).lines().toList();
        assertThat(lines.subList(0, 3))
                .containsExactly(
                        "snapshot.pickle",
                        "",
                        "leak   3.00 MiB per step stays, every step, at train.py:41 (training_step)");
        assertThat(report(Results.noLeak()))
                .startsWith("snapshot.pickle\n\nno_leak   all that grew has stopped growing\n");
    }

    @Test
    void theSectionsComeInTheOrderInWhichTheyAreNeeded() {
        assertThat(report(Results.leak()))
                .containsSubsequence(
                        "leak   ",
                        "critical  losses keep",
                        "also found",
                        "info      a buffer is made anew",
                        "steps\n",
                        "input\n",
                        "device 0\n",
                        "live at the peak",
                        "coverage\n",
                        "not looked at\n  holders: needs an object graph")
                .doesNotContain("looked at 200 steps", "why it is not a leak");
    }

    @Test
    void fiveFindingsAreToldAndTheRestAreListed() {
        String text = report(new Results("").findings(28));
        assertThat(text.lines().filter(line -> line.startsWith("warning   ")).toList())
                .hasSize(25);
        assertThat(text.lines().filter("  what to do"::equals)).hasSize(5);
        assertThat(text)
                .contains("also found\nwarning   losses keep their autograd graphs, at train.py:105 (training_step)\n")
                .contains("and 3 more; --format json has all");
    }

    @Test
    void whatLooksLikeALeakAndIsNoneIsExplained() {
        assertThat(report(Results.noLeak()))
                .contains("\nwhy it is not a leak\n  bounded cache  it filled up to 96.0 MiB within 32")
                .contains("  warm up        412 MiB came in the first 3 steps")
                .contains("parameters 2, at train.py:62 (training_step)\n  2 more\n")
                .doesNotContain("parameters 3");
    }

    @Test
    void stepsAreSaidWithTheirMeaningAndTheirPhases() {
        assertThat(report(Results.leak()))
                .contains("  200 steps; a step is one optimizer step, as the recording marks it.\n")
                .contains("  Warm-up ends with step 3")
                .contains("  steps 0 to 149: training\n  steps 150 to 199: validation\n");
    }

    @Test
    void ofManyInputsAFewAreNamedAtTheTopAndAllThatAreNotWhole() {
        AnalysisResult one = Results.noLeak();
        List<InputFile> inputs = IntStream.range(0, 9)
                .mapToObj(i -> new InputFile("rank" + i, "snapshot", MB, "2.9", i == 7 ? "it is cut" : null))
                .toList();
        String text = report(new AnalysisResult(
                "1", inputs, one.verdict(), "fine", List.of(), List.of(), List.of(), one.devices(), Map.of()));
        assertThat(text).startsWith("rank0\nrank1\nrank2\nrank7\n  incomplete: it is cut;");
        assertThat(text).contains("and 6 more", "  rank8: snapshot, 1.00 MiB, by torch 2.9", "device 0 of rank0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\033[2J", "\u202e", "\u200b", "\0"})
    void hostileTextsOfFindingsAreEscaped(String attack) {
        String escaped = Printable.of(attack);
        String harmless = "@".repeat(escaped.length());
        assertThat(everything(attack)).isEqualTo(everything(harmless).replace(harmless, escaped));
    }

    /** Advice may hold several lines of code, which all stand behind a sign. */
    @ParameterizedTest
    @ValueSource(strings = {"\r", "\n", "\r\n"})
    void noTextCanForgeALine(String lineBreak) {
        assertThat(everything(lineBreak + "no_leak   forged").lines())
                .noneMatch(line -> line.stripLeading().startsWith("no_leak   forged"));
    }

    /** The reports of all kinds of results, with a suffix to every text in them. */
    private static String everything(String suffix) {
        Results results = new Results(suffix);
        return Stream.of(results.leaking(), results.leakless(), results.findings(9))
                .map(result ->
                        TextReport.of(result, new TextReport.Options(15, true, true), new Style(140, false, true)))
                .collect(Collectors.joining());
    }

    private static String report(AnalysisResult result) {
        return TextReport.of(result, SITES, new Style(80, false, true));
    }

    @Test
    void colourChangesNothingButTheLook() throws IOException {
        AnalysisResult result = analyse(rich());
        for (AnalysisResult each : List.of(result, Results.leak(), Results.noLeak())) {
            String plain = TextReport.of(each, TREE, new Style(80, false, true));
            String coloured = TextReport.of(each, TREE, new Style(80, true, true));
            assertThat(coloured).contains("\033[1m", "\033[0m");
            assertThat(coloured.replaceAll("\033\\[\\d*m", "")).isEqualTo(plain);
        }
    }

    @Test
    void withoutUnicodeTheReportIsAscii() throws IOException {
        Style style = new Style(80, false, false);
        String text = TextReport.of(analyse(rich()), TREE, style)
                + TextReport.of(Results.leak(), TREE, style)
                + TextReport.of(Results.noLeak(), TREE, style);
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
        String letters = "x".repeat(escaped.length());
        String harmless = TextReport.of(analyse("file" + letters, named(letters)), all, new Style(80, false, true));
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
                .contains("840 MiB    62%  at 7 more sites (--top 9 shows all)")
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
        Snapshot snapshot = Snapshot.open(InputSource.of(name, new ByteArrayInputStream(file)));
        return Analysis.run(List.of(snapshot), Analysis.Options.ALL);
    }
}
