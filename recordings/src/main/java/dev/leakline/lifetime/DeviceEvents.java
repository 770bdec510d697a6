package dev.leakline.lifetime;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.Action;
import dev.leakline.columns.EventColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.SnapshotColumns.Trace;
import dev.leakline.primitive.Bisection;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The events of one device in the order in which they happened, numbered from 0.
 *
 * <p>That is file order, but for recordings whose buffer was enlarged after it had wrapped: their events come rotated (torch
 * up to 2.14 at least). Times tell, so such a trace is sorted by time; events of equal time keep their order.
 */
public final class DeviceEvents {
    private final EventColumns events;
    private final int first;
    private final int count;
    private final int @Nullable [] order;
    private final IntArrayList failed = new IntArrayList();
    private final IntArrayList driverCalls = new IntArrayList();
    private boolean hasRequests;
    private boolean hasCompletions;

    /** The events of a trace, of which one look tells the order and the few that others need apart. */
    public DeviceEvents(SnapshotColumns columns, Trace trace) {
        this.events = columns.events;
        this.first = trace.first();
        this.count = trace.count();
        this.order = look() ? null : sorted();
        if (order != null) {
            failed.clear();
            driverCalls.clear();
            for (int event = 0; event < count; event++) {
                take(event, action(event));
            }
        }
    }

    /** Takes the events in the order of their rows, and answers whether that is the order of their times. */
    private boolean look() {
        boolean isInOrder = true;
        long last = Long.MIN_VALUE;
        for (int event = 0; event < count; event++) {
            long time = events.timeMicros(first + event);
            isInOrder &= time >= last;
            last = time;
            take(event, events.action(first + event));
        }
        return isInOrder;
    }

    private void take(int event, Action action) {
        switch (action) {
            case OOM -> failed.add(event);
            case SEGMENT_ALLOC, SEGMENT_MAP, SEGMENT_FREE, SEGMENT_UNMAP -> driverCalls.add(event);
            case FREE_REQUESTED -> hasRequests = true;
            case FREE_COMPLETED -> hasCompletions = true;
            default -> {}
        }
    }

    /** Requests that could not be met, of {@link Action#OOM}; not to be written to. */
    public IntArrayList failed() {
        return failed;
    }

    /** Events by which memory came from the driver or went back to it; not to be written to. */
    public IntArrayList driverCalls() {
        return driverCalls;
    }

    /** The event that ends an allocation: the second that a free has, or the first where none has a second. */
    Action end() {
        return hasCompletions || !hasRequests ? Action.FREE_COMPLETED : Action.FREE_REQUESTED;
    }

    /** Events. */
    public int count() {
        return count;
    }

    /** Returns whether the file had them in another order. */
    public boolean isResorted() {
        return order != null;
    }

    /** The row of {@link EventColumns} that holds an event. */
    public int row(int event) {
        return first + (order == null ? event : order[event]);
    }

    /** The action of an event. */
    public Action action(int event) {
        return events.action(row(event));
    }

    /** Bytes; see {@link EventColumns}. */
    public long size(int event) {
        return events.size(row(event));
    }

    /** The change of reserved memory by an event, in bytes. */
    public long reservedChange(int event) {
        Action action = action(event);
        return action.isGift() ? size(event) : action.isRelease() ? -size(event) : 0;
    }

    /** Unix microseconds, 0 where the recording has no times. */
    public long timeMicros(int event) {
        return events.timeMicros(row(event));
    }

    /** The first event at or after a time in Unix microseconds; {@link #count()} if there is none. */
    public int firstFrom(long timeMicros) {
        return Bisection.first(count, event -> timeMicros(event) >= timeMicros);
    }

    /** The stream's raw handle; 0 is the default stream, and stands for all where the recorder names none. */
    public long stream(int event) {
        return events.stream(row(event));
    }

    /** The stack's number. */
    public int stack(int event) {
        return events.stack(row(event));
    }

    private int[] sorted() {
        return IntStream.range(0, count)
                .boxed()
                .sorted((a, b) -> Long.compare(events.timeMicros(first + a), events.timeMicros(first + b)))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
