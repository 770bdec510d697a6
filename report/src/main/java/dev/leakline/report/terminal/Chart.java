package dev.leakline.report.terminal;

import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;

/** Bytes as columns, and other bytes as a line above them, over whatever goes from left to right. */
public final class Chart {
    /**
     * A moment.
     *
     * @param position where it stands, from left to right
     * @param filled bytes drawn as a column
     * @param line bytes drawn as a line, 0 for none
     */
    public record Point(long position, long filled, long line) {}

    /**
     * The labels beneath a chart.
     *
     * @param position what to point at
     * @param mark what that is
     * @param end what the right end is
     */
    public record Foot(long position, String mark, String end) {}

    private static final int AXIS = 11;
    private static final String EIGHTHS = " ▁▂▃▄▅▆▇█";

    private final Style style;
    private final int rows;
    private final int width;
    private final long[] filled;
    private final long[] line;
    private final long from;
    private final long to;

    private Chart(List<Point> points, int rows, int width, Style style) {
        this.style = style;
        this.rows = rows;
        this.width = width;
        this.filled = new long[width];
        this.line = new long[width];
        this.from = points.isEmpty() ? 0 : points.getFirst().position();
        this.to = points.isEmpty() ? 0 : points.getLast().position();
        fill(points);
    }

    /** The lines of a chart of points in order, {@code rows} high; none where there is nothing to draw. */
    public static List<String> of(List<Point> points, int rows, Foot foot, Style style) {
        Chart chart = new Chart(points, rows, style.columns() - AXIS - 3, style);
        long highest = chart.highest();
        return chart.to <= chart.from || highest <= 0 ? List.of() : chart.lines(highest, foot);
    }

    /** One row of columns, {@code width} wide; empty where there is nothing to draw. */
    public static String row(List<Point> points, int width, Style style) {
        Chart chart = new Chart(points, 1, width, style);
        long highest = chart.highest();
        return chart.to <= chart.from || highest <= 0 ? "" : chart.cells(0, highest);
    }

    private List<String> lines(long highest, Foot foot) {
        List<String> lines = new ArrayList<>();
        for (int row = rows - 1; row >= 0; row--) {
            String label = row == rows - 1 ? ByteSize.format(highest) : row == 0 ? "0 B" : "";
            lines.add(String.format("  %" + (AXIS - 2) + "s ", label) + style.faint(bar()) + cells(row, highest));
        }
        lines.add(" ".repeat(AXIS + 2) + foot(foot));
        return lines;
    }

    private int column(long position) {
        return (int) Math.clamp((position - from) * (double) width / Math.max(to - from, 1), 0, width - 1);
    }

    /** Each column shows the most of the points in it; one without points goes on as the last one ended. */
    private void fill(List<Point> points) {
        int last = -1;
        for (Point point : points) {
            int column = column(point.position());
            for (int gap = last + 1; gap < column; gap++) {
                filled[gap] = last < 0 ? 0 : filled[last];
                line[gap] = last < 0 ? 0 : line[last];
            }
            filled[column] = Math.max(filled[column], point.filled());
            line[column] = Math.max(line[column], point.line());
            last = column;
        }
    }

    private long highest() {
        long highest = 0;
        for (int column = 0; column < width; column++) {
            highest = Math.max(highest, Math.max(filled[column], line[column]));
        }
        return highest;
    }

    private String cells(int row, long highest) {
        StringBuilder cells = new StringBuilder();
        for (int column = 0; column < width; column++) {
            cells.append(cell(row, level(filled[column], highest), level(line[column], highest)));
        }
        return style.accent(cells.toString().stripTrailing());
    }

    /** A height in eighths of a row. */
    private int level(long bytes, long highest) {
        return (int) Math.round((double) bytes / highest * rows * 8);
    }

    private char cell(int row, int filledLevel, int lineLevel) {
        int inRow = Math.clamp(filledLevel - row * 8L, 0, 8);
        if (inRow > 0) {
            return style.isUnicode() ? EIGHTHS.charAt(inRow) : inRow >= 4 ? '#' : '.';
        }
        boolean isLineHere = lineLevel > 0 && (lineLevel - 1) / 8 == row;
        return !isLineHere ? ' ' : style.isUnicode() ? '─' : '-';
    }

    private String bar() {
        return style.isUnicode() ? "│" : "|";
    }

    private String foot(Foot foot) {
        String mark = mark(column(foot.position()), foot.mark());
        int gap = width - mark.length() - foot.end().length();
        return gap > 1 ? mark + " ".repeat(gap) + style.faint(foot.end()) : mark;
    }

    /** An arrow with its text on whichever side there is room, or on none. */
    private String mark(int column, String text) {
        String arrow = style.isUnicode() ? "▲" : "^";
        if (column + arrow.length() + 1 + text.length() <= width) {
            return " ".repeat(column) + arrow + " " + text;
        }
        int before = column - text.length() - 1;
        return before < 0 ? " ".repeat(column) + arrow : " ".repeat(before) + text + " " + arrow;
    }
}
