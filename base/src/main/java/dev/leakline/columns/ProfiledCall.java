package dev.leakline.columns;

import org.jspecify.annotations.Nullable;

/**
 * One call of a function that a profiler watched. Sizes in bytes; the names of its figures are those of gpumemprof's {@code ProfileResult},
 * whose files it is read from.
 *
 * @param function the function's name
 * @param seconds how long the call took, by the clock on the wall
 * @param before counters before the call
 * @param after counters after it
 * @param peak the highest counters within it, taken when it ended
 * @param allocated by how much more is allocated after the call than before, at least 0; 0 for a call that raised
 * @param freed by how much less, at least 0
 * @param tensorsCreated how many more tensors there are after it, at least 0
 * @param tensorsDeleted how many fewer, at least 0
 * @param calls how many calls this stands for, 1 in all known files
 */
public record ProfiledCall(
        String function,
        double seconds,
        Sample before,
        Sample after,
        Sample peak,
        long allocated,
        long freed,
        int tensorsCreated,
        int tensorsDeleted,
        int calls) {
    /** The change of allocated memory, in either direction. */
    public long difference() {
        return after.allocated - before.allocated;
    }

    /**
     * Counters of the allocator at one moment, bytes.
     *
     * @param time Unix seconds
     * @param allocated in live tensors
     * @param reserved from the driver
     * @param mostAllocated the most that was allocated since the last reset
     * @param mostReserved the most that was reserved since the last reset
     * @param active in live blocks
     * @param inactive in free parts of split blocks
     * @param host in use on the host
     * @param device the ordinal
     * @param operation what the sample was taken for, null where nobody said
     */
    public record Sample(
            double time,
            long allocated,
            long reserved,
            long mostAllocated,
            long mostReserved,
            long active,
            long inactive,
            long host,
            int device,
            @Nullable String operation) {}
}
