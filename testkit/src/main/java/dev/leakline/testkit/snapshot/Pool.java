package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.Block.State;
import dev.leakline.testkit.snapshot.event.PoolId;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The cached memory of one stream, pool id and class of size, handed out by best fit. */
final class Pool {
    static final long UNIT = 512;
    private static final long SMALL_PAGE = 2 * Sizes.MB;
    private static final long LARGE_PAGE = 20 * Sizes.MB;
    private static final long LARGE_FROM = 10 * Sizes.MB;

    final boolean small;
    final long stream;
    final PoolId id;
    private final TreeMap<Extent, Block> free = new TreeMap<>();

    Pool(boolean small, long stream, PoolId id) {
        this.small = small;
        this.stream = stream;
        this.id = id;
    }

    /** The size that a request takes of a block. */
    static long rounded(long requested) {
        return Math.max(UNIT, Sizes.roundUp(requested, UNIT));
    }

    static boolean isSmall(long rounded) {
        return rounded <= Sizes.MB;
    }

    /** The granularity of expandable segments. */
    long page() {
        return small ? SMALL_PAGE : LARGE_PAGE;
    }

    /** The bytes that a request takes from the driver if no block fits. */
    long segmentSize(long rounded) {
        if (small) {
            return SMALL_PAGE;
        }
        return rounded < LARGE_FROM ? LARGE_PAGE : Sizes.roundUp(rounded, SMALL_PAGE);
    }

    @Nullable
    Block bestFit(long rounded) {
        Map.Entry<Extent, Block> fit = free.ceilingEntry(new Extent(rounded, 0));
        return fit == null ? null : fit.getValue();
    }

    /** Takes {@code size} bytes of a free block; what is left over stays free if it is worth a block. */
    Block take(Block block, long size) {
        remove(block);
        if (!isWorthABlock(block.segment, block.size - size)) {
            return block;
        }
        Block low = block.segment.cut(block, size);
        add(block);
        return low;
    }

    /** Returns a block to the cache, joined with its free neighbours. */
    void give(Block block) {
        block.vacate();
        join(block);
        add(block);
    }

    void add(Block block) {
        free.put(block.extent(), block);
    }

    void remove(Block block) {
        free.remove(block.extent());
    }

    /** Joins a block that is not in the cache with neighbours of its own state. */
    void join(Block block) {
        Block previous = block.previous;
        if (previous != null && previous.state == block.state) {
            remove(previous);
            block.segment.absorbPrevious(block, previous);
        }
        Block next = block.next;
        if (next != null && next.state == block.state) {
            remove(next);
            block.segment.absorbNext(block, next);
        }
    }

    /** The memory before an unmapped range that a mapping would extend. */
    static long cachedBefore(Block unmapped) {
        Block previous = unmapped.previous;
        return previous != null && previous.state == State.INACTIVE ? previous.size : 0;
    }

    private boolean isWorthABlock(DeviceSegment segment, long rest) {
        return (small || segment.expandable) ? rest >= UNIT : rest > Sizes.MB;
    }
}
