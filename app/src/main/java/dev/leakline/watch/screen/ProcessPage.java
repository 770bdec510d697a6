package dev.leakline.watch.screen;

import dev.leakline.report.terminal.Chart;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.Cause;
import dev.leakline.result.WatchEvent.FullAt;
import dev.leakline.watch.MemoryHistory;
import dev.leakline.watch.Overview;
import dev.leakline.watch.ProcessMemory;
import java.util.ArrayList;
import java.util.List;

/** All about one process: what is thought of it, and a chart of each of its memories as far as there is room. */
final class ProcessPage {
    private static final double MILLIS = 1000;
    /** The line above a chart, its foot, and an empty line. */
    private static final int AROUND = 3;

    private static final int LEAST_CHART = 3;
    private static final int MOST_CHART = 12;
    private static final int LABEL = 10;

    private ProcessPage() {}

    /** At most so many lines. */
    static List<String> lines(Overview.Row process, Style style, int height) {
        List<String> lines = new ArrayList<>(facts(process, style));
        lines.add("");
        List<ProcessMemory> memories = process.memories();
        int room = height - lines.size();
        int charts = Math.max(Math.min(memories.size(), (room - memories.size()) / (AROUND - 1 + LEAST_CHART)), 0);
        int rows = charts == 0 ? 0 : (room - (memories.size() - charts)) / charts - AROUND;
        for (int i = 0; i < memories.size(); i++) {
            ProcessMemory memory = memories.get(i);
            lines.add("  " + style.bold(memory.title()) + ": " + memory.figures());
            if (i < charts) {
                lines.addAll(chart(memory, process.now(), Math.clamp(rows, LEAST_CHART, MOST_CHART), style));
                lines.add("");
            }
        }
        return lines.subList(0, Math.min(lines.size(), height));
    }

    private static List<String> facts(Overview.Row process, Style style) {
        WatchEvent now = process.now();
        List<String> facts = new ArrayList<>();
        String ended = process.isEnded() ? ", ended at " + Words.clock(now.t()) : "";
        facts.add(fact("verdict", style.bold(Words.paint(Words.verdict(now), now, style)) + ended));
        if (!Double.isNaN(now.bytesPerHour())) {
            String since = Double.isNaN(now.since()) ? "" : " since " + Words.time(now.since(), now.t());
            facts.add(fact("growth", Words.rate(now) + " per hour" + since));
        }
        FullAt full = now.fullAt();
        if (full != null) {
            facts.add(fact("full at", full(full, now.t())));
        }
        for (String line : wrapped(now.reason(), style.columns() - LABEL - 2)) {
            facts.add(fact(facts.getLast().startsWith("  reason") || line.isEmpty() ? "" : "reason", line));
        }
        Cause cause = now.cause();
        if (cause != null) {
            for (String line : wrapped(cause.sentence(), style.columns() - LABEL - 2)) {
                facts.add(
                        fact(line.equals(cause.sentence()) || cause.sentence().startsWith(line) ? "cause" : "", line));
            }
        }
        return facts;
    }

    private static String full(FullAt full, double now) {
        return Words.time(full.estimate(), now) + " (" + Words.time(full.low(), now) + " to "
                + Words.time(full.high(), now) + ")";
    }

    private static String fact(String label, String value) {
        return "  " + label + " ".repeat(LABEL - label.length()) + value;
    }

    /** A text in lines of at most so many characters, broken between words. */
    private static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.isBlank() ? new String[0] : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        if (!line.isEmpty()) {
            lines.add(line.toString());
        }
        return lines;
    }

    private static List<String> chart(ProcessMemory memory, WatchEvent now, int rows, Style style) {
        MemoryHistory history = memory.history();
        List<Chart.Point> points = new ArrayList<>();
        for (int i = 0; i < history.size(); i++) {
            points.add(new Chart.Point((long) (history.time(i) * MILLIS), history.bytes(i), 0));
        }
        double first = history.time(0);
        String end = Words.time(history.time(history.size() - 1), now.t());
        return Chart.of(points, rows, new Chart.Foot((long) (first * MILLIS), Words.time(first, now.t()), end), style);
    }
}
