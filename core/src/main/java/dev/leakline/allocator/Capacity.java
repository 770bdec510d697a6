package dev.leakline.allocator;

import dev.leakline.columns.Action;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.result.WhatIf.MemorySource;

/**
 * How much of a device a job can take.
 *
 * <p>No recording says it, but a request that failed shows it: what the allocator had, and what the device had free, were together too
 * little. Where the device had enough free, the job has a limit of its own, which is below what it asked for. Of several failures the
 * one that leaves least counts, as long as the job has not taken more at another time.
 *
 * @param bytes 0 where it is not known
 * @param source how it is known
 */
record Capacity(long bytes, MemorySource source) {
    /** The driver gives memory by pages of 2 MiB. */
    private static final long PAGE = 2 << 20;

    /** What somebody said, else what the recording shows. */
    static Capacity of(long given, SnapshotColumns columns, Lifetimes lifetimes, AllocatorSettings settings) {
        if (given > 0) {
            return new Capacity(given, MemorySource.GIVEN);
        }
        DeviceEvents events = lifetimes.events();
        MemoryCurve curve = new MemoryCurve(columns, lifetimes);
        long peak = curve.reserved();
        long least = Long.MAX_VALUE;
        while (curve.next()) {
            peak = Math.max(peak, curve.reserved());
            if (events.action(curve.event()) == Action.OOM) {
                long free = columns.events.deviceFree(events.row(curve.event()));
                long asked = SizeRules.segmentSize(events.size(curve.event()), settings);
                least = Math.min(least, curve.reserved() + Math.clamp(free, 0, Math.max(asked - PAGE, 0)));
            }
        }
        return least == Long.MAX_VALUE
                ? new Capacity(0, MemorySource.UNKNOWN)
                : new Capacity(Math.max(least, peak), MemorySource.FAILED_REQUEST);
    }

    /** A device that gives a job so much, of which the settings let it take a share. */
    SimulatedDriver driver(AllocatorSettings settings, long firstAddress) {
        double share = source == MemorySource.FAILED_REQUEST ? settings.perProcessMemoryFraction() : 1;
        long total = source == MemorySource.UNKNOWN ? RecordedDriver.BOUNDLESS : (long) Math.ceil(bytes / share);
        return new SimulatedDriver(total, 0, firstAddress);
    }
}
