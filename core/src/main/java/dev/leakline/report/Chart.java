package dev.leakline.report;

import dev.leakline.primitive.ByteSize;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.TimelinePoint;
import java.util.ArrayList;
import java.util.List;

/** Live bytes as columns and reserved bytes as a line above them, over time where the recording has times, else over events. */
final class Chart {
    private static final int ROWS = 7;
    private static final int AXIS = 11;
    private static final String EIGHTHS = " ▁▂▃▄▅▆▇█";

    private final DeviceResult device;
    private final Style style;
    private final int width;
    private final long[] live;
    private final long[] reserved;
    private final long from;
    private final long to;

    Chart(DeviceResult device, Style style) {
        this.device = device;
        this.style = style;
        this.width = style.columns() - AXIS - 3;
        this.live = new long[width];
        this.reserved = new long[width];
        List<TimelinePoint> points = device.timeline();
        this.from = points.isEmpty() ? 0 : position(points.getFirst());
        this.to = points.isEmpty() ? 0 : position(points.getLast());
        fill(points);
    }

    /** The lines of the chart, none where there is nothing to draw. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (to <= from || device.peak().bytes() <= 0) {
            return lines;
        }
        long highest = highest();
        for (int row = ROWS - 1; row >= 0; row--) {
            String label = row == ROWS - 1 ? ByteSize.format(highest) : row == 0 ? "0 B" : "";
            lines.add(String.format("  %" + (AXIS - 2) + "s ", label) + style.faint(bar()) + cells(row, highest));
        }
        lines.add(" ".repeat(AXIS + 2) + peakMark());
        return lines;
    }

    private long position(TimelinePoint point) {
        return device.coverage().hasTimes() ? point.timeMicros() : point.event();
    }

    private int column(long position) {
        return (int) Math.clamp((position - from) * (double) width / Math.max(to - from, 1), 0, width - 1);
    }

    /** Each column shows the most of the points in it; one without points goes on as the last one ended. */
    private void fill(List<TimelinePoint> points) {
        int last = -1;
        for (TimelinePoint point : points) {
            int column = column(position(point));
            for (int gap = last + 1; gap < column; gap++) {
                live[gap] = last < 0 ? 0 : live[last];
                reserved[gap] = last < 0 ? 0 : reserved[last];
            }
            live[column] = Math.max(live[column], point.liveBytes());
            reserved[column] = Math.max(reserved[column], point.reservedBytes());
            last = column;
        }
    }

    private long highest() {
        long highest = 1;
        for (int column = 0; column < width; column++) {
            highest = Math.max(highest, Math.max(live[column], reserved[column]));
        }
        return highest;
    }

    private String cells(int row, long highest) {
        StringBuilder filled = new StringBuilder();
        for (int column = 0; column < width; column++) {
            filled.append(cell(row, level(live[column], highest), level(reserved[column], highest)));
        }
        return style.accent(filled.toString().stripTrailing());
    }

    /** A height in eighths of a row. */
    private static int level(long bytes, long highest) {
        return (int) Math.round((double) bytes / highest * ROWS * 8);
    }

    private char cell(int row, int liveLevel, int reservedLevel) {
        int inRow = Math.clamp(liveLevel - row * 8L, 0, 8);
        if (inRow > 0) {
            return style.isUnicode() ? EIGHTHS.charAt(inRow) : inRow >= 4 ? '#' : '.';
        }
        boolean isReservedHere = reservedLevel > 0 && (reservedLevel - 1) / 8 == row;
        return !isReservedHere ? ' ' : style.isUnicode() ? '─' : '-';
    }

    private String bar() {
        return style.isUnicode() ? "│" : "|";
    }

    private String peakMark() {
        long position = device.coverage().hasTimes()
                ? device.peak().timeMicros()
                : device.peak().event();
        int column = device.peak().event() < 0 ? 0 : column(position);
        String what = (style.isUnicode() ? "▲ " : "^ ") + "peak";
        String mark = column + what.length() <= width
                ? " ".repeat(column) + what
                : " ".repeat(column - 5) + "peak " + what.charAt(0);
        String end = device.coverage().hasTimes() ? "+" + Labels.span(to - from) : "event " + Labels.count(to);
        int gap = width - mark.length() - end.length();
        return gap > 1 ? mark + " ".repeat(gap) + style.faint(end) : mark;
    }
}
