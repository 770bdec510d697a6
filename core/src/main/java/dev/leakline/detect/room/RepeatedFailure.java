package dev.leakline.detect.room;

import dev.leakline.result.Site;

/**
 * The requests of one site that could not be met. The last of them speaks for all: what came before was met again, or was retried.
 *
 * @param event the event of the last
 * @param count how many
 * @param site the line that asked
 * @param stack the stack that tells most about it
 * @param size what was asked for, in bytes, rounded as the allocator does
 * @param deviceFree the bytes that the device had free, {@link #UNKNOWN} where the recording does not say
 * @param isSurvived whether the program went on
 */
record RepeatedFailure(int event, int count, Site site, int stack, long size, long deviceFree, boolean isSurvived) {
    /** What was free and nobody wrote down. */
    static final long UNKNOWN = -1;

    /** Whether the recording says what the device had free. */
    boolean knowsFree() {
        return deviceFree != UNKNOWN;
    }
}
