package dev.leakline.lifetime;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntLongHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.ReservedColumns;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import java.util.List;

/**
 * The memory of a device after each event: bytes held by live allocations, bytes requested for them, bytes reserved from the driver. A
 * cursor: it stands after one event at a time and moves forward.
 *
 * <p>The end is known (it is the final state), the beginning is concluded: what is reserved at the end, less what the recording
 * saw coming, plus what it saw going; recordings of the profiler say it themselves. Where more came than there was room for, something must have
 * gone that the recording lacks; it is taken to have gone at the latest when that came.
 */
public final class MemoryCurve {
    private final Lifetimes lifetimes;
    private final DeviceEvents events;
    private final ReservedColumns stated;
    /** Reserved bytes that must have gone before an event, and of which no event says so. */
    private final IntLongHashMap goneUnseen = new IntLongHashMap();

    private long unseenReleases;
    private int event = Lifetimes.BEFORE;
    private long held;
    private long requested;
    private long reserved;
    private int started = Lifetimes.NONE;
    private int ended = Lifetimes.NONE;

    /** A curve that stands before the first event. */
    public MemoryCurve(SnapshotColumns columns, Lifetimes lifetimes) {
        this.lifetimes = lifetimes;
        this.events = lifetimes.events();
        this.stated = columns.reserved;
        for (IntCursor older : lifetimes.older()) {
            add(older.value, 1);
        }
        reserved =
                isStated() ? stated.after(events.row(0)) : reservedAtStart(reservedAtEnd(columns, lifetimes.device()));
    }

    private boolean isStated() {
        return !stated.isEmpty() && events.count() > 0;
    }

    /** Bytes of all segments of a device in the final state. */
    public static long reservedAtEnd(SnapshotColumns columns, int device) {
        long sum = 0;
        for (int segment = 0; segment < columns.segments.size(); segment++) {
            SegmentColumns.Row row = columns.segments.row(segment);
            sum += row.device() == device ? row.totalSize() : 0;
        }
        return sum;
    }

    /** Goes back from the end. */
    private long reservedAtStart(long end) {
        IntArrayList calls = events.driverCalls();
        long now = end;
        for (int call = calls.size() - 1; call >= 0; call--) {
            now -= events.reservedChange(calls.get(call));
            if (now < 0) {
                goneUnseen.put(calls.get(call), -now);
                unseenReleases -= now;
                now = 0;
            }
        }
        return now;
    }

    /** Looks at a curve wherever it stands. */
    public interface Reader {
        void look(MemoryCurve curve);
    }

    /** Moves past all events and shows each of the readers where it stands: now, and after each of them. */
    public void follow(List<Reader> readers) {
        Reader[] all = readers.toArray(Reader[]::new); // an iterator for each event would be garbage
        do {
            for (Reader reader : all) {
                reader.look(this);
            }
        } while (next());
    }

    /** Moves past the next event; false, and nothing happens, after the last. */
    public boolean next() {
        if (event + 1 >= events.count()) {
            return false;
        }
        event++;
        started = Lifetimes.NONE;
        ended = Lifetimes.NONE;
        int allocation = lifetimes.allocation(event);
        if (allocation == Lifetimes.NONE) {
            reserved += events.reservedChange(event) - goneUnseen.get(event);
        } else if (lifetimes.born(allocation) == event) {
            closeFormer();
            started = allocation;
            add(allocation, 1);
        } else if (lifetimes.died(allocation) == event) {
            ended = allocation;
            add(allocation, -1);
        }
        if (isStated()) {
            reserved = stated.after(events.row(event));
        }
        return true;
    }

    /** A tenant whose free is missing from the recording died when its address was used again. */
    private void closeFormer() {
        int former = lifetimes.formerTenant(event);
        if (former != Lifetimes.NONE) {
            ended = former;
            add(former, -1);
        }
    }

    private void add(int allocation, int sign) {
        long asked = lifetimes.requested(allocation);
        held += sign * lifetimes.held(allocation, asked);
        requested += sign * asked;
    }

    /** The event after which the curve stands; {@link Lifetimes#BEFORE} at the beginning. */
    public int event() {
        return event;
    }

    /** The allocation that was born at this event, {@link Lifetimes#NONE} where none was. */
    public int started() {
        return started;
    }

    /** The allocation that died at this event, {@link Lifetimes#NONE} where none did. */
    public int ended() {
        return ended;
    }

    /** Bytes that the allocator holds for live allocations. */
    public long held() {
        return held;
    }

    /** Bytes that the program requested in live allocations. */
    public long requested() {
        return requested;
    }

    /** Bytes that the allocator has from the driver. */
    public long reserved() {
        return reserved;
    }

    /** Bytes that the allocator must have given back to the driver while the recording does not say so. */
    public long unseenReleases() {
        return unseenReleases;
    }
}
