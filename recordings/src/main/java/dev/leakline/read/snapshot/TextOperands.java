package dev.leakline.read.snapshot;

import dev.leakline.source.ByteWindow;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.text.Printable;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** The operands of pickle protocol 0, which are lines of text. */
final class TextOperands {
    /** No integer or decimal of a snapshot has more digits. */
    private static final int MAX_DIGITS = 64;

    private final ByteWindow in;
    private final ReadLimits limits;

    TextOperands(ByteWindow in, ReadLimits limits) {
        this.in = in;
        this.limits = limits;
    }

    /** A line of ASCII. */
    String line() throws IOException {
        return new String(in.takeLine(limits.stringBytes()), StandardCharsets.ISO_8859_1);
    }

    long integer() throws IOException {
        String line = line();
        return parse(line.endsWith("L") ? line.substring(0, line.length() - 1) : line);
    }

    /** An integer that fits 64 bits, signed or not. */
    long parse(String digits) throws ReadException {
        try {
            BigInteger value = new BigInteger(digits.length() > MAX_DIGITS ? "x" : digits);
            if (value.bitLength() <= 64) {
                return value.longValue();
            }
        } catch (NumberFormatException e) {
            // refused below, with the number too large for its digits
        }
        throw damaged("'" + Printable.of(digits, 20) + "' is not a 64-bit integer");
    }

    double decimal() throws IOException {
        String line = line();
        try {
            return Double.parseDouble(line);
        } catch (NumberFormatException e) {
            throw damaged("'" + Printable.of(line, 20) + "' is not a number");
        }
    }

    /** A string in Python 2's quotes; only backslash and quote are taken for escaped. */
    String quoted() throws IOException {
        String line = line();
        int last = line.length() - 1;
        if (last < 1 || line.charAt(0) != line.charAt(last)) {
            throw damaged("a string without its quotes");
        }
        return line.substring(1, last).replaceAll("\\\\(['\"\\\\])", "$1");
    }

    /** A string in Latin-1 with {@code \}{@code uXXXX} and {@code \}{@code UXXXXXXXX} for what Latin-1 and lines cannot hold. */
    String rawUnicode() throws IOException {
        String line = line();
        if (line.indexOf('\\') < 0) {
            return line;
        }
        StringBuilder decoded = new StringBuilder(line.length());
        for (int i = 0; i < line.length(); ) {
            int digits = line.startsWith("\\u", i) ? 4 : line.startsWith("\\U", i) ? 8 : 0;
            if (digits == 0) {
                decoded.append(line.charAt(i++));
            } else {
                decoded.appendCodePoint(codePoint(line, i + 2, digits));
                i += 2 + digits;
            }
        }
        return decoded.toString();
    }

    private static int codePoint(String line, int from, int digits) throws ReadException {
        try {
            int codePoint = Integer.parseInt(line, from, from + digits, 16);
            if (Character.isValidCodePoint(codePoint)) {
                return codePoint;
            }
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            // refused below
        }
        throw damaged("an invalid escape in a string");
    }

    private static ReadException damaged(String what) {
        return new ReadException(Code.DAMAGED, -1, what);
    }
}
