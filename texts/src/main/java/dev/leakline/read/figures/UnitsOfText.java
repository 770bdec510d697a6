package dev.leakline.read.figures;

import dev.leakline.read.terms.FigureName;
import java.util.regex.Pattern;

/**
 * The bytes of the units in a text. MB and GB are powers of 1024, as nearly all that print memory mean them, unless code or a sentence of the text before
 * divides bytes by a power of ten: {@code memory_allocated() / 1e6}.
 */
final class UnitsOfText {
    private static final Pattern DIVIDED =
            Pattern.compile("(?i)(?:memory|allocated|reserved|rss|bytes).{0,80}/ ?(?:1e[69]|10 ?\\*\\* ?[69])\\b");
    private static final long THOUSAND = 1000;

    private boolean isDecimal;

    /** Learns from a line. */
    void learn(String line) {
        boolean mayDivide =
                line.contains("1e6") || line.contains("1e9") || line.contains("10**") || line.contains("10 **");
        isDecimal |= mayDivide && DIVIDED.matcher(line).find();
    }

    /** The bytes of a unit, by its power and what its letters are; 0 where there is none. */
    long bytes(int power, char[] text, int end) {
        boolean isBinary = end > 1 && text[end - 2] == 'i';
        if (power < 0) {
            return 0;
        }
        return isDecimal && !isBinary ? decimal(power) : FigureName.unit(power);
    }

    private static long decimal(int power) {
        long bytes = 1;
        for (int i = 0; i < power; i++) {
            bytes *= THOUSAND;
        }
        return bytes;
    }
}
