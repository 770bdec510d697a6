package dev.leakline.holders;

import java.util.List;

/**
 * The change of a group's container from dump to dump.
 *
 * @param dumps how many dumps there are
 * @param grown items, or bytes where there is no container, by which it grew from the first dump to the last
 * @param isSteady whether it grew from each dump to the next, and did not slow down
 * @param unit what is counted
 */
record Trend(int dumps, long grown, boolean isSteady, String unit) {
    /** Nothing to compare with. */
    static final Trend NONE = new Trend(1, 0, false, "");

    /**
     * Two dumps may stand on either side of something that only filled; a thing that grew twice in a row, and never shrank, does what a leak
     * does.
     */
    private static final int DUMPS_FOR_A_VERDICT = 3;
    /** The least share of the growth per step before: what each step leaks varies with its batch, and a buffer that is full grows no more. */
    private static final double STILL = 0.5;

    /**
     * The trend of a container.
     *
     * @param counted its items, or bytes, in each dump; negative where it was not there
     * @param steps the step of each dump, negative where nobody counts
     * @param rises whether it grew from each dump to the next
     */
    static Trend of(List<Long> counted, List<Long> steps, boolean rises, String unit) {
        long grown = counted.getLast() - Math.max(counted.getFirst(), 0);
        return new Trend(counted.size(), grown, rises && goesOn(counted, steps), unit);
    }

    /** Returns whether it grew as fast since the dump before the last as until then, as far as steps tell. */
    private static boolean goesOn(List<Long> counted, List<Long> steps) {
        int before = counted.size() - 2;
        long stepsBefore = steps.get(before) - steps.getFirst();
        long stepsSince = steps.getLast() - steps.get(before);
        long grownBefore = counted.get(before) - Math.max(counted.getFirst(), 0);
        long grownSince = counted.getLast() - counted.get(before);
        boolean isKnown = steps.getFirst() >= 0 && stepsBefore > 0 && stepsSince > 0;
        return !isKnown || (double) grownSince * stepsBefore >= STILL * grownBefore * stepsSince;
    }

    boolean isLeaking() {
        return isSteady && dumps >= DUMPS_FOR_A_VERDICT;
    }

    boolean hasGrown() {
        return grown > 0 && dumps > 1;
    }

    /** The trend in words. */
    String text() {
        return "grew by " + grown + " " + unit + " in " + dumps + " dumps";
    }
}
