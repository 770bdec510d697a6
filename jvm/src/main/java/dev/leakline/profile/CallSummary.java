package dev.leakline.profile;

import java.time.Duration;

/**
 * The totals of all calls of one name.
 *
 * @param name the name; {@link #OTHERS} for all those for which there was no room
 * @param calls how many ended
 * @param failures how many of them threw
 * @param unmeasured how many could not be measured, because the source failed or too many were open
 * @param shared how many ran beside calls of other threads, whose memory is in their figures
 * @param growing how many left more in use than they found
 * @param growth bytes in use after a call and not before, of all of them together; negative where they gave back more than they took
 * @param ownGrowth the same without what the profiled calls within them kept
 * @param peak the most in use within any
 * @param rise the most by which a call rose above what it found, bytes
 * @param time how long they took together
 * @param longest how long the longest took
 */
public record CallSummary(
        String name,
        long calls,
        long failures,
        long unmeasured,
        long shared,
        long growing,
        long growth,
        long ownGrowth,
        MemoryPeak peak,
        long rise,
        Duration time,
        Duration longest) {
    /** The name that calls share for which there was no room. */
    public static final String OTHERS = "(other names)";

    /** Calls that were measured. */
    public long measured() {
        return calls - unmeasured;
    }

    /** Bytes by which memory grew on average in each call, that of the profiled calls within it left out; 0 where none was measured. */
    public double ownGrowthPerCall() {
        return measured() == 0 ? 0 : (double) ownGrowth / measured();
    }
}
