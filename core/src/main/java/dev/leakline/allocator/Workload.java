package dev.leakline.allocator;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.primitive.IntColumn;
import java.util.Arrays;

/**
 * The requests of a program to the allocator of one device, in order: a recording without everything that the allocator decided by itself.
 * To replay it under other settings is to ask the same again.
 *
 * <p>Three things are concluded rather than read.
 *
 * <ul>
 *   <li>Memory that goes back to the driver is the program's doing only where it emptied the cache; see {@link EmptiedCache}.
 *   <li>A free that is completed at the next event was completed at once. Any other waited for streams. When the program ran again into
 *       these streams is the recording's to say, and is the same under all settings.
 *   <li>Frees that are completed just before segments go back, or a request fails, were waited for: a request had failed once, and the
 *       allocator synchronized with all streams. In a replay they come after that request, which does the same where it must.
 * </ul>
 *
 * <p>Read-only after construction, any number of threads.
 */
final class Workload {
    /** The kinds of operations. */
    enum Operation {
        /** Memory; the subject is the allocation that comes of it. */
        ALLOCATE,
        /** Frees a subject, and its memory is free at once. */
        FREE,
        /** Frees a subject that other streams still use. */
        FREE_LATER,
        /** The streams are done with a subject. */
        COMPLETE,
        /** To give back what is cached. */
        EMPTY_CACHE,
        /**
         * To give back what is cached, if the request that comes next could be met from it: then nobody but the program can have
         * emptied it. Else it was the allocator, which needs no telling.
         */
        MAYBE_EMPTY_CACHE,
        /** Memory that was refused when it was recorded. There is no subject. */
        FAIL;

        private static final Operation[] VALUES = values();

        @SuppressWarnings("EnumOrdinal") // columns live no longer than the process
        private int code() {
            return ordinal();
        }
    }

    private static final int OPERATION_BITS = 3;

    private final SnapshotColumns columns;
    private final Lifetimes lifetimes;
    private final DeviceEvents events;
    /** Subject and operation. */
    private final IntColumn asked = new IntColumn();
    /** The event that shows it. */
    private final IntColumn at = new IntColumn();

    /** Frees that are completed in a row, which whatever comes next may have waited for. */
    private final IntArrayList completed = new IntArrayList();
    /** Such frees, to be completed after the request that waited for them. */
    private final IntArrayList awaited = new IntArrayList();

    private final AllocatorSettings settings;
    private final EventPools pools;
    private final StartState start;
    private final ReservedHistory history;
    private final EmptiedCache emptied;
    /** Bytes from the driver at the event that is looked at. */
    private long reserved;

    private boolean isReleasing;
    /** The sizes that are requested. */
    private final SeededLongSet requested = new SeededLongSet();

    /** Makes the workload of a recorded device, whose program ran under some settings. */
    Workload(SnapshotColumns columns, Lifetimes lifetimes, AllocatorSettings settings) {
        this.columns = columns;
        this.lifetimes = lifetimes;
        this.events = lifetimes.events();
        this.settings = settings;
        this.pools = new EventPools(columns, lifetimes.device());
        this.start = new StartState(columns, lifetimes, settings);
        this.history = new ReservedHistory(events, start.reserved());
        this.emptied = new EmptiedCache(columns, events, settings, history.most());
        this.reserved = start.reserved();
        for (int event = 0; event < events.count(); event++) {
            take(event);
        }
        endCompletions(events.count() - 1);
    }

    private void take(int event) {
        switch (events.action(event)) {
            case ALLOC -> allocate(event);
            case FREE_REQUESTED -> letGo(event);
            case FREE_COMPLETED -> complete(event);
            case OOM -> fail(event);
            case SEGMENT_FREE, SEGMENT_UNMAP -> {
                release(event);
                reserved -= events.size(event);
            }
            case SEGMENT_ALLOC, SEGMENT_MAP -> {
                endCompletions(event);
                reserved += events.size(event);
            }
            default -> {}
        }
    }

    private void allocate(int event) {
        endCompletions(event);
        int former = lifetimes.formerTenant(event);
        if (former != Lifetimes.NONE) {
            add(Operation.FREE, former, event);
        }
        add(Operation.ALLOCATE, lifetimes.allocation(event), event);
        endRequest(event);
    }

    private void fail(int event) {
        await();
        endCompletions(event);
        add(Operation.FAIL, 0, event);
        endRequest(event);
    }

    private void endRequest(int event) {
        for (int i = 0; i < awaited.size(); i++) {
            add(Operation.COMPLETE, awaited.get(i), event);
        }
        awaited.clear();
        isReleasing = false;
        requested.add(events.size(event));
    }

    private void letGo(int event) {
        endCompletions(event);
        isReleasing = false;
        int allocation = lifetimes.allocation(event);
        int died = lifetimes.died(allocation);
        boolean isAtOnce = died == event || died == event + 1;
        add(isAtOnce ? Operation.FREE : Operation.FREE_LATER, allocation, event);
    }

    private void complete(int event) {
        int allocation = lifetimes.allocation(event);
        int requested = lifetimes.freeRequested(allocation);
        if (requested == Lifetimes.NEVER) {
            endCompletions(event);
            add(Operation.FREE, allocation, event);
        } else if (requested != event - 1) {
            completed.add(allocation);
        }
    }

    private void release(int event) {
        if (isReleasing) {
            await();
            return;
        }
        isReleasing = true;
        EmptiedCache.Answer answer = emptied.isAsked(event, reserved);
        if (answer == EmptiedCache.Answer.YES) {
            endCompletions(event);
            add(Operation.EMPTY_CACHE, 0, event);
        } else {
            await();
        }
        if (answer == EmptiedCache.Answer.UNKNOWN) {
            add(Operation.MAYBE_EMPTY_CACHE, 0, event);
        }
    }

    private void await() {
        awaited.addAll(completed);
        completed.clear();
    }

    private void endCompletions(int event) {
        for (int i = 0; i < completed.size(); i++) {
            add(Operation.COMPLETE, completed.get(i), event);
        }
        completed.clear();
    }

    private void add(Operation operation, int subject, int event) {
        asked.add(subject << OPERATION_BITS | operation.code());
        at.add(event);
    }

    /** Says that the program did empty the cache where that was in doubt; not while others read. */
    void settle(int index) {
        asked.set(index, Operation.EMPTY_CACHE.code());
    }

    /** Operations. */
    int size() {
        return at.size();
    }

    /** What is asked. */
    Operation operation(int index) {
        return Operation.VALUES[asked.get(index) & (1 << OPERATION_BITS) - 1];
    }

    /** The allocation that it is about, a row of the {@link Lifetimes}. */
    int subject(int index) {
        return asked.get(index) >>> OPERATION_BITS;
    }

    /** The event that shows it. */
    int event(int index) {
        return at.get(index);
    }

    /** Bytes requested by {@link Operation#ALLOCATE} and {@link Operation#FAIL}. */
    long bytes(int index) {
        return events.size(event(index));
    }

    /** The stream for which is asked. */
    long stream(int index) {
        return columns.events.stream(events.row(event(index)));
    }

    /** The number of the memory pool that is asked. */
    int pool(int index) {
        return pools.of(events.row(event(index)));
    }

    /** The sizes that are requested, each once, the largest last. */
    long[] sizes() {
        long[] sizes = requested.toArray();
        Arrays.sort(sizes);
        return sizes;
    }

    /** Allocations, rows of the {@link Lifetimes}. */
    int allocations() {
        return lifetimes.count();
    }

    /** The settings that the program ran under. */
    AllocatorSettings settings() {
        return settings;
    }

    /** Reserved memory over time. */
    ReservedHistory history() {
        return history;
    }

    /** The state before the first operation. */
    StartState start() {
        return start;
    }
}
