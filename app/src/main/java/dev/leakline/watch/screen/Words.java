package dev.leakline.watch.screen;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WatchEvent.FullAt;
import dev.leakline.result.WatchEvent.State;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Printable;
import dev.leakline.watch.MemoryHistory;
import dev.leakline.watch.Overview;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The values of a process as they are written on a screen. */
public final class Words {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("MM-dd HH:mm", Locale.ROOT);
    private static final DateTimeFormatter YEAR = DateTimeFormatter.ofPattern("yyyy-MM-dd", Locale.ROOT);
    /** A month and a day that are further away are of another year. */
    private static final double YEAR_SECONDS = 300.0 * 24 * 3600;
    /** A clock time that is further away is of another day. */
    private static final double DAY_SECONDS = 20.0 * 3600;

    private static final String EIGHTHS = "▁▂▃▄▅▆▇█";
    private static final String ASCII = "_.:-=+*#";

    private Words() {}

    static String clock(double seconds) {
        return CLOCK.format(WatchEvent.at(seconds));
    }

    /** A time as seen from another: with its date where that is needed to tell it. */
    static String time(double seconds, double from) {
        double distance = Math.abs(seconds - from);
        DateTimeFormatter format = distance < DAY_SECONDS ? MINUTE : distance < YEAR_SECONDS ? DAY : YEAR;
        return format.format(WatchEvent.at(seconds));
    }

    /** The name of a process, printable; empty where it has none. */
    public static String name(WatchEvent event) {
        return event.name() == null ? "" : Printable.of(event.name());
    }

    /** A size; empty where it is not known. */
    public static String bytes(long bytes) {
        return bytes < 0 ? "" : ByteSize.format(bytes);
    }

    /** The growth in an hour; empty where it is not known. */
    public static String rate(WatchEvent event) {
        return Double.isNaN(event.bytesPerHour()) ? "" : ByteSize.format(event.bytesPerHour());
    }

    /** The state of a process in a word or two. */
    public static String verdict(WatchEvent event) {
        return event.state() == State.GROWING || event.state() == State.RESOLVED
                ? Labels.words(event.state())
                : Labels.words(event.verdict());
    }

    /** Returns whether somebody should look. */
    public static boolean isAlarm(WatchEvent event) {
        return event.state() == State.FIRING;
    }

    /** A text in the colour of a state. */
    static String paint(String text, WatchEvent event, Style style) {
        return switch (event.state()) {
            case FIRING -> style.alarm(text);
            case GROWING, RESOLVED -> style.warning(text);
            case OK -> event.verdict() == WatchEvent.Verdict.NO_LEAK ? style.good(text) : text;
        };
    }

    /** When its memory is full, or that it has ended; empty where neither is known. */
    public static String full(Overview.Row process) {
        FullAt full = process.now().fullAt();
        return process.isEnded()
                ? "ended"
                : full == null ? "" : time(full.estimate(), process.now().t());
    }

    /** The GPUs of a process: their numbers, or how many where that is too long. */
    static String devices(Overview.Row process, int width) {
        List<String> devices = process.memories().stream()
                .filter(memory -> !memory.isHost())
                .map(memory -> String.valueOf(memory.device()))
                .toList();
        String numbers = devices.stream().collect(Collectors.joining(","));
        return devices.isEmpty() ? "host" : numbers.length() <= width ? numbers : devices.size() + "x";
    }

    /** A history in one line of text, from its first point to its last; each character shows the highest of its points. */
    static String sparkline(MemoryHistory history, int width, Style style) {
        long[] highest = new long[width];
        long most = history.most();
        double range = history.range();
        double from = history.time(0);
        double span = Math.max(history.time(history.size() - 1) - from, Double.MIN_NORMAL);
        for (int i = 0; i < history.size(); i++) {
            int column = (int) Math.clamp((history.time(i) - from) / span * width, 0, width - 1);
            highest[column] = Math.max(highest[column], history.bytes(i));
        }
        StringBuilder line = new StringBuilder();
        long last = highest[0];
        for (long bytes : highest) {
            last = bytes == 0 ? last : bytes;
            double share = range == 0 ? 0 : 1 - (most - last) / range;
            line.append((style.isUnicode() ? EIGHTHS : ASCII).charAt((int) Math.clamp(share * 8, 0, 7)));
        }
        return line.toString();
    }
}
