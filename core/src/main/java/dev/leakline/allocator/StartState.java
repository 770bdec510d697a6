package dev.leakline.allocator;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.BlockState;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the allocator of a device held before the first event of a recording: the segments, and what lived in each.
 *
 * <p>The final state tells the segments at the end. From there the way goes back: what the driver gave is taken away again, what it got back
 * is put there. Pages of expandable segments come and go by ranges, which join where they touch.
 *
 * <p>A recording without a final state, or with one that its events contradict, gives what can be had: a segment that was there and went is
 * known by its end, one whose end is missing is not.
 */
final class StartState {
    /** What lived in a segment, or a range of mapped pages: rows of {@link Lifetimes}, by address. */
    private record Segment(SegmentPlace place, IntArrayList tenants) {
        long end() {
            return place.address() + place.size();
        }
    }

    private final SnapshotColumns columns;
    private final Lifetimes lifetimes;
    private final AllocatorSettings settings;
    private final EventPools pools;
    private final DeviceEvents events;
    private final TreeMap<Long, Segment> segments = new TreeMap<>(Long::compareUnsigned);

    /** The state of a device before its first event, under the settings of its recording. */
    StartState(SnapshotColumns columns, Lifetimes lifetimes, AllocatorSettings settings, EventPools pools) {
        this.columns = columns;
        this.lifetimes = lifetimes;
        this.settings = settings;
        this.pools = pools;
        this.events = lifetimes.events();
        takeFinalSegments();
        for (int event = events.count() - 1; event >= 0; event--) {
            if (lifetimes.allocation(event) == Lifetimes.NONE) {
                undo(events.row(event));
            }
        }
        layTenants();
    }

    /** Whether nothing was held. */
    boolean isEmpty() {
        return segments.isEmpty();
    }

    /** Bytes that were held from the driver. */
    long reserved() {
        return segments.values().stream()
                .mapToLong(segment -> segment.place.size())
                .sum();
    }

    /** The end of the last segment, 0 where there is none. */
    long end() {
        return segments.isEmpty() ? 0 : segments.lastEntry().getValue().end();
    }

    /** Puts an allocator into this state; {@code blocks} takes the block of each allocation that lived in it. */
    void seed(Seeding seeding, int[] blocks) {
        seeding.segments(segments.values().stream().map(Segment::place).toList());
        for (Segment segment : segments.values()) {
            for (int i = 0; i < segment.tenants.size(); i++) {
                int tenant = segment.tenants.get(i);
                blocks[tenant] = seeding.block(
                        lifetimes.address(tenant), size(segment, i), lifetimes.requested(tenant), BlockState.ALLOCATED);
            }
        }
    }

    /**
     * The bytes of the block that an allocation lived in. The final state says them; else it is what the request is rounded to, and what
     * lies behind it up to the next, where the allocator would not have cut that off.
     */
    private long size(Segment segment, int index) {
        SegmentPlace place = segment.place;
        int tenant = segment.tenants.get(index);
        boolean isLast = index + 1 == segment.tenants.size();
        long end = isLast ? segment.end() : lifetimes.address(segment.tenants.get(index + 1));
        long room = end - lifetimes.address(tenant);
        long held = Math.min(lifetimes.held(tenant), room) & -SizeRules.SMALLEST_BLOCK;
        boolean isWhole = place.isLarge() && !place.isExpandable() && lifetimes.block(tenant) < 0;
        boolean isUncut = room - held <= SizeRules.LARGEST_SMALL || held >= settings.maxSplitSize();
        return isWhole && isUncut ? room : held;
    }

    private void takeFinalSegments() {
        for (int number = 0; number < columns.segments.size(); number++) {
            SegmentColumns.Row row = columns.segments.row(number);
            if (row.device() == lifetimes.device()) {
                put(new SegmentPlace(
                        row.address(), row.totalSize(), row.stream(), row.pool(), row.isLarge(), row.isExpandable()));
            }
        }
    }

    private void put(SegmentPlace place) {
        segments.put(place.address(), new Segment(place, new IntArrayList()));
    }

    private void undo(int row) {
        long address = columns.events.address(row);
        switch (columns.events.action(row)) {
            case SEGMENT_ALLOC -> segments.remove(address);
            case SEGMENT_FREE -> put(place(row, false));
            case SEGMENT_MAP -> unmap(address, columns.events.size(row));
            case SEGMENT_UNMAP -> map(place(row, true));
            default -> {}
        }
    }

    private SegmentPlace place(int row, boolean isExpandable) {
        long size = columns.events.size(row);
        return new SegmentPlace(
                columns.events.address(row),
                size,
                columns.events.stream(row),
                pools.of(row),
                size > SizeRules.SMALL_SEGMENT,
                isExpandable);
    }

    /** Puts pages back where they were, as part of what they touch. */
    private void map(SegmentPlace pages) {
        long start = pages.address();
        long end = start + pages.size();
        SegmentPlace kept = pages;
        Segment below = below(start);
        if (below != null && below.end() == start && below.place.isExpandable()) {
            start = below.place.address();
            kept = below.place;
        }
        Segment above = segments.get(end);
        if (above != null && above.place.isExpandable()) {
            segments.remove(end);
            end = above.end();
            kept = above.place;
        }
        put(part(kept, start, end));
    }

    /** Takes pages out of the range that they are in, of which up to two parts are left. */
    private void unmap(long address, long size) {
        Segment range = below(address + 1);
        if (range == null || !range.place.isExpandable() || Long.compareUnsigned(range.end(), address + size) < 0) {
            return;
        }
        long start = range.place.address();
        segments.remove(start);
        if (address != start) {
            put(part(range.place, start, address));
        }
        if (address + size != range.end()) {
            put(part(range.place, address + size, range.end()));
        }
    }

    private static SegmentPlace part(SegmentPlace whole, long start, long end) {
        return new SegmentPlace(
                start, end - start, whole.stream(), whole.pool(), whole.isLarge(), whole.isExpandable());
    }

    private @Nullable Segment below(long address) {
        Map.Entry<Long, Segment> entry = segments.lowerEntry(address);
        return entry == null ? null : entry.getValue();
    }

    private void layTenants() {
        IntStream.range(0, lifetimes.count())
                .filter(allocation -> lifetimes.born(allocation) == Lifetimes.BEFORE)
                .boxed()
                .sorted(Comparator.comparingLong(
                        (Integer allocation) -> lifetimes.address(allocation) ^ Long.MIN_VALUE))
                .forEach(this::layTenant);
    }

    private void layTenant(int allocation) {
        long address = lifetimes.address(allocation);
        Map.Entry<Long, Segment> entry = segments.floorEntry(address);
        if (entry != null && Long.compareUnsigned(address, entry.getValue().end()) < 0) {
            entry.getValue().tenants.add(allocation);
        }
    }
}
