package dev.leakline.allocator;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.columns.Action;
import dev.leakline.lifetime.DeviceEvents;

/** Reserved memory in the course of a recording: its maximum, and its value at each failed request. */
final class ReservedHistory {
    private final IntArrayList failures = new IntArrayList();
    private final LongArrayList atFailures = new LongArrayList();
    private long most;

    /** Follows the events from where so many bytes were reserved. */
    ReservedHistory(DeviceEvents events, long start) {
        long reserved = start;
        most = start;
        for (int event = 0; event < events.count(); event++) {
            reserved += events.reservedChange(event);
            if (events.action(event) == Action.OOM) {
                failures.add(event);
                atFailures.add(reserved);
            }
            most = Math.max(most, reserved);
        }
    }

    /** The most that was ever reserved, in bytes. */
    long most() {
        return most;
    }

    /** Requests that failed. */
    int failures() {
        return failures.size();
    }

    /** The event of a request that failed. */
    int event(int failure) {
        return failures.get(failure);
    }

    /** Reserved memory at a failed request. */
    long reserved(int failure) {
        return atFailures.get(failure);
    }
}
