package dev.leakline.lifetime;

import static dev.leakline.lifetime.Lifetimes.NEVER;
import static dev.leakline.lifetime.Lifetimes.NONE;

import dev.leakline.columns.Action;
import dev.leakline.columns.BlockState;
import dev.leakline.columns.EventColumns;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.SnapshotColumns.Trace;
import dev.leakline.hash.SeededLongIntMap;
import java.util.Set;
import java.util.TreeSet;

/**
 * Pairs what was allocated with what freed it.
 *
 * <p>Events name memory by its address, and an address is used again and again. Going forward, an alloc opens an allocation at its
 * address and a free closes the one that is open there. Three things that a recording does not say are concluded:
 *
 * <ul>
 *   <li>A free where nothing is open frees something older than the recording (or older than what the ring buffer kept). It opens an
 *       allocation that was born before, with the size that the free repeats.
 *   <li>An active block of the final state where nothing is open lived through the whole recording.
 *   <li>An alloc where something is open shows that a free is missing (events can be skipped when recording): the former tenant
 *       died at the latest now.
 * </ul>
 *
 * <p>Memory that other streams still use is freed twice, so to speak: {@code free_requested} when the program frees it,
 * {@code free_completed} when the streams are done. It holds memory until then. A recording without any of the second kind was told
 * to skip them, or all that was freed still waits for its streams: then the first kind ends an allocation, unless the final state
 * has its block waiting.
 */
public final class LifetimeBuilder {
    private final SnapshotColumns columns;
    private final EventColumns rows;
    private final DeviceEvents events;
    private final int device;
    private final Lifetimes.Table table = new Lifetimes.Table();
    /** Allocations plus one, by address in use; 0 for unknown addresses. */
    private final SeededLongIntMap open = new SeededLongIntMap();

    /** Allocations that {@code free_requested} ended, plus one, by address; only where nothing else ends them. */
    private final SeededLongIntMap requested = new SeededLongIntMap();

    private LifetimeBuilder(SnapshotColumns columns, Trace trace) {
        this.columns = columns;
        this.rows = columns.events;
        this.events = new DeviceEvents(columns, trace);
        this.device = trace.device();
    }

    /** The devices that a snapshot says anything about, in order; the {@link SnapshotColumns#HOST} comes first. */
    public static Set<Integer> devices(SnapshotColumns columns) {
        Set<Integer> devices = new TreeSet<>();
        columns.traces.stream().filter(trace -> trace.count() > 0).forEach(trace -> devices.add(trace.device()));
        for (int segment = 0; segment < columns.segments.size(); segment++) {
            devices.add(columns.segments.row(segment).device());
        }
        return devices;
    }

    /** The allocations of a device. */
    public static Lifetimes build(SnapshotColumns columns, int device) {
        Trace trace = columns.traces.stream()
                .filter(candidate -> candidate.device() == device)
                .findFirst()
                .orElse(new Trace(device, 0, 0));
        return new LifetimeBuilder(columns, trace).build();
    }

    private Lifetimes build() {
        Action end = events.end();
        for (int event = 0; event < events.count(); event++) {
            table.allocations.add(take(event, end));
        }
        takeFinalState();
        return new Lifetimes(columns, device, events, table);
    }

    /** Takes an event and answers the allocation that it is about. */
    private int take(int event, Action end) {
        int row = events.row(event);
        Action action = rows.action(row);
        return switch (action) {
            case ALLOC -> open(event, rows.address(row));
            case FREE_REQUESTED, FREE_COMPLETED -> free(event, rows.address(row), action, end);
            default -> NONE;
        };
    }

    private int open(int event, long address) {
        int allocation = add(event);
        int former = open.put(address, allocation + 1) - 1;
        if (former >= 0) {
            close(former, event);
        }
        return allocation;
    }

    private void close(int former, int event) {
        table.died.set(former, event);
        table.formerTenants.put(event, former);
    }

    private int free(int event, long address, Action action, Action end) {
        int found = open.get(address) - 1;
        int allocation = found >= 0 ? found : addStranger(event, address);
        if (action == Action.FREE_REQUESTED) {
            table.freeRequested.set(allocation, event);
        }
        if (action == end) {
            table.died.set(allocation, event);
            open.remove(address);
        }
        if (end == Action.FREE_REQUESTED) {
            requested.put(address, allocation + 1);
        }
        return allocation;
    }

    private int addStranger(int event, long address) {
        int allocation = add(-2 - event);
        open.put(address, allocation + 1);
        table.unknownFrees++;
        table.unknownFreeBytes += events.size(event);
        return allocation;
    }

    private int add(int born) {
        if (born < 0) {
            table.older.add(table.born.size());
        }
        table.born.add(born);
        table.freeRequested.add(NEVER);
        table.died.add(NEVER);
        return table.born.size() - 1;
    }

    private void takeFinalState() {
        int matched = 0;
        int live = open.size();
        for (int segment = 0; segment < columns.segments.size(); segment++) {
            SegmentColumns.Row row = columns.segments.row(segment);
            if (row.device() == device) {
                matched += takeBlocks(row);
            }
        }
        table.liveWithoutBlock = Math.max(live - matched, 0);
    }

    /** The known allocation in an active block, or {@link Lifetimes#NONE}; one that waits for streams has not died after all. */
    private int tenant(int block) {
        long address = columns.blocks.address(block);
        int live = open.get(address) - 1;
        int waiting = requested.get(address) - 1;
        if (live < 0 && waiting >= 0 && columns.blocks.state(block) == BlockState.PENDING_FREE) {
            table.died.set(waiting, NEVER);
            return waiting;
        }
        return live;
    }

    /** Finds the allocations in the active blocks of a segment and answers how many were known. */
    private int takeBlocks(SegmentColumns.Row segment) {
        int matched = 0;
        for (int block = segment.firstBlock(); block < segment.firstBlock() + segment.blockCount(); block++) {
            if (columns.blocks.state(block) != BlockState.INACTIVE) {
                int known = tenant(block);
                table.blocks.put(known >= 0 ? known : add(Lifetimes.UNTOUCHED), block);
                matched += known >= 0 ? 1 : 0;
            }
        }
        return matched;
    }
}
