package dev.leakline.statistics;

/** The least that a judgement of growth needs. */
public final class Thresholds {
    /** Steps at the beginning that tune kernels and make what every step needs, such as optimizer state. */
    public static final int WARM_UP = 2;
    /** The part of the steps at the beginning in which what every step needs comes to be. */
    public static final double WARM_UP_SHARE = 0.2;
    /** Steps below which nothing is judged by its growth: fewer than the rises and a warm-up cannot hold the rises. */
    public static final int FEWEST_STEPS = WARM_UP + Ratchet.FEWEST_RISES;

    private Thresholds() {}
}
