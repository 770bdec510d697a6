package dev.leakline.web.jdk.util;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.UnknownFormatConversionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code java.util.Formatter} in English, which rounds half up as the JDK's does: TeaVM's rounds half even, and knows no {@code %g}.
 * Arguments are taken in their order.
 */
public final class Formatter {
    private static final Pattern PLACE = Pattern.compile("%([-#+ 0,(]*)(\\d*)(?:\\.(\\d+))?([a-zA-Z%])");

    private final StringBuilder out;

    public Formatter() {
        this(new StringBuilder());
    }

    public Formatter(Locale locale) {
        this();
    }

    public Formatter(Appendable out) {
        this.out = (StringBuilder) out;
    }

    public Formatter(Appendable out, Locale locale) {
        this(out);
    }

    public Formatter format(Locale locale, String format, Object... values) {
        return format(format, values);
    }

    public Formatter format(String format, Object... values) {
        Matcher place = PLACE.matcher(format);
        int done = 0;
        int used = 0;
        while (place.find(done)) {
            int percent = format.indexOf('%', done);
            if (percent != place.start()) {
                throw new UnknownFormatConversionException(format.substring(percent));
            }
            out.append(format, done, place.start());
            done = place.end();
            char conversion = place.group(4).charAt(0);
            switch (conversion) {
                case '%' -> out.append('%');
                case 'n' -> out.append('\n');
                default -> out.append(padded(place, shown(place, conversion, values[used++])));
            }
        }
        out.append(format, done, format.length());
        return this;
    }

    private static String shown(Matcher place, char conversion, Object value) {
        String flags = place.group(1);
        int precision = place.group(3) == null ? -1 : Integer.parseInt(place.group(3));
        return switch (conversion) {
            case 's' -> precision < 0 ? String.valueOf(value) : first(String.valueOf(value), precision);
            case 'S' -> String.valueOf(value).toUpperCase(Locale.ROOT);
            case 'c' -> String.valueOf(value);
            case 'b' -> value instanceof Boolean is ? is.toString() : String.valueOf(value != null);
            case 'x' ->
                value instanceof Long number
                        ? Long.toHexString(number)
                        : value instanceof Byte number
                                ? Integer.toHexString(number & 0xff)
                                : Integer.toHexString(((Number) value).intValue());
            case 'd' -> signed(flags, ((Number) value).longValue() < 0, grouped(flags, digits(value)));
            case 'f' -> decimal(flags, ((Number) value).doubleValue(), precision < 0 ? 6 : precision);
            case 'g' -> general(flags, ((Number) value).doubleValue(), precision < 0 ? 6 : Math.max(precision, 1));
            default -> throw new UnknownFormatConversionException(String.valueOf(conversion));
        };
    }

    private static String first(String text, int characters) {
        return text.substring(0, Math.min(characters, text.length()));
    }

    private static String digits(Object value) {
        String digits = value.toString();
        return digits.startsWith("-") ? digits.substring(1) : digits;
    }

    private static String decimal(String flags, double value, int digits) {
        if (!Double.isFinite(value)) {
            return Double.isNaN(value) ? "NaN" : signed(flags, value < 0, "Infinity");
        }
        String plain = exact(value).setScale(digits, RoundingMode.HALF_UP).toPlainString();
        return signed(flags, value < 0 || 1 / value < 0, grouped(flags, plain));
    }

    /** As many digits as are asked for, with an exponent where a number is small or has more of them before its point. */
    private static String general(String flags, double value, int digits) {
        if (!Double.isFinite(value) || value == 0) {
            return decimal(flags, value, digits - 1);
        }
        BigDecimal exact = exact(value);
        BigDecimal rounded = exact.setScale(digits - 1 - exponent(exact), RoundingMode.HALF_UP);
        int exponent = exponent(rounded);
        if (exponent >= -4 && exponent < digits) {
            return decimal(flags, value, Math.max(digits - 1 - exponent, 0));
        }
        String mantissa = rounded.movePointLeft(exponent)
                .setScale(digits - 1, RoundingMode.HALF_UP)
                .toPlainString();
        String sign = exponent < 0 ? "e-" : "e+";
        String power = Integer.toString(Math.abs(exponent));
        return signed(flags, value < 0, mantissa + sign + (power.length() < 2 ? "0" : "") + power);
    }

    private static BigDecimal exact(double value) {
        return new BigDecimal(Double.toString(Math.abs(value)));
    }

    private static int exponent(BigDecimal value) {
        return value.precision() - value.scale() - 1;
    }

    private static String grouped(String flags, String digits) {
        if (flags.indexOf(',') < 0) {
            return digits;
        }
        int point = digits.indexOf('.') < 0 ? digits.length() : digits.indexOf('.');
        StringBuilder grouped = new StringBuilder(digits);
        for (int at = point - 3; at > 0; at -= 3) {
            grouped.insert(at, ',');
        }
        return grouped.toString();
    }

    private static String signed(String flags, boolean isNegative, String digits) {
        return isNegative ? "-" + digits : flags.indexOf('+') < 0 ? digits : "+" + digits;
    }

    private static String padded(Matcher place, String shown) {
        int width = place.group(2).isEmpty() ? 0 : Integer.parseInt(place.group(2));
        int missing = width - shown.length();
        if (missing <= 0) {
            return shown;
        }
        String flags = place.group(1);
        if (flags.indexOf('0') < 0) {
            String blanks = " ".repeat(missing);
            return flags.indexOf('-') < 0 ? blanks + shown : shown + blanks;
        }
        int sign = shown.startsWith("-") || shown.startsWith("+") ? 1 : 0;
        return shown.substring(0, sign) + "0".repeat(missing) + shown.substring(sign);
    }

    public Appendable out() {
        return out;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
