package dev.leakline.allocator;

import dev.leakline.columns.Action;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.DeviceEvents;
import java.util.Locale;

/**
 * Distinguishes memory that the program returned, with {@code torch.cuda.empty_cache()}, from memory that the allocator returned by itself
 * to meet a request.
 *
 * <p>Where nothing comes from the driver right after, no request was behind it. Where something does, the request and what was released
 * for it have one stack; what has another (that of the call, or of when the segment came, according to the recording's context) is not the
 * request's. Where that does not tell, the amounts do: the allocator gives back only after the driver refused, and a driver that gave more
 * at another time had no reason to. (Garbage collection gives back earlier.) At the highest level of all that does not tell either; then
 * only a replay can, which knows whether the request could have been met from the cache.
 */
final class EmptiedCache {
    /** The possible answers. */
    enum Answer {
        /** The program gave it back. */
        YES,
        /** The allocator did. */
        NO,
        /** Either. */
        UNKNOWN
    }

    private final SnapshotColumns columns;
    private final DeviceEvents events;
    private final boolean collects;
    private final long most;

    /** {@code most} is the most that was ever reserved, in bytes. */
    EmptiedCache(SnapshotColumns columns, DeviceEvents events, AllocatorSettings settings, long most) {
        this.columns = columns;
        this.events = events;
        this.collects = settings.garbageCollectionThreshold() > 0;
        this.most = most;
    }

    /** Returns whether the program emptied the cache at an event that begins a run of releases, before which so much was reserved. */
    Answer isAsked(int event, long reserved) {
        int next = event;
        while (next < events.count() && isPartOfRelease(events.action(next))) {
            next++;
        }
        Action behind = next == events.count() ? Action.UNKNOWN : events.action(next);
        if (behind == Action.OOM) {
            return Answer.NO;
        }
        return behind.isGift() ? isAskedBeforeRequest(event, next, reserved + events.size(next)) : Answer.YES;
    }

    private Answer isAskedBeforeRequest(int event, int gift, long wanted) {
        int stack = events.stack(event);
        if (columns.stacks.depth(stack) > 0 && (stack != events.stack(gift) || hasCall(stack))) {
            return Answer.YES;
        }
        return wanted <= most && !collects ? Answer.YES : Answer.UNKNOWN;
    }

    /** Returns whether the allocator may do this between a refusal of the driver and its next call; frees that it waits for complete then. */
    private static boolean isPartOfRelease(Action action) {
        return action.isRelease() || action == Action.FREE_COMPLETED;
    }

    /** Returns whether a stack comes through a call of Python's empty_cache or of C++'s emptyCache. */
    private boolean hasCall(int stack) {
        for (int at = 0; at < columns.stacks.depth(stack); at++) {
            String function = columns.frames.function(columns.stacks.frame(stack, at));
            if (function.replace("_", "").toLowerCase(Locale.ROOT).contains("emptycache")) {
                return true;
            }
        }
        return false;
    }
}
