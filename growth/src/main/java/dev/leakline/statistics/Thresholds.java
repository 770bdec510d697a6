package dev.leakline.statistics;

/**
 * The numbers that decide, each with its reason. Tests vary them; users do not.
 *
 * @param fewestSteps steps below which nothing is judged by its growth
 * @param fewestRises steps in which something must have grown to count as growing
 * @param fewestRisesOfTurnover the same for memory that is freed after a while, such as the entries of a cache
 */
public record Thresholds(int fewestSteps, int fewestRises, int fewestRisesOfTurnover) {
    /** Steps at the beginning that tune kernels and make what every step needs, such as optimizer state. */
    public static final int WARM_UP = 2;

    /** The part of the steps at the beginning in which what every step needs comes to be. */
    public static final double WARM_UP_SHARE = 0.2;
    /** The thresholds that the program uses: fewer steps than that many rises and a warm-up of two cannot hold the rises. */
    public static final Thresholds DEFAULT =
            new Thresholds(WARM_UP + Ratchet.FEWEST_RISES, Ratchet.FEWEST_RISES, Ratchet.FEWEST_RISES_OF_TURNOVER);
}
