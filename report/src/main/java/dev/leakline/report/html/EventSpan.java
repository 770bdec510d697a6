package dev.leakline.report.html;

import dev.leakline.primitive.Ints;
import dev.leakline.result.Picture.Allocations;

/** How many events pass in the life of an allocation: small numbers, and alike. */
final class EventSpan {
    private EventSpan() {}

    /** Events from birth to death; 0 for never. */
    static int life(Allocations allocations, int row) {
        return sinceBirth(allocations, allocations.died(), row, 0);
    }

    /** One more than the events from birth until the program freed it, and it then waited; 0 for never. */
    static int untilReleased(Allocations allocations, int row) {
        return sinceBirth(allocations, allocations.released(), row, 1);
    }

    /** Events from birth to another event, and {@code more}, so that it is never 0. */
    private static int sinceBirth(Allocations allocations, Ints events, int row, int more) {
        return events.get(row) == Integer.MAX_VALUE
                ? 0
                : events.get(row) - allocations.born().get(row) + more;
    }
}
