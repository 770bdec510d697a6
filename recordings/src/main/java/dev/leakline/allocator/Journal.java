package dev.leakline.allocator;

import static dev.leakline.allocator.AllocatorStats.Quantity.ACTIVE;
import static dev.leakline.allocator.AllocatorStats.Quantity.ACTIVE_BYTES;
import static dev.leakline.allocator.AllocatorStats.Quantity.ALLOCATED_BYTES;
import static dev.leakline.allocator.AllocatorStats.Quantity.ALLOCATION;
import static dev.leakline.allocator.AllocatorStats.Quantity.INACTIVE_SPLIT;
import static dev.leakline.allocator.AllocatorStats.Quantity.INACTIVE_SPLIT_BYTES;
import static dev.leakline.allocator.AllocatorStats.Quantity.OVERSIZE_ALLOCATIONS;
import static dev.leakline.allocator.AllocatorStats.Quantity.OVERSIZE_SEGMENTS;
import static dev.leakline.allocator.AllocatorStats.Quantity.REQUESTED_BYTES;
import static dev.leakline.allocator.AllocatorStats.Quantity.RESERVED_BYTES;
import static dev.leakline.allocator.AllocatorStats.Quantity.SEGMENT;

/** Records what happens: in the statistics and, where the real allocator writes a trace, for the listener. */
final class Journal {
    private final Blocks blocks;
    private final AllocatorStats stats;
    private final AllocatorListener listener;
    private final long oversize;

    Journal(Blocks blocks, AllocatorStats stats, AllocatorListener listener, long oversize) {
        this.blocks = blocks;
        this.stats = stats;
        this.listener = listener;
        this.oversize = oversize;
    }

    void allocated(int block) {
        StreamBlocks home = blocks.home(block);
        listener.allocated(block, blocks.address(block), blocks.requested(block), home.stream, home.pool.number);
        held(block);
    }

    /** Counts a block that the program holds. */
    void held(int block) {
        boolean isSmall = blocks.home(block).pool.isSmall;
        stats.increase(ALLOCATION, isSmall, 1);
        stats.increase(ALLOCATED_BYTES, isSmall, blocks.size(block));
        if (blocks.size(block) >= oversize) {
            stats.increase(OVERSIZE_ALLOCATIONS, isSmall, 1);
        }
        active(block);
    }

    /** Counts a block that the program holds, or whose free is pending. */
    void active(int block) {
        boolean isSmall = blocks.home(block).pool.isSmall;
        stats.increase(ACTIVE, isSmall, 1);
        stats.increase(ACTIVE_BYTES, isSmall, blocks.size(block));
        stats.increase(REQUESTED_BYTES, isSmall, blocks.requested(block));
    }

    void freeRequested(int block) {
        StreamBlocks home = blocks.home(block);
        boolean isSmall = home.pool.isSmall;
        stats.decrease(ALLOCATION, isSmall, 1);
        stats.decrease(ALLOCATED_BYTES, isSmall, blocks.size(block));
        if (blocks.size(block) >= oversize) {
            stats.decrease(OVERSIZE_ALLOCATIONS, isSmall, 1);
        }
        listener.freeRequested(block, blocks.address(block), blocks.requested(block), home.stream, home.pool.number);
    }

    /** To be called before the block is merged. */
    void freeCompleted(int block) {
        StreamBlocks home = blocks.home(block);
        boolean isSmall = home.pool.isSmall;
        stats.decrease(ACTIVE, isSmall, 1);
        stats.decrease(ACTIVE_BYTES, isSmall, blocks.size(block));
        stats.decrease(REQUESTED_BYTES, isSmall, blocks.requested(block));
        listener.freeCompleted(block, blocks.address(block), blocks.requested(block), home.stream, home.pool.number);
    }

    /** By how much the free parts of segments changed; those of expandable segments do not count, for their pages can be given back. */
    void freePartsChanged(Segment segment, int parts, long bytes) {
        if (!segment.isExpandable) {
            stats.change(INACTIVE_SPLIT, segment.home.pool.isSmall, parts);
            stats.change(INACTIVE_SPLIT_BYTES, segment.home.pool.isSmall, bytes);
        }
    }

    void segmentAllocated(Segment segment) {
        StreamBlocks home = segment.home;
        stats.countDriverAllocation(home.pool.isSmall);
        segmentHeld(segment);
        listener.segmentAllocated(segment.address, segment.size, home.stream, home.pool.number);
    }

    /** Counts a segment that does not expand. */
    void segmentHeld(Segment segment) {
        boolean isSmall = segment.home.pool.isSmall;
        stats.increase(SEGMENT, isSmall, 1);
        stats.increase(RESERVED_BYTES, isSmall, segment.size);
        if (segment.size >= oversize) {
            stats.increase(OVERSIZE_SEGMENTS, isSmall, 1);
        }
    }

    void segmentFreed(Segment segment) {
        StreamBlocks home = segment.home;
        boolean isSmall = home.pool.isSmall;
        stats.countDriverFree(isSmall);
        stats.decrease(SEGMENT, isSmall, 1);
        stats.decrease(RESERVED_BYTES, isSmall, segment.size);
        if (segment.size >= oversize) {
            stats.decrease(OVERSIZE_SEGMENTS, isSmall, 1);
        }
        listener.segmentFreed(segment.address, segment.size, home.stream, home.pool.number);
    }

    void mapped(StreamBlocks home, long address, long size) {
        stats.countDriverAllocation(home.pool.isSmall);
        pagesHeld(home, size);
        listener.segmentMapped(address, size, home.stream, home.pool.number);
    }

    /** Counts mapped pages. */
    void pagesHeld(StreamBlocks home, long size) {
        stats.increase(RESERVED_BYTES, home.pool.isSmall, size);
    }

    void unmapped(StreamBlocks home, long address, long size) {
        stats.countDriverFree(home.pool.isSmall);
        stats.decrease(RESERVED_BYTES, home.pool.isSmall, size);
        listener.segmentUnmapped(address, size, home.stream, home.pool.number);
    }

    void outOfMemory(StreamBlocks home, long rounded, long deviceFree) {
        stats.countFailure();
        listener.outOfMemory(deviceFree, rounded, home.stream, home.pool.number);
    }

    void refused() {
        stats.countRefusal();
    }

    void retried() {
        stats.countRetry();
    }

    void synchronised() {
        stats.countSynchronisation();
    }

    /** Bytes held from the driver. */
    long reserved() {
        return stats.reservedBytes();
    }
}
