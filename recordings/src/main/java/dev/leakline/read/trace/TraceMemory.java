package dev.leakline.read.trace;

import dev.leakline.primitive.PackedTable;

/** The memory events of a trace, one row each, in file order; bytes, and times in nanoseconds. */
final class TraceMemory {
    /** A number that an event does not state. */
    static final long UNKNOWN = -1;

    private static final int TIME = 0;
    private static final int BYTES = 1;
    private static final int ADDRESS = 2;
    private static final int ALLOCATED = 3;
    private static final int RESERVED = 4;
    private static final int DEVICE = 5;
    private static final int THREAD = 6;
    private static final int FAILED = 7;

    private final PackedTable rows = new PackedTable(FAILED + 1);

    /**
     * Appends an event.
     *
     * @param bytes that were allocated, or, below zero, freed
     * @param address unsigned, {@link #UNKNOWN} where the event has none
     * @param allocated in all, after it
     * @param reserved from the driver, after it
     * @param device the ordinal, or that of the host
     * @param isFailed whether a request for this much failed
     */
    void add(
            long time,
            long bytes,
            long address,
            long allocated,
            long reserved,
            int device,
            int thread,
            boolean isFailed) {
        rows.set(TIME, time);
        rows.set(BYTES, bytes);
        rows.set(ADDRESS, address);
        rows.set(ALLOCATED, allocated);
        rows.set(RESERVED, reserved);
        rows.set(DEVICE, device);
        rows.set(THREAD, thread);
        rows.set(FAILED, isFailed ? 1 : 0);
        rows.endRow();
    }

    long time(int event) {
        return rows.get(TIME, event);
    }

    long bytes(int event) {
        return rows.get(BYTES, event);
    }

    long address(int event) {
        return rows.get(ADDRESS, event);
    }

    long allocated(int event) {
        return rows.get(ALLOCATED, event);
    }

    long reserved(int event) {
        return rows.get(RESERVED, event);
    }

    int device(int event) {
        return (int) rows.get(DEVICE, event);
    }

    int thread(int event) {
        return (int) rows.get(THREAD, event);
    }

    boolean isFailed(int event) {
        return rows.get(FAILED, event) != 0;
    }

    int size() {
        return rows.size();
    }

    /** The rows by their times. */
    int[] byTime() {
        return TimeOrder.of(size(), this::time, (_, _) -> 0);
    }
}
