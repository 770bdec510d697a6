package dev.leakline.statistics;

import java.util.Arrays;

/** How much more the numbers of events in equal parts of a time vary than those of events at random, whose variance is their mean. */
final class Bursts {
    /** Events that a part of the time holds on average: with fewer, a part says little. */
    private static final int OF_PART = 5;
    /** Parts from which a spread can be told beside a trend, whose two figures are fitted to them. */
    private static final int FEWEST_PARTS = 5;

    private Bursts() {}

    /**
     * The variance of the numbers beside their linear trend, divided by their mean; 1 where they vary less or are too few.
     *
     * @param places where each event lies, from 0 to 1
     */
    static double dispersion(double[] places) {
        int parts = places.length / OF_PART;
        if (parts < FEWEST_PARTS) {
            return 1;
        }
        double[] counts = new double[parts];
        for (double place : places) {
            counts[Math.min((int) (place * parts), parts - 1)]++;
        }
        return Math.max(varianceBesideTrend(counts) / ((double) places.length / parts), 1);
    }

    private static double varianceBesideTrend(double[] counts) {
        double middle = (counts.length - 1) / 2.0;
        double mean = Arrays.stream(counts).average().orElse(0);
        double common = 0;
        double squares = 0;
        for (int i = 0; i < counts.length; i++) {
            common += (i - middle) * (counts[i] - mean);
            squares += (i - middle) * (i - middle);
        }
        double rest = 0;
        for (int i = 0; i < counts.length; i++) {
            double beside = counts[i] - mean - common / squares * (i - middle);
            rest += beside * beside;
        }
        return rest / (counts.length - 2);
    }
}
