package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries.Axis;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Moments as logs and monitors write them. Where none names its zone, UTC stands in for it, as only distances count; where none names its year, it
 * is a time since an unknown beginning; where none has a date, one since midnight.
 *
 * @param micros Unix microseconds, or microseconds since the unknown beginning
 * @param axis {@link Axis#TIME} or {@link Axis#ELAPSED}
 * @param isClock whether there is no date, so that a day begins anew at zero
 * @param end where the moment ends in the text
 */
record TimeText(double micros, Axis axis, boolean isClock, int end) {
    /** Characters in which a moment is looked for: names of loggers may stand before, and no text of a message. */
    static final int MOST = 64;

    private static final double MICROS = 1e6;
    private static final List<String> MONTHS =
            List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

    private static final Pattern FORM = Pattern.compile(
            "(?:(?:(?<year>\\d{4})(?:[-/.](?<month>\\d{1,2})[-/.](?<day>\\d{1,2})|(?<month8>\\d\\d)(?<day8>\\d\\d))"
                    + "|(?<first>\\d{1,2})(?<mark>[-/.])(?<second>\\d{1,2})[-/.](?<lastYear>\\d{4})"
                    + "|(?<name>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\\s+(?<dayOfName>\\d{1,2})"
                    + "|(?<shortMonth>\\d\\d)[-/]?(?<shortDay>\\d\\d))(?:T|[ ,_-]{1,9})|(?<![\\w.:/-] |[\\w.:/-]))"
                    + "(?<hour>\\d{1,2}):(?<minute>\\d\\d):(?<seconds>\\d\\d)(?:[.,](?<part>\\d{1,9}))?"
                    + "(?:\\s+(?<ctimeYear>\\d{4})\\b|\\s?(?<zone>Z|[+-]\\d\\d:?\\d\\d))?");

    /** A leap year, so that every date exists in it. */
    private static final int NO_YEAR = 1972;

    /** The first moment near the beginning of a text, null where there is none. */
    static @Nullable TimeText find(CharSequence text) {
        Matcher form = FORM.matcher(text.subSequence(0, Math.min(text.length(), MOST)));
        return form.find() ? of(form) : null;
    }

    /** A number as a moment: Unix seconds, milli-, micro- or nanoseconds by its size; less than the seconds of 1973 are seconds since a beginning. */
    static @Nullable TimeText of(double number) {
        if (!(number >= 0) || number > Long.MAX_VALUE) {
            return null;
        }
        if (number < 1e8) {
            return new TimeText(Math.rint(number * MICROS), Axis.ELAPSED, false, 0);
        }
        double micros = number >= 1e17
                ? number / 1e3
                : number >= 1e14 ? number : number >= 1e11 ? number * 1e3 : number * MICROS;
        return new TimeText(Math.rint(micros), Axis.TIME, false, 0);
    }

    private static @Nullable TimeText of(Matcher form) {
        try {
            LocalDateTime moment = LocalDateTime.of(
                    year(form),
                    month(form),
                    day(form),
                    number(form, "hour"),
                    number(form, "minute"),
                    number(form, "seconds"));
            double seconds = moment.toEpochSecond(zone(form.group("zone"))) + part(form.group("part"));
            boolean hasYear = year(form) != NO_YEAR;
            double from = hasYear ? 0 : LocalDateTime.of(NO_YEAR, 1, 1, 0, 0).toEpochSecond(ZoneOffset.UTC);
            return new TimeText(
                    Math.rint((seconds - from) * MICROS),
                    hasYear ? Axis.TIME : Axis.ELAPSED,
                    !hasDate(form),
                    form.end());
        } catch (DateTimeException e) { // such as a 13th month: it only looks like a moment
            return null;
        }
    }

    private static boolean hasDate(Matcher form) {
        return form.group("year") != null
                || form.group("first") != null
                || form.group("name") != null
                || form.group("shortMonth") != null;
    }

    private static int year(Matcher form) {
        for (String group : List.of("year", "lastYear", "ctimeYear")) {
            if (form.group(group) != null) {
                return number(form, group);
            }
        }
        return NO_YEAR;
    }

    private static int month(Matcher form) {
        if (form.group("name") != null) {
            return MONTHS.indexOf(form.group("name")) + 1;
        }
        return form.group("first") != null
                ? number(form, isDayFirst(form) ? "second" : "first")
                : any(form, "month", "month8", "shortMonth");
    }

    private static int day(Matcher form) {
        return form.group("first") != null
                ? number(form, isDayFirst(form) ? "first" : "second")
                : any(form, "day", "day8", "dayOfName", "shortDay");
    }

    /** {@code 04-03-2021} is a day of March, {@code 04/03/2021} one of April, unless there is no such month. */
    private static boolean isDayFirst(Matcher form) {
        boolean isSlash = form.group("mark").equals("/");
        return isSlash ? number(form, "first") > 12 : number(form, "second") <= 12;
    }

    private static int any(Matcher form, String... groups) {
        for (String group : groups) {
            if (form.group(group) != null) {
                return number(form, group);
            }
        }
        return 1;
    }

    private static int number(Matcher form, String group) {
        return Integer.parseInt(form.group(group));
    }

    private static double part(@Nullable String digits) {
        return digits == null ? 0 : Double.parseDouble("0." + digits);
    }

    private static ZoneOffset zone(@Nullable String zone) {
        if (zone == null || zone.equals("Z")) {
            return ZoneOffset.UTC;
        }
        return ZoneOffset.of(zone.length() > 5 ? zone : zone.substring(0, 3) + ":" + zone.substring(3));
    }
}
