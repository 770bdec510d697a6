package dev.leakline.allocator;

import dev.leakline.allocator.AllocatorStats.Quantity;
import dev.leakline.allocator.AllocatorStats.Share;

/** A replay of what is asked of half of each pool, which remembers what was held during each of the latest operations. */
final class HalfReplay {
    /** Operations that are replayed at a time: what is remembered of them fits the processor's caches. */
    static final int MOST = 1 << 12;

    private final Workload workload;
    private final Share half;
    private final Replay replay;
    private final long[] active = new long[MOST];
    private final long[] reserved = new long[MOST];

    HalfReplay(Workload workload, Share half, Replay replay) {
        this.workload = workload;
        this.half = half;
        this.replay = replay;
    }

    /** Carries out the operations from one until before another, {@link #MOST} at the most; to be called for each in order. */
    void advance(int from, int to) {
        boolean isLarge = half == Share.LARGE_POOL;
        long live = active();
        long held = reserved();
        for (int index = from; index < to; index++) {
            if (workload.isAbout(isLarge, index)) {
                replay.step(index);
                live = active();
                held = reserved();
            }
            active[index - from] = live;
            reserved[index - from] = held;
        }
    }

    /** Bytes of blocks that the program holds, or whose free is pending. */
    long active() {
        return stats().current(Quantity.ACTIVE_BYTES, half);
    }

    /** Bytes held from the driver. */
    long reserved() {
        return stats().current(Quantity.RESERVED_BYTES, half);
    }

    /** The {@link #active()} bytes after one of the latest operations, which count from 0. */
    long active(int operation) {
        return active[operation];
    }

    /** The {@link #reserved()} bytes after one of the latest operations, which count from 0. */
    long reserved(int operation) {
        return reserved[operation];
    }

    long driverAllocations() {
        return stats().driverAllocations(half);
    }

    long driverFrees() {
        return stats().driverFrees(half);
    }

    /** Returns whether any memory was refused, so that the other half would have mattered. */
    boolean isRefused() {
        return replay.isRefused();
    }

    private AllocatorStats stats() {
        return replay.stats();
    }
}
