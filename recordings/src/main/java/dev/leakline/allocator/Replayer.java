package dev.leakline.allocator;

import dev.leakline.allocator.AllocatorStats.Share;

/** Makes replays of a workload by the rules of a version, on a device with so much memory. */
record Replayer(Workload workload, AllocatorRules rules, Capacity capacity) {
    /** Addresses beyond those of any process, for segments that no recording has. */
    private static final long BEYOND = 1L << 48;

    /** The same on a device with other memory. */
    Replayer with(long bytes) {
        return new Replayer(workload, rules, new Capacity(bytes, capacity.source()));
    }

    /** A replay of all that is asked. */
    Replay whole(AllocatorSettings settings) {
        return new Replay(workload, settings, rules, driver(settings), Replay.Observer.NONE);
    }

    /** A replay of what is asked of half of each pool. */
    HalfReplay half(Share half, AllocatorSettings settings) {
        return new HalfReplay(workload, half, whole(settings));
    }

    private SimulatedDriver driver(AllocatorSettings settings) {
        return capacity.driver(settings, BEYOND);
    }

    /** Bytes that may be held from the driver. */
    long limit(AllocatorSettings settings) {
        SimulatedDriver driver = driver(settings);
        return Math.min(driver.totalBytes(), CachingAllocator.limit(settings, driver));
    }
}
