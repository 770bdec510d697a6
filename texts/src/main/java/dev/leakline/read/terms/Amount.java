package dev.leakline.read.terms;

import dev.leakline.text.Ascii;
import org.jspecify.annotations.Nullable;

/**
 * A number of something, as {@code 1234 MiB}, {@code 3.2G}, {@code 1,234} or {@code 5.4/24.0 GB}, of which the first counts. Units of decimal
 * name are read as binary ones, which is what nearly all that print memory mean.
 *
 * @param number the number as it stands
 * @param unit bytes of its unit, 0 where it has none
 */
public record Amount(double number, long unit) {
    /** Digits, sign and exponent of any number that is one. */
    private static final int MOST_CHARACTERS = 32;
    /** A quotient of a number of so many digits and a power of ten is as exact as any. */
    private static final int MOST_PLAIN = 15;

    private static final double[] POWERS = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14
    };

    /** Parses a value of a table or of JSON; null if it is not an amount of memory but a share, a word, a power. */
    public static @Nullable Amount of(Object value) {
        return switch (value) {
            case Number number -> new Amount(number.doubleValue(), 0);
            case String text -> ofText(text.strip().toCharArray());
            default -> null;
        };
    }

    private static @Nullable Amount ofText(char[] text) {
        int to = endOfNumber(text, 0, text.length);
        if (to == 0) {
            return null;
        }
        double number = number(text, 0, to);
        int rest = skipTotal(text, Ascii.endOfBlanks(text, to, text.length));
        int end = FigureName.endOfWord(text, rest, text.length);
        int power = power(text, rest, end, rest == to);
        boolean isPlain = power >= 0 || rest == text.length;
        return isPlain && !Double.isNaN(number) ? new Amount(number, power < 0 ? 0 : FigureName.unit(power)) : null;
    }

    /** Passes over the rest of {@code 5.4/24.0 GB} up to its unit. */
    private static int skipTotal(char[] text, int at) {
        int number = at < text.length && text[at] == '/' ? Ascii.endOfBlanks(text, at + 1, text.length) : text.length;
        int to = number < text.length ? endOfNumber(text, number, text.length) : number;
        return to > number ? Ascii.endOfBlanks(text, to, text.length) : at;
    }

    /**
     * The power of 1024 of the unit between two places, -1 where it is none. {@code 3.2G} and {@code 4321M} are short for one where they stand at the
     * number itself; {@code 512 B} are bytes, and {@code 7B} are billions of something.
     */
    static int power(char[] text, int from, int to, boolean isGlued) {
        if (to == from) {
            return -1;
        }
        if (to - from == 1) {
            return switch (text[from]) {
                case 'B' -> isGlued ? -1 : 0;
                case 'K', 'k' -> isGlued ? 1 : -1;
                case 'M' -> isGlued ? 2 : -1;
                case 'G' -> isGlued ? 3 : -1;
                default -> -1;
            };
        }
        return WordSenses.power(WordSenses.of(text, from, to));
    }

    /** The end of the number that begins at a place; the place itself where none does. Commas may part its thousands. */
    public static int endOfNumber(char[] text, int from, int length) {
        int start = from < length && text[from] == '-' ? from + 1 : from;
        int to = endOfDigits(text, start, length);
        if (to == start) {
            return from;
        }
        boolean isShort = to - start <= 3;
        while (isShort && isGroup(text, to, length)) {
            to += 4;
        }
        int fraction = to < length && text[to] == '.' ? endOfDigits(text, to + 1, length) : to;
        return endOfExponent(text, fraction > to + 1 ? fraction : to, length);
    }

    private static boolean isGroup(char[] text, int at, int length) {
        return at < length && text[at] == ',' && endOfDigits(text, at + 1, length) == at + 4;
    }

    private static int endOfExponent(char[] text, int at, int length) {
        boolean isExponent = at + 1 < length && (text[at] == 'e' || text[at] == 'E');
        int sign = isExponent && (text[at + 1] == '-' || text[at + 1] == '+') ? at + 2 : at + 1;
        int to = isExponent ? endOfDigits(text, sign, length) : sign;
        return isExponent && to > sign ? to : at;
    }

    private static int endOfDigits(char[] text, int from, int length) {
        int to = from;
        while (to < length && text[to] >= '0' && text[to] <= '9') {
            to++;
        }
        return to;
    }

    /** The number between two places, NaN where it is too long to be one. */
    public static double number(char[] text, int from, int to) {
        if (to - from > MOST_CHARACTERS) {
            return Double.NaN;
        }
        double plain = plain(text, from, to);
        return Double.isNaN(plain) ? Double.parseDouble(new String(text, from, to - from).replace(",", "")) : plain;
    }

    /** A number of few digits, which nearly all are, exactly; NaN for others. */
    private static double plain(char[] text, int from, int to) {
        long digits = 0;
        int decimals = -1;
        for (int i = from; i < to; i++) {
            boolean isDigit = text[i] >= '0' && text[i] <= '9';
            if (to - from > MOST_PLAIN || (!isDigit && (text[i] != '.' || decimals >= 0))) {
                return Double.NaN;
            }
            digits = isDigit ? digits * 10 + text[i] - '0' : digits;
            decimals += decimals >= 0 || !isDigit ? 1 : 0;
        }
        return decimals > 0 ? digits / POWERS[decimals] : digits;
    }
}
