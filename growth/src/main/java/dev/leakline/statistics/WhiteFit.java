package dev.leakline.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Least squares of a level by sums of parts, where the noise is an autoregression of order one. */
final class WhiteFit {
    /**
     * How well a sum fits.
     *
     * @param squares the sum of squares that it leaves
     * @param factors of its parts
     * @param ofLast the sum of squares of the last part that the others leave
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Rest(double squares, double[] factors, double ofLast) {
        /** The factor of the last part. */
        double last() {
            return factors[factors.length - 1];
        }

        /** The standard error of that, where there are so many values. */
        double error(int values) {
            return Math.sqrt(squares / (values - factors.length) / ofLast);
        }
    }

    /** The share of a part that those before it leave, if they say the same. */
    private static final double SAME = 1e-9;
    /** Weight of the first value of a random walk, which says hardly anything of its mean. */
    private static final double FIRST = 1e-3;

    private final double[][] parts;
    /** Products of parts, NaN until they are needed. */
    private final double[][] products;

    private final double[] ofLevel;
    private final double squares;

    /**
     * Prepares fits.
     *
     * @param alike the coefficient of the autoregression, 1 for a random walk
     * @param parts what sums are made of
     * @param level what is fitted
     */
    WhiteFit(double alike, List<double[]> parts, double[] level) {
        double[] white = white(alike, level);
        this.squares = product(white, white);
        this.parts = parts.stream().map(part -> white(alike, part)).toArray(double[][]::new);
        this.ofLevel = Arrays.stream(this.parts)
                .mapToDouble(part -> product(part, white))
                .toArray();
        this.products = new double[this.parts.length][this.parts.length];
        Arrays.stream(products).forEach(row -> Arrays.fill(row, Double.NaN));
    }

    private static double[] white(double alike, double[] values) {
        double[] white = new double[values.length];
        white[0] = values[0] * Math.max(Math.sqrt(1 - alike * alike), FIRST);
        for (int i = 1; i < white.length; i++) {
            white[i] = values[i] - alike * values[i - 1];
        }
        return white;
    }

    private static double product(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private double product(int part, int other) {
        if (Double.isNaN(products[part][other])) {
            products[part][other] = product(parts[part], parts[other]);
            products[other][part] = products[part][other];
        }
        return products[part][other];
    }

    /**
     * Some parts, each the one that explains most beside those before it and beside others that are there in any case.
     *
     * @param others that are there
     * @param parts to choose from
     * @param most that are chosen
     * @param isPositive whether only such are whose factor is above 0
     */
    List<Integer> best(int[] others, List<Integer> parts, int most, boolean isPositive) {
        Projection rest = new Projection();
        for (int part : others) {
            rest.take(part);
        }
        List<Integer> chosen = new ArrayList<>();
        while (chosen.size() < most) {
            int best = -1;
            for (int part : parts) {
                boolean isBetter = best < 0 || rest.gain(part) > rest.gain(best);
                best = isBetter && rest.gain(part) > 0 && !(isPositive && rest.ofLevel[part] < 0) ? part : best;
            }
            if (best < 0) {
                break;
            }
            chosen.add(best);
            rest.take(best);
        }
        return chosen;
    }

    /** The rest of the parts, and of the level, without the parts taken: Gram's and Schmidt's orthogonalization. */
    private final class Projection {
        private final double[] squares = new double[parts.length];
        private final double[] ofLevel = WhiteFit.this.ofLevel.clone();
        private final List<double[]> taken = new ArrayList<>();

        private Projection() {
            Arrays.setAll(squares, part -> product(part, part));
        }

        /** How much less is left of the level where a part is taken as well. */
        private double gain(int part) {
            return squares[part] <= SAME * product(part, part) ? 0 : ofLevel[part] * ofLevel[part] / squares[part];
        }

        private void take(int part) {
            double size = Math.sqrt(Math.max(squares[part], Double.MIN_NORMAL));
            double level = ofLevel[part] / size;
            double[] common = new double[parts.length];
            for (int other = 0; other < common.length; other++) {
                double sum = product(part, other);
                for (double[] before : taken) {
                    sum -= before[part] * before[other];
                }
                common[other] = sum / size;
                squares[other] -= common[other] * common[other];
                ofLevel[other] -= common[other] * level;
            }
            taken.add(common);
        }
    }

    /** How well a sum of parts fits, whose last has the factor {@code least} at the least; null where two parts say the same. */
    @Nullable
    Rest rest(int[] terms, double least) {
        int n = terms.length;
        double[][] rows = new double[n][n + 1];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                rows[i][j] = product(terms[i], terms[j]);
            }
            rows[i][n] = ofLevel[terms[i]];
        }
        double rest = squares;
        for (int i = 0; i < n; i++) {
            if (rows[i][i] <= SAME * product(terms[i], terms[i])) {
                return null;
            }
            rest -= rows[i][n] * rows[i][n] / rows[i][i];
            eliminate(rows, i);
        }
        double pivot = rows[n - 1][n - 1];
        double slope = rows[n - 1][n] / pivot;
        double missing = Math.max(least - slope, 0);
        rows[n - 1][n] = pivot * (slope + missing);
        return new Rest(Math.max(rest, 0) + missing * missing * pivot, factors(rows), pivot);
    }

    private static double[] factors(double[][] rows) {
        int n = rows.length;
        double[] factors = new double[n];
        for (int i = n - 1; i >= 0; i--) {
            double sum = rows[i][n];
            for (int j = i + 1; j < n; j++) {
                sum -= rows[i][j] * factors[j];
            }
            factors[i] = sum / rows[i][i];
        }
        return factors;
    }

    private static void eliminate(double[][] rows, int column) {
        for (int row = column + 1; row < rows.length; row++) {
            double factor = rows[row][column] / rows[column][column];
            for (int k = column; k <= rows.length; k++) {
                rows[row][k] -= factor * rows[column][k];
            }
        }
    }
}
