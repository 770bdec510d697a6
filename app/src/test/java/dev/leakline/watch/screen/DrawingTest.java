package dev.leakline.watch.screen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.report.terminal.Style;
import dev.leakline.watch.Overview;
import dev.leakline.watch.WatchSamples;
import dev.leakline.watch.screen.ScreenState.Page;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class DrawingTest {
    private static final Pattern COLOR = Pattern.compile("\u001b\\[\\d+m");
    private static final Style PLAIN = new Style(80, false, true);
    private static Overview overview;

    @BeforeAll
    static void watch() throws IOException {
        overview = WatchSamples.overview();
    }

    @Test
    void everySizeIsFilledAndNoLineIsWider() {
        for (int columns : new int[] {40, 66, 80, 100, 140}) {
            for (int rows : new int[] {3, 8, 24, 60}) {
                for (String keys : List.of("", "\r", "?", "/ser")) {
                    List<String> lines = Drawing.of(overview, press(keys), new Style(columns, true, true), rows);
                    assertThat(lines)
                            .as("%s x %s after %s", columns, rows, keys)
                            .hasSize(rows);
                    if (columns >= 80) {
                        assertThat(lines)
                                .allSatisfy(
                                        line -> assertThat(COLOR.matcher(line).replaceAll(""))
                                                .hasSizeLessThanOrEqualTo(columns));
                    }
                }
            }
        }
    }

    @Test
    void whatIsUrgentComesFirstAndWhatEndedLast() {
        assertThat(pids(press(""))).startsWith(4242L).endsWith(31L).hasSize(5);
        String first = Drawing.of(overview, press(""), PLAIN, 24).get(2);
        assertThat(first).startsWith(">     4242 train.py").contains("leak").contains("GiB");
        assertThat(Drawing.of(overview, press(""), PLAIN, 24).get(6))
                .contains("nightly")
                .endsWith("ended");
    }

    @Test
    void keysSortReverseFilterAndSelect() {
        assertThat(pids(press("s"))).containsExactly(4242L, 777L, 99L, 1313L, 31L);
        assertThat(pids(press("ssss"))).containsExactly(99L, 777L, 1313L, 4242L, 31L);
        assertThat(pids(press("ssssr"))).containsExactly(4242L, 1313L, 777L, 99L, 31L);
        assertThat(pids(press("/EV\r"))).containsExactly(1313L);
        assertThat(pids(press("/EV\r\u007f"))).hasSize(5);
        ScreenState selected = press("ssssjj");
        assertThat(selected.pid()).isEqualTo(1313);
        assertThat(selected.press(key("\u001b[H"), selected.shown(overview), 20).pid())
                .isEqualTo(99);
        assertThat(press("ssss\u001b[6~\r").pid()).isEqualTo(31);
    }

    @Test
    void aSelectionStaysWithItsProcess() {
        ScreenState selected = press("ssssjj");
        ScreenState resorted = selected.press(key("r"), selected.shown(overview), 20);
        assertThat(resorted.shown(overview)
                        .get(resorted.selected(resorted.shown(overview)))
                        .pid())
                .isEqualTo(1313);
    }

    @Test
    void aPageShowsTheForecastAndBothMemories() {
        List<String> lines = Drawing.of(overview, press("\r"), PLAIN, 24);
        assertThat(String.join("\n", lines))
                .contains("PID 4242 train.py")
                .containsPattern("growth +1\\d\\.\\d GiB per hour since \\d\\d:\\d\\d")
                .containsPattern("full at +\\d\\d:\\d\\d \\(\\d\\d:\\d\\d to \\d\\d:\\d\\d\\)")
                .contains("GPU 0: ")
                .contains("reserved")
                .contains("Host: 2.00 GiB resident of 64.0 GiB")
                .contains("█");
    }

    @Test
    void aSelectedProcessIsOnTheScreenHoweverFewLinesItHas() {
        ScreenState last = press("ssss\u001b[F");
        assertThat(Drawing.of(overview, last, PLAIN, 6))
                .anySatisfy(line -> assertThat(line).startsWith("> "));
    }

    @Test
    void nothingIsColouredOrDrawnWhereThatIsNotWanted() {
        for (String keys : List.of("", "\r", "?")) {
            String screen = String.join("\n", Drawing.of(overview, press(keys), new Style(80, false, false), 24));
            assertThat(screen).matches("(?s)[\\x20-\\x7e\\n]*");
        }
        assertThat(String.join("", Drawing.of(overview, press(""), new Style(80, true, true), 24)))
                .contains("\u001b[31m")
                .doesNotContain("cache\u001b");
    }

    @Test
    void anEmptyOverviewIsAScreenToo() {
        for (Page page : Page.values()) {
            ScreenState state = new ScreenState(page, -1, SortOrder.URGENCY, false, "", false, true, false);
            assertThat(Drawing.of(Overview.EMPTY, state, PLAIN, 24))
                    .hasSize(24)
                    .first()
                    .asString()
                    .contains("paused");
        }
        assertThat(press("").press(key("\r"), List.of(), 20).pid()).isEqualTo(-1);
    }

    @Test
    void qQuitsAndIsALetterInAFilter() {
        assertThat(press("q").isQuit()).isTrue();
        assertThat(press("/q").isQuit()).isFalse();
        assertThat(press("/q").filter()).isEqualTo("q");
    }

    @Test
    void dLooksIntoTheSelectedProcessAndIsALetterInAFilter() {
        assertThat(press("").isDeep(key("d"))).isTrue();
        assertThat(press("\r").isDeep(key("d"))).isTrue();
        assertThat(press("/").isDeep(key("d"))).isFalse();
        assertThat(press("?").isDeep(key("d"))).isFalse();
        assertThat(press("/d").filter()).isEqualTo("d");
    }

    @Test
    void keysOfAllTerminalsAreKnownAndOthersPassedOver() {
        assertThat(key("\u001bOA")).isEqualTo(Key.of(Key.Kind.UP));
        assertThat(key("\u001b[B")).isEqualTo(Key.of(Key.Kind.DOWN));
        assertThat(key("\u001b[4~")).isEqualTo(Key.of(Key.Kind.END));
        assertThat(key("\u001b")).isEqualTo(Key.of(Key.Kind.ESCAPE));
        assertThat(key("\u001b[15~\u001b[200;5Hx")).isEqualTo(new Key(Key.Kind.CHARACTER, 'x'));
        assertThat(key("\u0001\u0002")).isNull();
    }

    private static List<Long> pids(ScreenState state) {
        return state.shown(overview).stream().map(Overview.Row::pid).toList();
    }

    /** The state after somebody has typed. */
    private static ScreenState press(String typed) {
        Key.Input input = input(typed);
        ScreenState state = ScreenState.FIRST;
        try {
            for (Key key; (key = Key.read(input)) != null; ) {
                state = state.press(key, state.shown(overview), 20);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return state;
    }

    private static Key key(String typed) {
        try {
            return Key.read(input(typed));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Key.Input input(String typed) {
        Deque<Integer> characters = new ArrayDeque<>(typed.chars().boxed().toList());
        return millis -> !characters.isEmpty() ? characters.remove() : millis == 0 ? Key.Input.END : Key.Input.NONE;
    }
}
