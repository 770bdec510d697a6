package dev.leakline.allocator;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.Action;
import dev.leakline.columns.EventColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.known.SizeRules;
import dev.leakline.lifetime.DeviceEvents;
import java.util.Map;
import java.util.TreeMap;

/**
 * A driver that does what it did in a recording: gives the addresses that it gave, and refuses where it refused.
 *
 * <p>That it refused is not recorded, but can be told: memory that came only after other memory had gone back, within one request, was
 * refused until then. So within a request it gives what the recording shows next once as much has gone back as the recording shows before
 * that, and not earlier. Where the allocator asks for more than the recording shows, the two have parted; then it makes up addresses that
 * no recording has.
 */
final class RecordedDriver implements Driver {
    /** Beyond the 47 bits of a process's addresses. */
    private static final long MADE_UP = 1L << 48;
    /** A card that nobody has: what a recording shows is all that limits. */
    static final long BOUNDLESS = 1L << 40;

    private final EventColumns rows;
    private final DeviceEvents events;
    private final long total;
    /** The rows of the driver's events in the request that is under way, in order. */
    private final IntArrayList expected = new IntArrayList();

    /** The ranges of addresses that are reserved: where each begins, and its length. */
    private final TreeMap<Long, Long> ranges = new TreeMap<>(Long::compareUnsigned);

    private int cursor;
    private int given;
    private int released;
    private boolean isFailed;
    private long nextMadeUp = MADE_UP;

    /** A driver of a device with so many bytes, 0 where that is not known. */
    RecordedDriver(SnapshotColumns columns, DeviceEvents events, long total) {
        this.rows = columns.events;
        this.events = events;
        this.total = total == 0 ? BOUNDLESS : total;
    }

    /** Goes on to the request that ends with an event. */
    void beginRequest(int event) {
        isFailed = events.action(event) == Action.OOM;
        expect(event);
    }

    /** Goes on to the emptying of the cache that begins with an event. */
    void beginRelease(int event) {
        int end = event;
        while (end < events.count() && events.action(end).isRelease()) {
            end++;
        }
        isFailed = false;
        expect(end);
    }

    /** Nothing is expected of the driver. */
    void beginOther() {
        isFailed = false;
        expect(cursor);
    }

    private void expect(int end) {
        expected.clear();
        given = 0;
        released = 0;
        for (; cursor < end; cursor++) {
            Action action = events.action(cursor);
            if (action.isRelease() || action.isGift()) {
                expected.add(events.row(cursor));
            }
        }
    }

    /** The driver's recorded actions in the request that is under way: rows of {@link EventColumns}. */
    IntArrayList expected() {
        return expected;
    }

    @Override
    public long malloc(long size) {
        int gift = nextGift(Action.SEGMENT_ALLOC);
        if (gift < 0) {
            return isFailed ? NO_MEMORY : makeUp(size);
        }
        return isDue(gift) ? take(gift) : NO_MEMORY;
    }

    @Override
    public long reserve(long size) {
        int gift = nextGift(Action.SEGMENT_MAP);
        long address = gift < 0 ? nextRange(size) : rows.address(expected.get(gift));
        ranges.put(address, size);
        return address;
    }

    /**
     * Where a range begins that is reserved and not mapped at once, as happens when the request fails: where pages are mapped later that
     * are of no range so far. Its place matters, for ranges are searched in the order of their addresses.
     */
    private long nextRange(long size) {
        for (int event = cursor; event < events.count(); event++) {
            if (events.action(event) == Action.SEGMENT_MAP && isOfNoRange(rows.address(events.row(event)))) {
                return rows.address(events.row(event));
            }
        }
        return makeUp(size);
    }

    private boolean isOfNoRange(long address) {
        Map.Entry<Long, Long> below = ranges.floorEntry(address);
        return below == null || address - below.getKey() >= below.getValue();
    }

    @Override
    public boolean map(long address, long size) {
        int gift = nextGift(Action.SEGMENT_MAP);
        if (gift < 0) {
            return !isFailed;
        }
        if (!isDue(gift)) {
            return false;
        }
        take(gift);
        return true;
    }

    @Override
    public void free(long address, long size) {
        released++;
    }

    @Override
    public void unmap(long address, long size) {
        released++;
    }

    @Override
    public void release(long address, long size) {
        ranges.remove(address);
    }

    @Override
    public void adopt(long address, long size, long held) {
        ranges.put(address, size);
    }

    @Override
    public long freeBytes() {
        return 0;
    }

    @Override
    public long totalBytes() {
        return total;
    }

    /** The place of the next gift among what is expected, where it is of this kind, else -1. */
    private int nextGift(Action kind) {
        for (int i = given; i < expected.size(); i++) {
            Action action = rows.action(expected.get(i));
            if (action.isGift()) {
                return action == kind ? i : -1;
            }
        }
        return -1;
    }

    /** Returns whether as much has gone back as had in the recording before a gift. */
    private boolean isDue(int gift) {
        int before = 0;
        for (int i = 0; i < gift; i++) {
            before += rows.action(expected.get(i)).isRelease() ? 1 : 0;
        }
        return released >= before;
    }

    private long take(int gift) {
        given = gift + 1;
        return rows.address(expected.get(gift));
    }

    private long makeUp(long size) {
        long address = nextMadeUp;
        nextMadeUp += SizeRules.roundUp(size, SimulatedDriver.PAGE);
        return address;
    }
}
