package dev.leakline.join;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;

/**
 * Finds the event after which most storages of a dump are live blocks.
 *
 * <p>All of them were, at that moment, and at others fewer, because a storage's place and size are seldom taken twice in the same way. Where
 * they are, since every step does the same, the time decides; recordings without times mostly end when the dump is made. So it does not
 * matter whether the clocks of both agree, nor whether the snapshot was written long after the dump, when all that leaked was gone.
 *
 * @param event the event after which it was; {@link Lifetimes#BEFORE} before the first
 * @param found storages that were blocks then
 */
record DumpMoment(int event, int found) {
    /** Looks for the moment of a dump that was made at a time, in Unix microseconds. */
    static DumpMoment of(Lifetimes lifetimes, DeviceStorages storages, long timeMicros) {
        DeviceEvents events = lifetimes.events();
        int found = before(lifetimes, storages);
        DumpMoment best = new DumpMoment(Lifetimes.BEFORE, found);
        for (int event = 0; event < events.count(); event++) {
            found += change(lifetimes, storages, event);
            boolean isNearer =
                    best.event < 0 || distance(events, event, timeMicros) <= distance(events, best.event, timeMicros);
            if (found > best.found || (found == best.found && isNearer)) {
                best = new DumpMoment(event, found);
            }
        }
        return best;
    }

    private static int before(Lifetimes lifetimes, DeviceStorages storages) {
        int found = 0;
        for (IntCursor older : lifetimes.older()) {
            found += isFound(lifetimes, storages, older.value);
        }
        return found;
    }

    /** By how many the storages that are blocks become more at an event. */
    private static int change(Lifetimes lifetimes, DeviceStorages storages, int event) {
        int former = lifetimes.formerTenant(event);
        int ended = former == Lifetimes.NONE ? 0 : isFound(lifetimes, storages, former);
        int allocation = lifetimes.allocation(event);
        if (allocation == Lifetimes.NONE) {
            return -ended;
        }
        boolean isBirth = lifetimes.born(allocation) == event;
        boolean isDeath = lifetimes.died(allocation) == event;
        int sign = isBirth == isDeath ? 0 : isBirth ? 1 : -1;
        return (sign == 0 ? 0 : sign * isFound(lifetimes, storages, allocation)) - ended;
    }

    private static int isFound(Lifetimes lifetimes, DeviceStorages storages, int allocation) {
        return storages.of(lifetimes, allocation) == DeviceStorages.NONE ? 0 : 1;
    }

    private static long distance(DeviceEvents events, int event, long timeMicros) {
        return Math.abs(events.timeMicros(event) - timeMicros);
    }
}
