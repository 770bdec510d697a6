package dev.leakline.lifetime;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.hash.SeededLongIntMap;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a device's memory after an event: the segments, and the live allocations in each.
 *
 * <p>{@link SegmentLives} tells the segments; allocations are laid into them by their addresses. So the map is exact however the recording
 * began, and costs a pass over the events and one over the allocations.
 *
 * <p>Two limits. Expandable segments are not in it: their pages come and go one by one, so that no live block pins more of them than the
 * pages it lies on. And an allocation that has died since, and that no replay has placed, counts what its request is rounded to, and the gap behind it where that is too
 * small to be a block: in segments for large requests the allocator cuts off a rest only above 1 MiB ({@code should_split}, torch 1.13 to
 * 2.14). With {@code max_split_size} it may leave larger rests, which count as free here.
 *
 * <p>Immutable after construction.
 */
public final class MemoryMap {
    /** Segments of this size serve small requests, in which every rest is a block. */
    private static final long SMALL_SEGMENT = 2 << 20;
    /** The largest rest of a block that is not cut off. */
    private static final long LARGEST_REST = 1 << 20;

    /** Memory that the driver gave in one piece; sizes in bytes. */
    public static final class Segment {
        private final long address;
        private final long size;
        private final int pool;
        private final long stream;
        private final IntArrayList allocations = new IntArrayList();
        private long held;
        private long end;
        private final LongArrayList holes = new LongArrayList();
        private long rests;

        private Segment(long address, long size, int pool, long stream) {
            this.address = address;
            this.size = size;
            this.pool = pool;
            this.stream = stream;
            this.end = address;
        }

        /** Bytes from the driver. */
        public long size() {
            return size;
        }

        /** The number of the memory pool that it belongs to. */
        public int pool() {
            return pool;
        }

        /** The raw handle of the stream that it serves. */
        public long stream() {
            return stream;
        }

        /** How many allocations live in it. */
        public int count() {
            return allocations.size();
        }

        /** The number of one of those, in the order of their addresses. */
        public int allocation(int index) {
            return allocations.get(index);
        }

        /** Bytes that no allocation holds. */
        public long free() {
            return Math.max(size - held, 0);
        }

        /** The largest stretch of bytes that no allocation holds. */
        public long largestHole() {
            long largest = 0;
            for (int i = 0; i < holes.size(); i++) {
                largest = Math.max(largest, holes.get(i));
            }
            return largest;
        }

        /** Bytes of the stretches that a request of so many bytes fits into. */
        public long usable(long size) {
            long sum = 0;
            for (int i = 0; i < holes.size(); i++) {
                sum += holes.get(i) >= size ? holes.get(i) : 0;
            }
            return sum;
        }

        /** Stretches of bytes that no allocation holds. */
        public int holes() {
            return holes.size();
        }

        private boolean contains(long place) {
            return place - address < size;
        }

        /** Lays in an allocation that begins behind all there are. */
        private void lay(int allocation, long place, long bytes) {
            endGap(place);
            end = place + bytes;
            held += bytes;
            allocations.add(allocation);
        }

        /** Counts what lies between the last allocation and a place behind it. */
        private void endGap(long place) {
            long gap = place - end;
            if (gap > LARGEST_REST || (gap > 0 && (size <= SMALL_SEGMENT || allocations.isEmpty()))) {
                holes.add(gap);
            } else if (gap > 0) {
                held += gap;
                rests += gap;
            }
        }
    }

    private final SnapshotColumns columns;
    private final Lifetimes lifetimes;
    private final TreeMap<Long, Segment> segments = new TreeMap<>(Long::compareUnsigned);

    private MemoryMap(SnapshotColumns columns, Lifetimes lifetimes) {
        this.columns = columns;
        this.lifetimes = lifetimes;
    }

    /** The map of a device just after an event, which may be {@link Lifetimes#BEFORE}. */
    public static MemoryMap after(SnapshotColumns columns, Lifetimes lifetimes, int event) {
        MemoryMap map = new MemoryMap(columns, lifetimes);
        map.takeSegments(event);
        map.layAllocations(event);
        return map;
    }

    /** The segments, in the order of their addresses. */
    public Collection<Segment> segments() {
        return Collections.unmodifiableCollection(segments.values());
    }

    /** Bytes that blocks hold beyond what their requests are rounded to, so that {@link MemoryCurve#held} lacks them. */
    public long rests() {
        long sum = 0;
        for (Segment segment : segments.values()) {
            sum += segment.rests;
        }
        return sum;
    }

    private void takeSegments(int event) {
        SegmentLives.forEach(columns, lifetimes, life -> {
            if (!life.isExpandable() && life.born() <= event && event < life.died()) {
                segments.put(life.address(), new Segment(life.address(), life.size(), life.pool(), life.stream()));
            }
        });
    }

    /** Lays in what was live, in the order of the addresses, on which the holes depend. */
    private void layAllocations(int event) {
        SeededLongIntMap tenants = new SeededLongIntMap();
        LongArrayList order = new LongArrayList();
        for (IntCursor live : lifetimes.liveAfter(event)) {
            long address = lifetimes.address(live.value);
            tenants.put(address, live.value);
            order.add(address ^ Long.MIN_VALUE);
        }
        long[] sorted = order.toArray();
        Arrays.sort(sorted);
        for (long key : sorted) {
            lay(key ^ Long.MIN_VALUE, tenants.get(key ^ Long.MIN_VALUE));
        }
        segments.values().forEach(segment -> segment.endGap(segment.address + segment.size));
    }

    private void lay(long place, int allocation) {
        Segment segment = segment(place);
        if (segment != null) {
            segment.lay(allocation, place, lifetimes.held(allocation));
        }
    }

    /** The segment that an address lies in, null where it lies in none that is known. */
    private @Nullable Segment segment(long place) {
        Map.Entry<Long, Segment> below = segments.floorEntry(place);
        return below != null && below.getValue().contains(place) ? below.getValue() : null;
    }
}
