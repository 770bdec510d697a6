package dev.leakline.read.figures;

import dev.leakline.text.ByteSize;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes of cells: {@code 36 GB}, {@code 64G}, {@code 4545Mi}. Decimal names are read as binary, as everywhere. */
final class PlainSize {
    private static final Pattern WHOLE =
            Pattern.compile("(\\d[\\d,]{0,18}(?:\\.\\d{1,18})?)\\s?([kmgt]i?b|bytes|[kmgt]i?|b)?");
    private static final Map<Character, Long> UNITS =
            Map.of('k', ByteSize.KIB, 'm', ByteSize.MIB, 'g', ByteSize.GIB, 't', ByteSize.GIB << 10, 'b', 1L);

    /** A comma and three digits: a comma before others is a decimal one, as {@code free} prints in other languages. */
    private static final int THOUSANDS = 4;
    /** A machine has less than eight tebibytes: larger numbers count smaller units. */
    private static final double MOST_GIB = 1 << 13;

    private PlainSize() {}

    /** Bytes of a text that is a size, in the unit of its table where it has none; 0 where it is none. */
    static long of(String text, String unit) {
        Matcher match = WHOLE.matcher(text.toLowerCase(Locale.ROOT));
        if (!match.matches()) {
            return 0;
        }
        String own = match.group(2) == null ? unit.toLowerCase(Locale.ROOT) : match.group(2);
        return Math.round(number(match.group(1)) * UNITS.getOrDefault(own.charAt(0), 1L));
    }

    /** The unit of a text that is a size; empty where it has none. */
    static String unit(String text) {
        Matcher match = WHOLE.matcher(text.toLowerCase(Locale.ROOT));
        return match.matches() && match.group(2) != null ? match.group(2) : "";
    }

    /** The unit of a table that names none, by its first size: its own, or by what a machine has, between a gibibyte and some tebibytes. */
    static String guess(String text) {
        Matcher match = WHOLE.matcher(text.toLowerCase(Locale.ROOT));
        if (!match.matches() || match.group(2) != null) {
            return match.matches() ? match.group(2) : "b";
        }
        double number = number(match.group(1));
        return number < MOST_GIB ? "g" : number < MOST_GIB * ByteSize.KIB ? "m" : "k";
    }

    private static double number(String number) {
        int comma = number.lastIndexOf(',');
        boolean isPoint = comma > 0
                && number.indexOf(',') == comma
                && number.length() - comma != THOUSANDS
                && number.indexOf('.') < 0;
        return Double.parseDouble(isPoint ? number.replace(',', '.') : number.replace(",", ""));
    }
}
