package dev.leakline.detect;

/**
 * The numbers that decide, each with its reason. Tests vary them; users do not.
 *
 * @param fewestSteps steps below which nothing is judged by its growth
 * @param fewestRises steps in which something must have grown to count as growing
 * @param fewestRisesOfTurnover the same for what is let go of after a while, such as the entries of a cache
 */
record Thresholds(int fewestSteps, int fewestRises, int fewestRisesOfTurnover) {
    /** Steps at the beginning that tune kernels and make what every step needs, such as optimizer state. */
    static final int WARM_UP = 2;

    /**
     * What the program uses.
     *
     * <p>Rises: if a rise were as likely as a fall, six rises in a row would be seen once in 64 times, which is below the customary one
     * in twenty even when two lines are tested; five would not. Steps: fewer than that plus a warm-up of two cannot hold six rises.
     * Turnover: a full cache of entries of random sizes rises now and then as well; in thousands of simulated ones of 8 to 64 entries that
     * was at most 12 times, and a queue that really grows does so at every second step or so.
     */
    static final Thresholds DEFAULT = new Thresholds(8, 6, 18);
}
