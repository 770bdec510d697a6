package dev.leakline.functions.gpumemprof;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Mean and deviation as Python's {@code statistics} has them: exact, and rounded once. Where figures of functions are equal but for rounding,
 * it decides which of them is the highest.
 */
final class ExactMoments {
    /** Digits for quotients and roots, far more than the 17 that a double has. */
    private static final MathContext DIGITS = new MathContext(50);

    private final BigDecimal count;
    private BigDecimal sum = BigDecimal.ZERO;
    private BigDecimal squares = BigDecimal.ZERO;

    /** Moments of at least one finite value. */
    ExactMoments(double[] values) {
        count = BigDecimal.valueOf(values.length);
        for (double value : values) {
            BigDecimal exact = new BigDecimal(value);
            sum = sum.add(exact);
            squares = squares.add(exact.multiply(exact));
        }
    }

    double mean() {
        return sum.divide(count, DIGITS).doubleValue();
    }

    /** The standard deviation of a sample; 0 for a single value. */
    double deviation() {
        if (count.compareTo(BigDecimal.ONE) == 0) {
            return 0;
        }
        BigDecimal spread = count.multiply(squares).subtract(sum.multiply(sum));
        return spread.divide(count.multiply(count.subtract(BigDecimal.ONE)), DIGITS)
                .sqrt(DIGITS)
                .doubleValue();
    }
}
