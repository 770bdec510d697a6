package dev.leakline.peak;

import dev.leakline.columns.Action;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;

/**
 * Tells the results of expressions such as {@code images.float() / 255} from what is copied to the device: the line makes two blocks of one size, one after the
 * other, and the first goes when the second is there.
 */
public final class ElementwiseResult {
    private ElementwiseResult() {}

    /** Whether an allocation is one. */
    public static boolean is(Lifetimes lifetimes, int allocation) {
        DeviceEvents events = lifetimes.events();
        int born = lifetimes.born(allocation);
        int before = born - 1;
        while (before >= 0 && events.action(before) != Action.ALLOC) {
            before--;
        }
        if (before < 0 || events.stack(before) != events.stack(born) || events.size(before) != events.size(born)) {
            return false;
        }
        int freed = lifetimes.freed(lifetimes.allocation(before));
        return freed > born && freed <= nextAlloc(events, born);
    }

    private static int nextAlloc(DeviceEvents events, int event) {
        int next = event + 1;
        while (next < events.count() && events.action(next) != Action.ALLOC) {
            next++;
        }
        return next;
    }
}
