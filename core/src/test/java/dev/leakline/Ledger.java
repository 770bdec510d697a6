package dev.leakline;

import dev.leakline.columns.Action;
import dev.leakline.columns.BlockState;
import dev.leakline.columns.EventColumns;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.SnapshotColumns.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The account of a device, kept by a plain reading of its events: requested bytes that were there, that came, that went, and that are live at
 * the end. It shares nothing with the analysis but the columns.
 */
final class Ledger {
    private final SnapshotColumns columns;
    private final EventColumns events;
    private final int device;
    /** Requested bytes of what is live, by address. */
    private final Map<Long, Long> live = new HashMap<>();
    /** Requested bytes of what was freed last at an address, where nothing says when its streams were done with it. */
    private final Map<Long, Long> waiting = new HashMap<>();
    /** The last change of what is live at such an address. */
    private final Map<Long, Integer> lastChanges = new HashMap<>();

    private final List<Integer> rows = new ArrayList<>();
    private final List<Long> changes = new ArrayList<>();
    long start;
    long allocated;
    long freed;
    long peak;
    int lostFrees;
    int unknownFrees;
    long unknownFreeBytes;
    int unsized;
    long activeBytes;
    long segmentBytes;

    Ledger(SnapshotColumns columns, int device) {
        this.columns = columns;
        this.events = columns.events;
        this.device = device;
        for (Trace trace : columns.traces) {
            for (int row = trace.first(); trace.device() == device && row < trace.first() + trace.count(); row++) {
                rows.add(row);
            }
        }
        rows.sort(Comparator.comparingLong(events::timeMicros));
        Action end = has(Action.FREE_COMPLETED) || !has(Action.FREE_REQUESTED)
                ? Action.FREE_COMPLETED
                : Action.FREE_REQUESTED;
        rows.forEach(row -> changes.add(take(row, end)));
        for (int segment = 0; segment < columns.segments.size(); segment++) {
            take(columns.segments.row(segment));
        }
        long now = start;
        peak = now;
        for (long change : changes) {
            now += change;
            peak = Math.max(peak, now);
        }
    }

    private boolean has(Action action) {
        return rows.stream().anyMatch(row -> events.action(row) == action);
    }

    /** By how much an event changes what is live. */
    private long take(int row, Action end) {
        Action action = events.action(row);
        long address = events.address(row);
        long size = events.size(row);
        if (action == Action.ALLOC) {
            unsized += size == 0 ? 1 : 0;
            Long former = live.put(address, size);
            lostFrees += former == null ? 0 : 1;
            freed += former == null ? 0 : former;
            allocated += size;
            return size - (former == null ? 0 : former);
        }
        if (action != Action.FREE_REQUESTED && action != Action.FREE_COMPLETED) {
            return 0;
        }
        if (!live.containsKey(address)) {
            unsized += size == 0 ? 1 : 0;
            unknownFrees++;
            unknownFreeBytes += size;
            start += size;
            live.put(address, size);
        }
        if (end == Action.FREE_REQUESTED) {
            waiting.put(address, live.get(address));
            lastChanges.put(address, changes.size());
        }
        if (action != end) {
            return 0;
        }
        long gone = live.remove(address);
        freed += gone;
        return -gone;
    }

    private void take(SegmentColumns.Row segment) {
        if (segment.device() != device) {
            return;
        }
        segmentBytes += segment.totalSize();
        for (int block = segment.firstBlock(); block < segment.firstBlock() + segment.blockCount(); block++) {
            BlockState state = columns.blocks.state(block);
            if (state != BlockState.INACTIVE) {
                activeBytes += columns.blocks.size(block);
                takeActive(columns.blocks.address(block), columns.blocks.requestedSize(block), state);
            }
        }
    }

    /** An active block holds what is live there, or what still waits for its streams, or what was there all the time. */
    private void takeActive(long address, long requested, BlockState state) {
        if (live.containsKey(address)) {
            return;
        }
        if (state == BlockState.PENDING_FREE && waiting.containsKey(address)) {
            Integer change = lastChanges.remove(address);
            if (change != null) {
                freed -= waiting.get(address);
                changes.set(change, changes.get(change) + waiting.get(address));
            }
            return;
        }
        unsized += requested == 0 ? 1 : 0;
        start += requested;
    }

    /** Requested bytes that are live at the end. */
    long end() {
        return start + allocated - freed;
    }
}
