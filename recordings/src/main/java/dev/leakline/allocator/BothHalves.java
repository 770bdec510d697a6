package dev.leakline.allocator;

import dev.leakline.result.WhatIf.Trial;

/** The memory that both halves of the pools held together under one setting. */
final class BothHalves {
    private final HalfReplay small;
    private final HalfReplay large;
    private long peak;
    private long peakReserved;

    /** Both where the recording begins. */
    BothHalves(HalfReplay small, HalfReplay large) {
        this.small = small;
        this.large = large;
        this.peak = small.active() + large.active();
        this.peakReserved = small.reserved() + large.reserved();
    }

    /** Adds up the latest operations, so many. */
    void add(int operations) {
        for (int i = 0; i < operations; i++) {
            peak = Math.max(peak, small.active(i) + large.active(i));
            peakReserved = Math.max(peakReserved, small.reserved(i) + large.reserved(i));
        }
    }

    /** Returns whether neither half lacked memory, nor both together would have with so much. */
    boolean fit(long limit) {
        return !small.isRefused() && !large.isRefused() && peakReserved <= limit;
    }

    /** The outcome that a replay of both would have had. */
    Trial trial(AllocatorSettings settings) {
        return new Trial(
                settings.conf(),
                peakReserved,
                peak,
                small.driverAllocations() + large.driverAllocations(),
                small.driverFrees() + large.driverFrees(),
                0,
                0,
                null);
    }
}
