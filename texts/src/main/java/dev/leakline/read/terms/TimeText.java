package dev.leakline.read.terms;

import dev.leakline.columns.MemorySeries.Axis;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
 */
public record TimeText(double micros, Axis axis, boolean isClock) {
    /** Characters in which a moment is looked for: names of loggers may stand before, and no text of a message. */
    public static final int MOST = 64;

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

    /** A line that {@code date +%H:%M} printed. */
    private static final Pattern ALONE = Pattern.compile("\\s*([01]?\\d|2[0-3]):([0-5]\\d)\\s*");

    private static final Map<String, Integer> GROUPS = FORM.namedGroups();
    private static final int NAME = group("name");
    private static final int FIRST = group("first");
    private static final int SECOND = group("second");
    private static final int MARK = group("mark");
    private static final int PART = group("part");
    private static final int ZONE = group("zone");
    private static final int[] YEARS = groups("year", "lastYear", "ctimeYear");
    private static final int[] MONTHS_OF_DATES = groups("month", "month8", "shortMonth");
    private static final int[] DAYS = groups("day", "day8", "dayOfName", "shortDay");
    private static final int[] CLOCK = groups("hour", "minute", "seconds");

    /** A leap year, so that every date exists in it. */
    private static final int NO_YEAR = 1972;

    private static int group(String name) {
        return GROUPS.getOrDefault(name, 0);
    }

    private static int[] groups(String... names) {
        return Arrays.stream(names).mapToInt(TimeText::group).toArray();
    }

    /** The first moment near the beginning of a text, null where there is none. */
    public static @Nullable TimeText find(CharSequence text) {
        Matcher form = FORM.matcher(text.subSequence(0, Math.min(text.length(), MOST)));
        return form.find() ? of(form) : alone(text);
    }

    private static @Nullable TimeText alone(CharSequence text) {
        Matcher clock = ALONE.matcher(text);
        if (!clock.matches()) {
            return null;
        }
        int minutes = 60 * Integer.parseInt(clock.group(1)) + Integer.parseInt(clock.group(2));
        return new TimeText(60 * MICROS * minutes, Axis.ELAPSED, true);
    }

    /** A number as a moment: Unix seconds, milli-, micro- or nanoseconds by its size; less than the seconds of 1973 are seconds since a beginning. */
    public static @Nullable TimeText of(double number) {
        if (!(number >= 0) || number > Long.MAX_VALUE) {
            return null;
        }
        if (number < 1e8) {
            return new TimeText(Math.rint(number * MICROS), Axis.ELAPSED, false);
        }
        double micros = number >= 1e17
                ? number / 1e3
                : number >= 1e14 ? number : number >= 1e11 ? number * 1e3 : number * MICROS;
        return new TimeText(Math.rint(micros), Axis.TIME, false);
    }

    private static @Nullable TimeText of(Matcher form) {
        int year = any(form, YEARS, NO_YEAR);
        try {
            LocalDateTime moment = LocalDateTime.of(
                    year,
                    month(form),
                    day(form),
                    number(form, CLOCK[0]),
                    number(form, CLOCK[1]),
                    number(form, CLOCK[2]));
            double seconds = moment.toEpochSecond(zone(form.group(ZONE))) + part(form.group(PART));
            double from =
                    year == NO_YEAR ? LocalDateTime.of(NO_YEAR, 1, 1, 0, 0).toEpochSecond(ZoneOffset.UTC) : 0;
            Axis axis = year == NO_YEAR ? Axis.ELAPSED : Axis.TIME;
            return new TimeText(Math.rint((seconds - from) * MICROS), axis, day(form, 0) == 0);
        } catch (DateTimeException e) { // such as a 13th month: it only looks like a moment
            return null;
        }
    }

    private static int month(Matcher form) {
        if (form.start(NAME) >= 0) {
            return MONTHS.indexOf(form.group(NAME)) + 1;
        }
        return form.start(FIRST) >= 0 ? number(form, isDayFirst(form) ? SECOND : FIRST) : any(form, MONTHS_OF_DATES, 1);
    }

    private static int day(Matcher form) {
        return day(form, 1);
    }

    private static int day(Matcher form, int otherwise) {
        return form.start(FIRST) >= 0 ? number(form, isDayFirst(form) ? FIRST : SECOND) : any(form, DAYS, otherwise);
    }

    /** {@code 04-03-2021} is a day of March, {@code 04/03/2021} one of April, unless there is no such month. */
    private static boolean isDayFirst(Matcher form) {
        boolean isSlash = form.group(MARK).equals("/");
        return isSlash ? number(form, FIRST) > 12 : number(form, SECOND) <= 12;
    }

    private static int any(Matcher form, int[] groups, int otherwise) {
        for (int group : groups) {
            if (form.start(group) >= 0) {
                return number(form, group);
            }
        }
        return otherwise;
    }

    private static int number(Matcher form, int group) {
        return Integer.parseInt(form.group(group));
    }

    private static double part(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits) / Math.pow(10, digits.length());
    }

    private static ZoneOffset zone(@Nullable String zone) {
        if (zone == null || zone.equals("Z")) {
            return ZoneOffset.UTC;
        }
        return ZoneOffset.of(zone.length() > 5 ? zone : zone.substring(0, 3) + ":" + zone.substring(3));
    }
}
