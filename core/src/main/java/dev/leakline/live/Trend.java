package dev.leakline.live;

/** A line through the blocks of a window, by least squares, and how far its slope can be trusted. */
final class Trend {
    private final int size;
    private final double[] x;
    private final double[] y;
    final double meanX;
    final double meanY;
    final double slope;
    final double spread;
    /** Standard errors by which the slope differs from 0, allowing for residuals that depend on those before. */
    final double deviations;
    /** The slope at the end less that at the begin of a parabola, in standard errors. */
    final double bend;

    final double curve;
    final double slopeAtEnd;
    final double slopeAtBegin;

    Trend(double[] x, double[] y, int size, double grain) {
        this.size = size;
        this.x = x;
        this.y = y;
        double sx = 0;
        double sy = 0;
        for (int i = 0; i < size; i++) {
            sx += x[i];
            sy += y[i];
        }
        this.meanX = sx / size;
        this.meanY = sy / size;
        double xx = 0;
        double xy = 0;
        for (int i = 0; i < size; i++) {
            double dx = x[i] - meanX;
            xx += dx * dx;
            xy += dx * (y[i] - meanY);
        }
        this.slope = xx > 0 ? xy / xx : 0;
        double ss = 0;
        double lag = 0;
        double before = 0;
        double third = 0;
        double fourth = 0;
        double bent = 0;
        double xxMean = xx / size;
        for (int i = 0; i < size; i++) {
            double dx = x[i] - meanX;
            third += dx * dx * dx;
        }
        double skew = xx > 0 ? third / xx : 0;
        for (int i = 0; i < size; i++) {
            double dx = x[i] - meanX;
            double q = dx * dx - xxMean - skew * dx;
            double rest = y[i] - meanY - slope * dx;
            fourth += q * q;
            bent += q * rest;
            ss += rest * rest;
            lag += i > 0 ? rest * before : 0;
            before = rest;
        }
        double rho = ss > 0 ? lag / ss : 0;
        rho = Math.clamp(rho + (2 + 4 * rho) / size, 0, 0.9);
        double variance = Math.max(ss / Math.max(1, size - 2), grain * grain);
        this.spread = Math.sqrt(variance);
        double inflate = (1 + rho) / (1 - rho);
        this.deviations = xx > 0 ? slope / Math.sqrt(variance * inflate / xx) : 0;
        this.curve = fourth > 0 ? bent / fourth : 0;
        double lagBent = 0;
        double squaresBent = 0;
        double beforeBent = 0;
        for (int i = 0; i < size; i++) {
            double dx = x[i] - meanX;
            double rest = y[i] - meanY - slope * dx - curve * (dx * dx - xxMean - skew * dx);
            squaresBent += rest * rest;
            lagBent += i > 0 ? rest * beforeBent : 0;
            beforeBent = rest;
        }
        double rhoBent = squaresBent > 0 ? lagBent / squaresBent : 0;
        rhoBent = Math.clamp(rhoBent + (2 + 4 * rhoBent) / size, 0, 0.9);
        double ssBent = Math.max(squaresBent / Math.max(1, size - 3), grain * grain);
        this.bend = fourth > 0 ? curve / Math.sqrt(ssBent * (1 + rhoBent) / (1 - rhoBent) / fourth) : 0;
        this.slopeAtBegin = slope + curve * (2 * (x[0] - meanX) - skew);
        this.slopeAtEnd = slope + curve * (2 * (x[size - 1] - meanX) - skew);
    }

    double span() {
        return x[size - 1] - x[0];
    }

    double range() {
        double low = y[0];
        double high = y[0];
        for (int i = 1; i < size; i++) {
            low = Math.min(low, y[i]);
            high = Math.max(high, y[i]);
        }
        return high - low;
    }

    double rise() {
        return slope * span();
    }

    /** The slope of a part, from one block to before another. */
    double slope(int from, int to) {
        double sx = 0;
        double sy = 0;
        int n = to - from;
        for (int i = from; i < to; i++) {
            sx += x[i];
            sy += y[i];
        }
        double xx = 0;
        double xy = 0;
        for (int i = from; i < to; i++) {
            double dx = x[i] - sx / n;
            xx += dx * dx;
            xy += dx * (y[i] - sy / n);
        }
        return xx > 0 ? xy / xx : 0;
    }

    double mean(int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += y[i];
        }
        return sum / (to - from);
    }

    double at(double clock) {
        return meanY + slope * (clock - meanX);
    }

    int size() {
        return size;
    }

    double x(int i) {
        return x[i];
    }

    double y(int i) {
        return y[i];
    }
}
