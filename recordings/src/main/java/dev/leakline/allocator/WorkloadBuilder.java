package dev.leakline.allocator;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.allocator.Workload.Operation;
import dev.leakline.columns.EventColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import java.util.Arrays;

/**
 * Concludes from a recording what its program asked of the allocator.
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
 */
final class WorkloadBuilder {
    private final EventColumns rows;
    private final Lifetimes lifetimes;
    private final DeviceEvents events;
    private final EventPools pools;
    private final EmptiedCache emptied;
    private final Workload workload;
    /** The subject of each allocation that is live. */
    private final int[] subjects;

    /** Frees that are completed in a row, which whatever comes next may have waited for. */
    private final IntArrayList completed = new IntArrayList();
    /** Such frees, to be completed after the request that waited for them. */
    private final IntArrayList awaited = new IntArrayList();

    /** Bytes from the driver at the event that is looked at. */
    private long reserved;

    private boolean isReleasing;

    private WorkloadBuilder(SnapshotColumns columns, Lifetimes lifetimes, Workload workload) {
        this.rows = columns.events;
        this.lifetimes = lifetimes;
        this.events = lifetimes.events();
        this.pools = new EventPools(columns, lifetimes.device());
        this.emptied = new EmptiedCache(
                columns, events, workload.settings(), workload.history().most());
        this.workload = workload;
        this.reserved = workload.start().reserved();
        this.subjects = new int[lifetimes.count()];
        Arrays.fill(subjects, Subjects.NONE);
    }

    /** The workload of a recorded device, whose program ran under some settings. */
    static Workload build(SnapshotColumns columns, Lifetimes lifetimes, AllocatorSettings settings) {
        StartState start = new StartState(columns, lifetimes, settings);
        Workload workload = new Workload(settings, start, new ReservedHistory(lifetimes.events(), start.reserved()));
        new WorkloadBuilder(columns, lifetimes, workload).takeAll();
        return workload;
    }

    private void takeAll() {
        workload.start().forEachTenant((tenant, isLarge) -> subjects[tenant] = workload.begin(isLarge));
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
            end(Operation.FREE, former, event);
        }
        subjects[lifetimes.allocation(event)] = request(Operation.ALLOCATE, event);
        endRequest(event);
    }

    /** A request that was refused; should a replay meet it, it is freed at once, since nobody knows how long it would have been held. */
    private void fail(int event) {
        await();
        endCompletions(event);
        workload.free(Operation.FREE, request(Operation.FAIL, event), event);
        endRequest(event);
    }

    private int request(Operation operation, int event) {
        int row = events.row(event);
        return workload.request(operation, rows.size(row), rows.stream(row), pools.of(row), event);
    }

    private void endRequest(int event) {
        for (int i = 0; i < awaited.size(); i++) {
            end(Operation.COMPLETE, awaited.get(i), event);
        }
        awaited.clear();
        isReleasing = false;
    }

    private void letGo(int event) {
        endCompletions(event);
        isReleasing = false;
        int allocation = lifetimes.allocation(event);
        int died = lifetimes.died(allocation);
        if (died == event || died == event + 1) {
            end(Operation.FREE, allocation, event);
        } else if (subjects[allocation] != Subjects.NONE) {
            workload.add(Operation.FREE_LATER, subjects[allocation], event);
        }
    }

    private void complete(int event) {
        int allocation = lifetimes.allocation(event);
        int requested = lifetimes.freeRequested(allocation);
        if (requested == Lifetimes.NEVER) {
            endCompletions(event);
            end(Operation.FREE, allocation, event);
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
            workload.add(Operation.EMPTY_CACHE, event);
        } else {
            await();
        }
        if (answer == EmptiedCache.Answer.UNKNOWN) {
            workload.add(Operation.MAYBE_EMPTY_CACHE, event);
        }
    }

    private void await() {
        awaited.addAll(completed);
        completed.clear();
    }

    private void endCompletions(int event) {
        for (int i = 0; i < completed.size(); i++) {
            end(Operation.COMPLETE, completed.get(i), event);
        }
        completed.clear();
    }

    /** The end of an allocation, unless it has ended before: a recording that lacks events may free twice. */
    private void end(Operation operation, int allocation, int event) {
        if (subjects[allocation] != Subjects.NONE) {
            workload.free(operation, subjects[allocation], event);
            subjects[allocation] = Subjects.NONE;
        }
    }
}
