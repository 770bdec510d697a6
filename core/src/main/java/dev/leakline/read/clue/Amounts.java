package dev.leakline.read.clue;

import dev.leakline.text.ByteSize;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sizes as people write them: {@code 36 GB}, {@code 64G}, {@code 4545Mi}, {@code 39.9 gigs}. Decimal names are read as binary, as everywhere. */
final class Amounts {
    /** A number and a unit that may be missing, for use within larger expressions. */
    static final String NUMBER =
            "(?:about |around |roughly |approx\\.? |nearly |almost |only |~ ?)?(\\d[\\d,]{0,14}(?:\\.\\d{1,9})?)";
    /** A unit; a single letter stands at its number. */
    static final String UNIT = "(?:\\s?([kmgt]i?b|bytes|gigs?|gigabytes?|megs?|megabytes?|[kmgt]i?)\\b(?!/s))";

    private static final Pattern WHOLE = Pattern.compile(NUMBER + UNIT + "?");
    private static final Map<Character, Long> UNITS =
            Map.of('k', ByteSize.KIB, 'm', ByteSize.MIB, 'g', ByteSize.GIB, 't', ByteSize.GIB << 10, 'b', 1L);

    private Amounts() {}

    /** Bytes of a number and its unit in small letters; 0 where either is missing. */
    static long bytes(@Nullable String number, @Nullable String unit) {
        return number == null || unit == null || unit.isEmpty() ? 0 : Math.round(number(number) * unit(unit));
    }

    /** Bytes of a unit. */
    static double unit(String unit) {
        return UNITS.getOrDefault(unit.toLowerCase(Locale.ROOT).charAt(0), 0L);
    }

    static double number(String number) {
        return Double.parseDouble(number.replace(",", ""));
    }

    /** Bytes of a text that is a size and nothing else; 0 where it is none. */
    static long of(String text) {
        var match = WHOLE.matcher(text.strip().toLowerCase(Locale.ROOT));
        return match.matches() ? bytes(match.group(1), match.group(2)) : 0;
    }
}
