package dev.leakline.report.diff;

import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.TimelinePoint;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Live bytes of a device over its recording's events, drawn without a script. */
final class MemoryChart {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 180;
    /** Room for sizes, for the name of a peak above the highest, and for the events. */
    private static final int LEFT = 62;

    private static final int TOP = 20;
    private static final int BOTTOM = HEIGHT - 20;
    private static final int RIGHT = WIDTH - 6;
    /** Lines across the chart, at most; more are in the way of what they measure. */
    private static final int GRID = 4;

    private final DeviceResult device;
    private final long top;
    private final StringBuilder svg = new StringBuilder();

    /** A chart whose upper edge is {@code top} bytes. */
    MemoryChart(DeviceResult device, long top) {
        this.device = device;
        this.top = top;
    }

    /** The most that a chart of a device has to show, 0 where there is none. */
    static long top(@Nullable DeviceResult device) {
        return device == null
                ? 0
                : device.timeline().stream()
                        .mapToLong(TimelinePoint::bytes)
                        .reduce(device.peak().bytes(), Math::max);
    }

    /** The peak, and where in the recording it was. */
    static String caption(DeviceResult device) {
        int event = device.peak().event();
        String where = event == DeviceResult.BEFORE
                ? "before the first event"
                : "at event " + Numbers.grouped(event) + " of " + Numbers.grouped(device.events());
        return ByteSize.format(device.peak().bytes()) + " live at the peak, " + where;
    }

    /** The chart, empty where nothing was live or the report carries no course; {@code reference} is the peak that it is compared with. */
    String svg(String side, long reference) {
        if (top == 0 || device.timeline().isEmpty()) {
            return "";
        }
        svg.append("<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %d %d\" aria-label=\"%s: %s\">\n"
                .formatted(WIDTH, HEIGHT, side, caption(device)));
        grid();
        course();
        if (reference > 0 && reference != device.peak().bytes()) {
            reference(reference);
        }
        peak();
        return svg.append("</svg>\n").toString();
    }

    private void grid() {
        long step = Long.highestOneBit(Math.ceilDiv(top, GRID) * 2 - 1);
        for (long bytes = 0; bytes <= top; bytes += step) {
            line("grid", bytes);
            text("axis", "end", LEFT - 6, y(bytes) + 4, bytes == 0 ? "0" : ByteSize.format(bytes));
        }
        text("axis", "start", LEFT, HEIGHT - 4, "0");
        text("axis", "end", RIGHT, HEIGHT - 4, Numbers.counted(device.events(), "event"));
    }

    private void course() {
        svg.append("<path class=\"live\" d=\"M%d %d".formatted(LEFT, BOTTOM));
        for (TimelinePoint point : device.timeline()) {
            svg.append(String.format(Locale.ROOT, "H%.1fV%.1f", x(point.event()), y(point.bytes())));
        }
        svg.append("H%dV%dH%dZ\"/>\n".formatted(RIGHT, BOTTOM, LEFT));
    }

    private void reference(long bytes) {
        line("reference", bytes);
        text("label", "start", LEFT + 6, y(bytes) - 5, "before: " + ByteSize.format(bytes));
    }

    private void peak() {
        double x = x(device.peak().event());
        double y = y(device.peak().bytes());
        svg.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>\n", x, y));
        boolean isRight = x > (LEFT + RIGHT) / 2.0;
        text(
                "label",
                isRight ? "end" : "start",
                x,
                y - 7,
                ByteSize.format(device.peak().bytes()));
    }

    private void line(String name, long bytes) {
        svg.append(String.format(Locale.ROOT, "<path class=\"%s\" d=\"M%d %.1fH%d\"/>\n", name, LEFT, y(bytes), RIGHT));
    }

    private void text(String name, String anchor, double x, double y, String text) {
        svg.append("<text class=\"%s\" text-anchor=\"%s\"".formatted(name, anchor));
        svg.append(String.format(Locale.ROOT, " x=\"%.1f\" y=\"%.1f\">%s</text>\n", x, y, text));
    }

    private double x(int event) {
        double share = (double) Math.max(event, 0) / Math.max(device.events(), 1);
        return LEFT + (RIGHT - LEFT) * share;
    }

    private double y(long bytes) {
        return BOTTOM - (BOTTOM - TOP) * (double) bytes / top;
    }
}
