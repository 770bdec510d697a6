package dev.leakline.watch.screen;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.WatchEvent;
import dev.leakline.text.Numbers;
import dev.leakline.text.Printable;
import dev.leakline.watch.Overview;
import dev.leakline.watch.screen.ScreenState.Page;
import java.util.ArrayList;
import java.util.List;

/** Draws a screen: its lines are a function of what is watched, what the keys have chosen, and the size, of nothing else. */
final class Drawing {
    /** Title, head of the table, what is said of the selected process, keys. */
    private static final int AROUND_TABLE = 4;

    private static final String NAME = "leakline watch";
    /** Characters of a filter that fit the title. */
    private static final int LONGEST_FILTER = 12;

    private static final List<String> HELP = List.of(
            "  up, down, j, k   select a process; page up, page down, home, end",
            "  enter            open the page of the process; enter or escape closes it",
            "  d                look into what grows, by leakline attach: line and owner",
            "  s                sort by urgency, used, rate, name, PID",
            "  r                reverse the order",
            "  /                filter by name or number; escape removes the filter",
            "  p, space         pause the picture; the watch goes on",
            "  control L        draw again",
            "  ?                this help",
            "  q                quit",
            "",
            "  PER HOUR   how fast it grows, where it does",
            "  VERDICT    leak, fragmentation: it grows without end, the alert is firing",
            "             growing: this may still be a cache or a warm-up",
            "             resolved: the alert has ended",
            "             no leak: nothing grows without a ceiling",
            "             undetermined: it is too early to tell",
            "  FULL AT    when the memory is full if it goes on like this");

    private Drawing() {}

    /** How many processes a screen of so many lines shows. */
    static int processes(int rows) {
        return Math.max(rows - AROUND_TABLE, 1);
    }

    /** Exactly {@code rows} lines; the style says how wide. */
    static List<String> of(Overview overview, ScreenState state, Style style, int rows) {
        List<Overview.Row> shown = state.shown(overview);
        int selected = state.selected(shown);
        Overview.Row process = shown.isEmpty() ? null : shown.get(selected);
        List<String> lines = new ArrayList<>();
        lines.add(title(overview, state, style));
        if (state.page() == Page.HELP) {
            lines.addAll(HELP);
        } else if (state.page() == Page.PROCESS && process != null) {
            lines.add(style.bold("  PID " + process.pid() + " " + Words.name(process.now())));
            lines.addAll(ProcessPage.lines(process, style, rows - 3));
        } else {
            ProcessTable table = new ProcessTable(style);
            lines.add(table.header());
            lines.addAll(table.lines(shown, selected, processes(rows)));
        }
        return framed(lines, process == null ? "" : brief(process.now(), style), keys(state, style), state, rows);
    }

    private static List<String> framed(List<String> lines, String brief, String keys, ScreenState state, int rows) {
        List<String> framed = new ArrayList<>(lines.subList(0, Math.min(lines.size(), Math.max(rows - 1, 0))));
        while (framed.size() < rows - 1) {
            boolean isLast = framed.size() == rows - 2;
            framed.add(isLast && state.page() == Page.LIST ? brief : "");
        }
        framed.add(keys);
        return framed;
    }

    private static String title(Overview overview, ScreenState state, Style style) {
        long alive = overview.processes().stream().filter(p -> !p.isEnded()).count();
        long firing = overview.processes().stream()
                .filter(p -> !p.isEnded() && p.now().state() == WatchEvent.State.FIRING)
                .count();
        String counts = Numbers.grouped(alive)
                + (alive == 1 ? " process, " : " processes, ")
                + Numbers.counted(firing, "alert");
        String chosen = "; by " + state.order().word() + (state.isReversed() ? " reversed" : "")
                + (state.filter().isEmpty() ? "" : "; filter: " + Printable.of(state.filter(), LONGEST_FILTER));
        String right = (state.isPaused() ? "paused " : "") + Words.clock(overview.t());
        int gap = style.columns() - NAME.length() - 2 - counts.length() - chosen.length() - right.length();
        return style.bold(NAME) + "  " + (firing > 0 ? style.alarm(counts) : counts) + chosen
                + " ".repeat(Math.max(gap, 1)) + right;
    }

    /** The verdict of the selected process, as far as it fits. */
    private static String brief(WatchEvent now, Style style) {
        return style.faint(Labels.end("  " + Printable.of(now.reason()), style.columns(), style));
    }

    private static String keys(ScreenState state, Style style) {
        if (state.isTyping()) {
            return "/" + Printable.of(state.filter()) + "_";
        }
        String keys = state.page() == Page.LIST
                ? "enter: open  d: look into it  s: sort  /: filter  p: pause  ?: help  q: quit"
                : "enter: back  d: look into it  p: pause  ?: help  q: quit";
        return style.faint(Labels.end(keys, style.columns(), style));
    }
}
