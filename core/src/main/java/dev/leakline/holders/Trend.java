package dev.leakline.holders;

/**
 * The change of a group's container from dump to dump.
 *
 * @param dumps how many dumps there are
 * @param grown items, or bytes where there is no container, by which it grew from the first dump to the last
 * @param isSteady whether it grew from each dump to the next
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
