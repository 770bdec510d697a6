package dev.leakline.allocator;

import dev.leakline.columns.BlockState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Puts an allocator into a recorded state: first all segments, which are then completely free, then the blocks in use. Free blocks need not
 * be given, for all that is free side by side is one block.
 *
 * <p>Of an expandable segment a recording shows runs of mapped pages, not the range that was reserved. Runs of one stream and pool that lie
 * whole pages apart, within a range's length from the first one on, are taken to be of one range that begins with the first; it ends
 * before the next segment of somebody else at the latest. The driver is told of each segment, the listener of nothing. In the statistics,
 * the current figures are true afterwards; peaks and sums begin with them.
 */
public final class Seeding {
    private final Driver driver;
    private final Blocks blocks;
    private final MemoryPools pools;
    private final Segments segments;
    private final FreeBlocks freeBlocks;
    private final ExpandableSegments expandable;
    private final SeededPlaces places;
    private final Journal journal;
    private final PendingFrees pending;

    Seeding(
            Driver driver,
            Blocks blocks,
            MemoryPools pools,
            Segments segments,
            FreeBlocks freeBlocks,
            ExpandableSegments expandable,
            Journal journal,
            PendingFrees pending) {
        this.driver = driver;
        this.blocks = blocks;
        this.pools = pools;
        this.segments = segments;
        this.freeBlocks = freeBlocks;
        this.expandable = expandable;
        this.places = new SeededPlaces(blocks, segments, freeBlocks);
        this.journal = journal;
        this.pending = pending;
    }

    /**
     * Adds all segments, in any order; to be called once.
     *
     * @return how many were left out, because they are empty or overlap others
     */
    public int segments(List<SegmentPlace> found) {
        List<SegmentPlace> distinct = distinct(found);
        for (int from = 0; from < distinct.size(); ) {
            from += distinct.get(from).isExpandable() ? addRange(distinct, from) : addWhole(distinct.get(from));
        }
        return found.size() - distinct.size();
    }

    /**
     * Adds a block that is in use.
     *
     * @param size bytes that it takes
     * @param requested requested bytes
     * @param state what it is doing
     * @return its handle, or -1 where it is inactive or does not lie in free memory of a segment
     */
    public int block(long address, long size, long requested, BlockState state) {
        int block = state == BlockState.INACTIVE || size <= 0 ? Blocks.NONE : places.take(address, size);
        if (block == Blocks.NONE) {
            return Blocks.NONE;
        }
        freeBlocks.cutExactly(block, size);
        blocks.requested(block, requested);
        if (state == BlockState.ALLOCATED) {
            blocks.state(block, Blocks.ALLOCATED);
            journal.held(block);
        } else {
            blocks.state(block, Blocks.PENDING);
            journal.active(block);
            pending.hold(block);
        }
        return block;
    }

    private static List<SegmentPlace> distinct(List<SegmentPlace> found) {
        List<SegmentPlace> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparing(SegmentPlace::address, Long::compareUnsigned));
        List<SegmentPlace> distinct = new ArrayList<>();
        long end = 0;
        for (SegmentPlace place : sorted) {
            long itsEnd = place.address() + place.size();
            if (place.size() > 0
                    && Long.compareUnsigned(place.address(), end) >= 0
                    && Long.compareUnsigned(itsEnd, place.address()) > 0) {
                distinct.add(place);
                end = itsEnd;
            }
        }
        return distinct;
    }

    private StreamBlocks home(SegmentPlace place) {
        return pools.of(place.pool(), !place.isLarge()).of(place.stream());
    }

    private int addWhole(SegmentPlace place) {
        Segment segment = segments.add(place.address(), place.size(), home(place), false);
        driver.adopt(place.address(), place.size(), place.size());
        journal.segmentHeld(segment);
        segment.home.addFree(segment.head);
        return 1;
    }

    /** Adds the range that begins at a run, with all of its runs; answers their number. */
    private int addRange(List<SegmentPlace> runs, int first) {
        StreamBlocks home = home(runs.get(first));
        long start = runs.get(first).address();
        long page = expandable.pageSize(home.pool);
        long size = expandable.rangeSize(home.pool);
        int behind = first + 1;
        while (behind < runs.size() && isOf(runs.get(behind), home, start, size, page)) {
            behind++;
        }
        if (behind < runs.size()) {
            size = least(size, (runs.get(behind).address() - start) / page * page);
        }
        SegmentPlace last = runs.get(behind - 1);
        size = Math.max(size, last.address() + last.size() - start);
        map(segments.add(start, size, home, true), runs.subList(first, behind));
        return behind - first;
    }

    private boolean isOf(SegmentPlace run, StreamBlocks home, long start, long size, long page) {
        long offset = run.address() - start;
        return run.isExpandable()
                && home(run) == home
                && Long.remainderUnsigned(offset, page) == 0
                && Long.compareUnsigned(offset, size) < 0
                && run.size() <= size - offset;
    }

    /** Maps the runs of a range that is one block in no set. */
    private void map(Segment segment, List<SegmentPlace> runs) {
        long held = 0;
        int rest = segment.head;
        for (SegmentPlace run : runs) {
            rest = mapRun(segment, rest, run);
            held += run.size();
        }
        if (rest != Blocks.NONE) {
            segment.home.addUnmapped(rest);
        }
        driver.adopt(segment.address, segment.size, held);
        journal.pagesHeld(segment.home, held);
    }

    /** Cuts a run out of the rest of a range, which is in no set; answers what is left behind it. */
    private int mapRun(Segment segment, int rest, SegmentPlace run) {
        int block = rest;
        long gap = run.address() - blocks.address(rest);
        if (gap > 0) {
            block = blocks.split(rest, gap);
            segment.home.addUnmapped(rest);
        }
        int behind = run.size() < blocks.size(block) ? blocks.split(block, run.size()) : Blocks.NONE;
        if (behind != Blocks.NONE) {
            blocks.state(behind, Blocks.UNMAPPED);
        }
        freeBlocks.put(block);
        return behind;
    }

    private static long least(long one, long other) {
        return Long.compareUnsigned(one, other) < 0 ? one : other;
    }
}
