package dev.leakline.testkit.pickle;

import java.math.BigDecimal;
import java.math.MathContext;

/** Python's spelling of strings and floats in bytes. */
final class PyText {
    private PyText() {}

    /** UTF-8 as Python's {@code surrogatepass} makes it: a lone surrogate becomes three bytes. */
    static byte[] utf8(String text) {
        byte[] bytes = new byte[utf8Length(text)];
        int end = 0;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            end = putUtf8(point, bytes, end);
        }
        return bytes;
    }

    /** The argument of protocol 0's UNICODE: each character of the result is one byte. */
    static String rawUnicodeEscape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (point >= 0x10000) {
                escaped.append(String.format("\\U%08x", point));
            } else if (point >= 0x100 || "\\\0\n\r\u001a".indexOf(point) >= 0) {
                escaped.append(String.format("\\u%04x", point));
            } else {
                escaped.append((char) point);
            }
        });
        return escaped.toString();
    }

    /** The shortest decimal that reads back as the same float, in the form of Python's {@code repr}. */
    static String repr(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        double size = Math.abs(value);
        boolean plain = size == 0 || (size >= 1e-4 && size < 1e16);
        return plain ? plain(value) : scientific(value);
    }

    private static String plain(double value) {
        String digits = shortest(value).toPlainString();
        String sign = value == 0 && 1 / value < 0 ? "-" : "";
        return sign + (digits.contains(".") ? digits : digits + ".0");
    }

    private static String scientific(double value) {
        BigDecimal decimal = shortest(value);
        String digits = decimal.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - decimal.scale();
        String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
        return String.format("%s%se%+03d", value < 0 ? "-" : "", mantissa, exponent);
    }

    /** Java's form has two digits at least, even where one says the same. */
    private static BigDecimal shortest(double value) {
        BigDecimal decimal = new BigDecimal(Double.toString(value));
        BigDecimal oneDigit = decimal.round(new MathContext(1));
        return (oneDigit.doubleValue() == value ? oneDigit : decimal).stripTrailingZeros();
    }

    private static int utf8Length(String text) {
        int length = 0;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            length += utf8Length(point);
        }
        return length;
    }

    private static int utf8Length(int point) {
        if (point < 0x80) {
            return 1;
        }
        if (point < 0x800) {
            return 2;
        }
        return point < 0x10000 ? 3 : 4;
    }

    private static int putUtf8(int point, byte[] bytes, int start) {
        int length = utf8Length(point);
        if (length == 1) {
            bytes[start] = (byte) point;
            return start + 1;
        }
        int rest = point;
        for (int i = length - 1; i > 0; i--) {
            bytes[start + i] = (byte) (0x80 | (rest & 0x3f));
            rest >>= 6;
        }
        bytes[start] = (byte) ((0xf00 >> length) | rest);
        return start + length;
    }
}
