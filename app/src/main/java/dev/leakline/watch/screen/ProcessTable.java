package dev.leakline.watch.screen;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.WatchEvent;
import dev.leakline.watch.Overview;
import dev.leakline.watch.ProcessMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The processes as a table that fills a width. */
final class ProcessTable {
    private static final int PID = 8;
    private static final int GPU = 4;
    private static final int BYTES = 8;
    private static final int VERDICT = 13;
    private static final int FULL = 11;
    private static final int MARK = 2;
    private static final int GAPS = 7;
    private static final int LEAST_NAME = 10;
    private static final int LEAST_HISTORY = 8;

    private final Style style;
    private final int name;
    private final int history;

    /** A table as wide as the style says; what has room to spare are names and histories, one third and two. */
    ProcessTable(Style style) {
        this.style = style;
        int spare = style.columns() - MARK - PID - GPU - 2 * BYTES - VERDICT - FULL - GAPS;
        this.name = Math.max(spare / 3, Math.min(LEAST_NAME, spare));
        this.history = Math.max(spare - name, LEAST_HISTORY);
    }

    String header() {
        return style.bold("  " + right("PID", PID) + " " + padded("NAME", name) + " " + right("GPU", GPU) + " "
                + right("USED", BYTES) + " " + padded("HISTORY", history) + " " + right("PER HOUR", BYTES) + " "
                + padded("VERDICT", VERDICT) + " " + right("FULL AT", FULL));
    }

    /** As many lines of the processes as fit, the selected one among them. */
    List<String> lines(List<Overview.Row> shown, int selected, int height) {
        int first = Math.clamp(selected - height / 2, 0, Math.max(shown.size() - height, 0));
        List<String> lines = new ArrayList<>();
        for (int i = first; i < Math.min(first + height, shown.size()); i++) {
            lines.add(line(shown.get(i), i == selected));
        }
        return lines;
    }

    private String line(Overview.Row process, boolean isSelected) {
        WatchEvent now = process.now();
        String left = (isSelected ? "> " : "  ") + right(String.valueOf(process.pid()), PID) + " "
                + padded(Words.name(now), name) + " " + right(Words.devices(process, GPU), GPU) + " "
                + memory(process.memory()) + " " + right(Words.rate(now), BYTES) + " ";
        String verdict = Words.paint(padded(Words.verdict(now), VERDICT), now, style);
        String right = " " + right(Words.full(process), FULL);
        return emphasised(left, process, isSelected) + verdict + emphasised(right, process, isSelected);
    }

    private String memory(@Nullable ProcessMemory memory) {
        return memory == null
                ? " ".repeat(BYTES + 1 + history)
                : right(Words.bytes(memory.used()), BYTES) + " " + Words.sparkline(memory.history(), history, style);
    }

    private String emphasised(String text, Overview.Row process, boolean isSelected) {
        return process.isEnded() ? style.faint(text) : isSelected ? style.bold(text) : text;
    }

    private String padded(String text, int width) {
        String cut = Labels.end(text, width, style);
        return cut + " ".repeat(Math.max(width - cut.length(), 0));
    }

    private static String right(String text, int width) {
        return " ".repeat(Math.max(width - text.length(), 0)) + text;
    }
}
