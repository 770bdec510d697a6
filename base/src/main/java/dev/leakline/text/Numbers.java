package dev.leakline.text;

import java.util.Locale;

/** Formats numbers for people. */
public final class Numbers {
    /** From this share on, tenths of a percent tell nobody anything. */
    private static final double COARSE = 0.0995;
    /** From here on they do again: what is nearly all is not all. */
    private static final double NEARLY_ALL = 0.995;

    private static final long MICROS_PER_MILLI = 1_000;
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_MINUTE = 60 * MICROS_PER_SECOND;
    private static final long MICROS_PER_HOUR = 60 * MICROS_PER_MINUTE;
    private static final long MICROS_PER_DAY = 24 * MICROS_PER_HOUR;

    private Numbers() {}

    /** A number with its thousands apart, such as {@code 12,000}. */
    public static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** A number that is an estimate, to two digits. */
    public static long rough(double number) {
        double digit = Math.pow(10, Math.max(0, Math.floor(Math.log10(Math.max(number, 1))) - 1));
        return Math.round(number / digit) * (long) digit;
    }

    /** A number and its noun, in the plural where it needs to be. */
    public static String counted(long number, String noun) {
        return grouped(number) + " " + noun + (number == 1 ? "" : "s");
    }

    /** Bytes in a number of things, such as {@code 1.00 GiB in 12 blocks}. */
    public static String amount(long bytes, long count, String noun) {
        return ByteSize.format(bytes) + " in " + counted(count, noun);
    }

    /** A share in percent: {@code 97%}, below a tenth {@code 9.7%}; what is less than all is at most {@code 99.9%}. */
    public static String percent(double share) {
        double size = Math.abs(share);
        if (size > NEARLY_ALL && size < 1) {
            return String.format(Locale.ROOT, "%.1f%%", Math.floor(size * 1000) / 10 * Math.signum(share));
        }
        return String.format(Locale.ROOT, size < COARSE ? "%.1f%%" : "%.0f%%", share * 100);
    }

    /** The change of a value in percent of the old one, with its sign. */
    public static String change(long was, long is) {
        double share = (double) (is - was) / was;
        return (share < 0 ? "" : "+") + percent(share);
    }

    /** A span of time with its unit, such as {@code 3.25 s}. */
    public static String span(long micros) {
        if (micros < MICROS_PER_MILLI) {
            return micros + " us";
        }
        if (micros < MICROS_PER_SECOND) {
            return decimal(micros, MICROS_PER_MILLI, "ms");
        }
        if (micros < 2 * MICROS_PER_MINUTE) {
            return decimal(micros, MICROS_PER_SECOND, "s");
        }
        if (micros < 2 * MICROS_PER_HOUR) {
            return decimal(micros, MICROS_PER_MINUTE, "min");
        }
        return micros < 2 * MICROS_PER_DAY
                ? decimal(micros, MICROS_PER_HOUR, "h")
                : decimal(micros, MICROS_PER_DAY, "d");
    }

    /** A span of time that is an estimate, to two digits, such as {@code 9.9 min}. */
    public static String roughSpan(long micros) {
        String[] exact = span(micros).split(" ", 2);
        double value = Double.parseDouble(exact[0]);
        return (value < 10 ? String.format(Locale.ROOT, "%.1f", value).replace(".0", "") : grouped(rough(value))) + " "
                + exact[1];
    }

    private static String decimal(long value, long unit, String name) {
        return String.format(Locale.ROOT, "%.2f %s", (double) value / unit, name);
    }
}
