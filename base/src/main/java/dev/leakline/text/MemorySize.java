package dev.leakline.text;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a size of memory in bytes. As elsewhere on command lines, G and GiB are 1024 to the third, GB is 1000 to the third; capitals do
 * not matter.
 */
public final class MemorySize {
    private static final Pattern SIZE =
            Pattern.compile("(\\d{1,20}(?:\\.\\d{1,20})?(?:e\\d{1,2})?) ?([kmgtp]i?b?|b|)", Pattern.CASE_INSENSITIVE);
    private static final Map<String, Integer> POWERS = Map.of("k", 1, "m", 2, "g", 3, "t", 4, "p", 5);
    /** No device has had less for decades; whoever says less has forgotten the unit. */
    private static final long LEAST = ByteSize.MIB;

    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    private MemorySize() {}

    /** The bytes that a text means; throws {@link IllegalArgumentException} where it means none. */
    public static long parse(String text) {
        long bytes = any(text);
        if (bytes < LEAST) {
            throw new IllegalArgumentException("'" + text + "' is less than 1 MiB; is the unit missing, as in 24GiB?");
        }
        return bytes;
    }

    /** The bytes that a text means, of anything, however small; throws {@link IllegalArgumentException} where it means none. */
    public static long any(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a memory size; expected something like 24GiB, 80G, 81920MiB or 24e9");
        }
        BigDecimal bytes =
                new BigDecimal(matcher.group(1)).multiply(unit(matcher.group(2).toLowerCase(Locale.ROOT)));
        if (bytes.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("'" + text + "' is more than any device has");
        }
        return bytes.longValue();
    }

    private static BigDecimal unit(String name) {
        boolean isDecimal = name.length() == 2 && name.endsWith("b");
        int power = name.isEmpty() ? 0 : POWERS.getOrDefault(name.substring(0, 1), 0);
        return BigDecimal.valueOf(isDecimal ? 1000 : 1024).pow(power);
    }
}
