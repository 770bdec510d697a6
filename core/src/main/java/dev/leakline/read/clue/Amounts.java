package dev.leakline.read.clue;

import dev.leakline.text.ByteSize;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sizes of cells and options: {@code 36 GB}, {@code 64G}, {@code 4545Mi}. Decimal names are read as binary, as everywhere. */
final class Amounts {
    private static final Pattern WHOLE =
            Pattern.compile("(\\d[\\d,]{0,18}(?:\\.\\d{1,18})?)\\s?([kmgt]i?b|bytes|[kmgt]i?|b)?");
    private static final Map<Character, Long> UNITS =
            Map.of('k', ByteSize.KIB, 'm', ByteSize.MIB, 'g', ByteSize.GIB, 't', ByteSize.GIB << 10, 'b', 1L);

    /** A comma and three digits: a comma before others is a decimal one, as {@code free} prints in other languages. */
    private static final int THOUSANDS = 4;

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
        int comma = number.lastIndexOf(',');
        boolean isPoint = comma > 0
                && number.indexOf(',') == comma
                && number.length() - comma != THOUSANDS
                && number.indexOf('.') < 0;
        return Double.parseDouble(isPoint ? number.replace(',', '.') : number.replace(",", ""));
    }

    /** Bytes of a text that is a size and nothing else; 0 where it is none. */
    static long of(String text) {
        var match = WHOLE.matcher(text.strip().toLowerCase(Locale.ROOT));
        return match.matches() ? bytes(match.group(1), match.group(2)) : 0;
    }
}
