package dev.leakline.allocator;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.allocator.AllocatorStats.Share;
import dev.leakline.columns.BlockState;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.known.SizeRules;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.SegmentLives;
import dev.leakline.lifetime.SegmentLives.Life;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The state of a device's allocator before the first event of a recording: its segments and the blocks in each.
 *
 * <p>The segments are those of {@link SegmentLives}; parts of an expandable one that touch are one run of mapped pages.
 */
final class StartState {
    /** The blocks that lived in a segment, or in a range of mapped pages: rows of {@link Lifetimes}, by address. */
    private record Segment(SegmentPlace place, IntArrayList tenants) {
        long end() {
            return place.address() + place.size();
        }

        boolean isContinuedBy(SegmentPlace next) {
            return end() == next.address()
                    && place.isExpandable()
                    && next.isExpandable()
                    && place.stream() == next.stream()
                    && place.pool() == next.pool();
        }

        /** The same and the pages behind it; a run is large where any part of it shows that it is. */
        Segment with(SegmentPlace more) {
            return new Segment(
                    new SegmentPlace(
                            place.address(),
                            place.size() + more.size(),
                            place.stream(),
                            place.pool(),
                            place.isLarge() || more.isLarge(),
                            true),
                    tenants);
        }
    }

    private final Lifetimes lifetimes;
    private final AllocatorSettings settings;
    private final TreeMap<Long, Segment> segments = new TreeMap<>(Long::compareUnsigned);

    /** The state of a device before its first event, under the settings of its recording. */
    StartState(SnapshotColumns columns, Lifetimes lifetimes, AllocatorSettings settings) {
        this.lifetimes = lifetimes;
        this.settings = settings;
        List<Life> lives = new ArrayList<>();
        SegmentLives.forEach(columns, lifetimes, life -> {
            if (life.born() == Lifetimes.BEFORE) {
                lives.add(life);
            }
        });
        lives.sort(Comparator.comparing(Life::address, Long::compareUnsigned));
        lives.forEach(this::put);
        layTenants();
    }

    /** Adds the next segment; what only goes on where the last one ended becomes part of that. */
    private void put(Life life) {
        SegmentPlace place = new SegmentPlace(
                life.address(), life.size(), life.stream(), life.pool(), life.isLarge(), life.isExpandable());
        Segment last = segments.isEmpty() ? null : segments.lastEntry().getValue();
        Segment segment =
                last != null && last.isContinuedBy(place) ? last.with(place) : new Segment(place, new IntArrayList());
        segments.put(segment.place.address(), segment);
    }

    /** Returns whether nothing was held. */
    boolean isEmpty() {
        return segments.isEmpty();
    }

    /** Bytes that were held from the driver. */
    long reserved() {
        return segments.values().stream()
                .mapToLong(segment -> segment.place.size())
                .sum();
    }

    /** Bytes of the largest segment of a share of the pools, 0 where there is none. */
    long largest(Share share) {
        return segments.values().stream()
                .map(Segment::place)
                .filter(place -> share == Share.ALL || place.isLarge() == (share == Share.LARGE_POOL))
                .mapToLong(SegmentPlace::size)
                .max()
                .orElse(0);
    }

    /** Returns whether all segments are whole pages of a size. */
    boolean isInPages(long page) {
        return segments.values().stream().allMatch(segment -> segment.place.size() % page == 0);
    }

    /** The end of the last segment, 0 where there is none. */
    long end() {
        return segments.isEmpty() ? 0 : segments.lastEntry().getValue().end();
    }

    /** Receives the allocations that lived in it. */
    interface TenantVisitor {
        /** A row of {@link Lifetimes}, and whether it lives in the large half of a pool. */
        void take(int tenant, boolean isLarge);
    }

    /** Tells of the allocations that lived in it, in order of their addresses. */
    void forEachTenant(TenantVisitor visitor) {
        for (Segment segment : segments.values()) {
            for (IntCursor tenant : segment.tenants) {
                visitor.take(tenant.value, segment.place.isLarge());
            }
        }
    }

    /** Puts an allocator into this state; {@code blocks} takes the block of each allocation that lived in it, in the same order. */
    void seed(Seeding seeding, int[] blocks) {
        seeding.segments(segments.values().stream().map(Segment::place).toList());
        int count = 0;
        for (Segment segment : segments.values()) {
            for (int i = 0; i < segment.tenants.size(); i++) {
                int tenant = segment.tenants.get(i);
                blocks[count++] = seeding.block(
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
