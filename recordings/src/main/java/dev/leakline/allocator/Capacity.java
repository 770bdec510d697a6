package dev.leakline.allocator;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.known.SizeRules;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.result.WhatIf.MemorySource;

/**
 * The memory of a device that a job can use.
 *
 * <p>No recording says it, but a request that failed shows it: what the allocator had, and what the device had free, were together too
 * little. Where the device had enough free, the job has a limit of its own, which is below what it requested. Of several failures the
 * one that leaves least counts, as long as the job has not taken more at another time.
 *
 * @param bytes 0 where it is not known
 * @param source how it is known
 */
record Capacity(long bytes, MemorySource source) {
    /** The given memory if it is not 0, else what the recording shows. */
    static Capacity of(long given, SnapshotColumns columns, DeviceEvents events, Workload workload) {
        ReservedHistory history = workload.history();
        if (given > 0) {
            return new Capacity(given, MemorySource.GIVEN);
        }
        if (history.failures() == 0) {
            return new Capacity(0, MemorySource.UNKNOWN);
        }
        long least = Long.MAX_VALUE;
        for (int failure = 0; failure < history.failures(); failure++) {
            int event = history.event(failure);
            long free = columns.events.deviceFree(events.row(event));
            long asked = SizeRules.segmentSize(
                    events.size(event), workload.settings().largeSegmentSize());
            least = Math.min(
                    least, history.reserved(failure) + Math.clamp(free, 0, Math.max(asked - SimulatedDriver.PAGE, 0)));
        }
        return new Capacity(Math.max(least, history.most()), MemorySource.FAILED_REQUEST);
    }

    /** A device that gives a job so much, of which the settings let it take a share. */
    SimulatedDriver driver(AllocatorSettings settings, long firstAddress) {
        double share = source == MemorySource.FAILED_REQUEST ? settings.perProcessMemoryFraction() : 1;
        long total = source == MemorySource.UNKNOWN ? RecordedDriver.BOUNDLESS : (long) Math.ceil(bytes / share);
        return new SimulatedDriver(total, 0, firstAddress);
    }
}
