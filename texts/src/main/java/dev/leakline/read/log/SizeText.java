package dev.leakline.read.log;

import dev.leakline.result.PrintedSize;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads sizes as PyTorch prints them: {@code 0 bytes}, {@code 512.00 KiB}, {@code 1024.00 MiB}, {@code 8.13 GiB}.
 *
 * <p>Source: {@code format_size}, the same in torch 0.4 to 2.14. A size up to 1024 of a unit is printed in that unit, so a gibibyte is
 * {@code 1024.00 MiB}. The MPS backend of torch 1.12 to 2.5 wrote MB and GB and meant the same.
 */
final class SizeText {
    private static final int KIB_BITS = 10;
    /** GiB is the largest unit that is printed. */
    private static final int LAST_POWER = 3;
    /** More digits than any size has. */
    private static final int MOST_DIGITS = 20;
    /** Most characters of a number that fits a long when doubled, in gibibytes too: 2 * 10^9 * 2^30 is less than 2^63. */
    private static final int MOST_PLAIN = 9;

    /** A whole number of fewer digits is a long. */
    private static final int MOST_WHOLE = 18;

    private static final long[] TENS = {1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000};

    private static final List<String> UNITS = List.of("bytes", "KiB", "MiB", "GiB", "TiB");

    private SizeText() {}

    /** The power of 1024 that a unit stands for, -1 where it is none. */
    static int power(String unit) {
        return switch (unit) {
            case "bytes", "byte", "b" -> 0;
            case "kib", "kb", "ki", "k" -> 1;
            case "mib", "mb", "mi", "m" -> 2;
            case "gib", "gb", "gi", "g" -> 3;
            case "tib", "tb", "ti", "t" -> 4;
            default -> -1;
        };
    }

    /** The name of a power of 1024 as PyTorch prints it. */
    static String unit(int power) {
        return UNITS.get(power);
    }

    /** The size that a number and a power of 1024 make; null where it is more than a long holds, or no number. */
    static @Nullable PrintedSize of(String number, int power, String text) {
        if (number.length() > MOST_DIGITS) {
            return null;
        }
        PrintedSize plain = plain(number, power, text);
        return plain == null ? exact(number, power, text) : plain;
    }

    /** The same for what all but a few sizes are: so few digits that a long holds all that is reckoned; null for others. */
    static @Nullable PrintedSize plain(String number, int power, String text) {
        int point = number.indexOf('.');
        int decimals = point < 0 ? 0 : number.length() - point - 1;
        if (number.length() > MOST_PLAIN || power > LAST_POWER) {
            return null;
        }
        long digits = digits(number);
        long unit = 1L << (KIB_BITS * power);
        long parts = TENS[decimals];
        long twice = 2 * digits * unit;
        long half = decimals == 0 ? 0 : unit;
        long bytes = (twice + parts) / (2 * parts);
        long whole = digits * unit / parts;
        long most = (twice + half) / (2 * parts);
        long least = Math.ceilDiv(Math.max(twice - half, 0), 2 * parts);
        long largest = power == LAST_POWER ? 2 * whole : Math.max(unit << KIB_BITS, whole);
        long smallest = power == 0 || whole < unit ? 0 : unit + 1;
        return new PrintedSize(bytes, Math.max(least, smallest), Math.min(most, largest), text);
    }

    /** A whole number, -1 for what is none or too long. */
    static long whole(String digits) {
        return digits.length() < MOST_WHOLE && digits.indexOf('.') < 0 ? Long.parseLong(digits) : -1;
    }

    /** The digits of a number with a point or without, as if it had none. */
    private static long digits(String number) {
        long digits = 0;
        for (int i = 0; i < number.length(); i++) {
            char character = number.charAt(i);
            digits = character == '.' ? digits : 10 * digits + character - '0';
        }
        return digits;
    }

    /** The same for any number. */
    static @Nullable PrintedSize exact(String number, int power, String text) {
        BigDecimal value = new BigDecimal(number);
        BigDecimal unit = new BigDecimal(BigInteger.ONE.shiftLeft(KIB_BITS * power));
        BigDecimal bytes = value.multiply(unit);
        BigDecimal half = value.scale() == 0
                ? BigDecimal.ZERO
                : BigDecimal.valueOf(5, value.scale() + 1).multiply(unit);
        BigInteger most = floor(bytes.add(half)).min(largest(power, bytes));
        BigInteger least = ceiling(bytes.subtract(half)).max(smallest(power, bytes));
        return most.bitLength() >= Long.SIZE
                ? null
                : new PrintedSize(
                        bytes.setScale(0, RoundingMode.HALF_UP).longValueExact(),
                        least.longValueExact(),
                        most.longValueExact(),
                        text);
    }

    /** A unit goes up to 1024 of it, the last one further; prints that say otherwise are not PyTorch's, and mean what they say. */
    private static BigInteger largest(int power, BigDecimal bytes) {
        BigInteger next = BigInteger.ONE.shiftLeft(KIB_BITS * (power + 1));
        return power >= LAST_POWER ? floor(bytes).shiftLeft(1) : next.max(floor(bytes));
    }

    /** The least that is printed in a unit: up to one of it is printed in the unit below. */
    private static BigInteger smallest(int power, BigDecimal bytes) {
        BigInteger unit = BigInteger.ONE.shiftLeft(KIB_BITS * power);
        return power == 0 || floor(bytes).compareTo(unit) < 0 ? BigInteger.ZERO : unit.add(BigInteger.ONE);
    }

    private static BigInteger floor(BigDecimal value) {
        return value.setScale(0, RoundingMode.FLOOR).toBigInteger();
    }

    private static BigInteger ceiling(BigDecimal value) {
        return value.setScale(0, RoundingMode.CEILING).toBigInteger();
    }
}
