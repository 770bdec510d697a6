package dev.leakline.lifetime;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.Action;
import dev.leakline.columns.Recorder;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The lifetimes of all segments of a device, found in one pass.
 *
 * <p>The final state tells the segments at the end. From there the way goes back, event by event. What the driver gave at an event was not
 * there before; what it took back was. So each piece of memory becomes known by its end, and is complete when its beginning is found; what
 * is left over at the first event was there before it.
 *
 * <p>Expandable segments grow and shrink by pages, so one life is that of pages which came and went together: a piece of which another
 * event took a part away is cut there. Neighbours that belong together are for the reader to join.
 */
public final class SegmentLives {
    /** Segments of this size, in bytes, serve small requests; all others are larger (torch 1.13 to 2.14). */
    private static final long SMALL_SEGMENT = 2 << 20;

    /**
     * Memory from the driver.
     *
     * @param address where it begins, unsigned
     * @param size in bytes
     * @param born the event that brought it, {@link Lifetimes#BEFORE} for what was there
     * @param died the event that took it, {@link Lifetimes#NEVER} for what stayed
     * @param pool the number of the memory pool that it belongs to
     * @param stream the raw handle of the stream that it serves
     * @param isLarge whether it serves large requests
     * @param isExpandable whether it is a part of an expandable segment
     */
    public record Life(
            long address, long size, int born, int died, int pool, long stream, boolean isLarge, boolean isExpandable) {
        private long end() {
            return address + size;
        }

        private Life bornAt(int event) {
            return new Life(address, size, event, died, pool, stream, isLarge, isExpandable);
        }

        private Life part(long from, long to) {
            return new Life(from, to - from, born, died, pool, stream, isLarge, isExpandable);
        }
    }

    private final SnapshotColumns columns;
    private final Lifetimes lifetimes;
    private final Consumer<Life> found;
    /** The segments that are there, by address; disjoint. */
    private final TreeMap<Long, Life> open = new TreeMap<>(Long::compareUnsigned);

    private SegmentLives(SnapshotColumns columns, Lifetimes lifetimes, Consumer<Life> found) {
        this.columns = columns;
        this.lifetimes = lifetimes;
        this.found = found;
    }

    /** Tells {@code found} of every segment that the device ever had, in no order; of none where the profiler recorded, which sees none. */
    public static void forEach(SnapshotColumns columns, Lifetimes lifetimes, Consumer<Life> found) {
        if (columns.recorder == Recorder.PROFILER) {
            return;
        }
        SegmentLives lives = new SegmentLives(columns, lifetimes, found);
        lives.takeFinalState();
        IntArrayList calls = lifetimes.events().driverCalls();
        for (int call = calls.size() - 1; call >= 0; call--) {
            lives.undo(calls.get(call), lifetimes.events().row(calls.get(call)));
        }
        lives.open.values().forEach(found);
    }

    private void takeFinalState() {
        for (int segment = 0; segment < columns.segments.size(); segment++) {
            SegmentColumns.Row row = columns.segments.row(segment);
            if (row.device() == lifetimes.device()) {
                put(new Life(
                        row.address(),
                        row.totalSize(),
                        Lifetimes.BEFORE,
                        Lifetimes.NEVER,
                        row.pool(),
                        row.stream(),
                        row.isLarge(),
                        row.isExpandable()));
            }
        }
    }

    private void undo(int event, int row) {
        Action action = columns.events.action(row);
        long address = columns.events.address(row);
        long size = columns.events.size(row);
        switch (action) {
            case SEGMENT_ALLOC, SEGMENT_MAP -> cut(address, size, event);
            case SEGMENT_FREE, SEGMENT_UNMAP -> {
                cut(address, size, event);
                put(new Life(
                        address,
                        size,
                        Lifetimes.BEFORE,
                        event,
                        columns.events.pool(row),
                        columns.events.stream(row),
                        size > SMALL_SEGMENT,
                        action == Action.SEGMENT_UNMAP));
            }
            default -> {}
        }
    }

    private void put(Life life) {
        if (life.size > 0) {
            open.put(life.address, life);
        }
    }

    /** Ends the way back of all that lies in a range: it was born at an event. What stands out of the range goes on. */
    private void cut(long address, long size, int event) {
        for (Life life : within(address, size)) {
            open.remove(life.address);
            long from = life.address - address < 0 ? address : life.address;
            long to = life.end() - address - size > 0 ? address + size : life.end();
            if (to - from > 0) {
                found.accept(life.part(from, to).bornAt(event));
            }
            put(life.part(life.address, from));
            put(life.part(to, life.end()));
        }
    }

    /** The pieces that a range touches. */
    private List<Life> within(long address, long size) {
        List<Life> touched = new ArrayList<>();
        Map.Entry<Long, Life> below = open.lowerEntry(address);
        if (below != null && below.getValue().end() - address > 0) {
            touched.add(below.getValue());
        }
        if (Long.compareUnsigned(address + size, address) > 0) {
            touched.addAll(open.subMap(address, true, address + size, false).values());
        }
        return touched;
    }
}
