package dev.leakline.allocator;

import dev.leakline.columns.BlockState;

/** Visits what an allocator holds, in order of addresses: each segment, then its blocks, which cover it without gaps. */
public interface MemoryVisitor {
    /** A segment; of an expandable one, each run of mapped pages is shown as a segment, as snapshots do. */
    void segment(SegmentPlace segment);

    /**
     * A block of the segment shown last.
     *
     * @param handle the block's handle, which is good for calls only while the block is not {@link BlockState#INACTIVE}
     * @param size bytes that it takes
     * @param requested requested bytes; 0 if it is inactive
     */
    void block(int handle, long address, long size, long requested, BlockState state);
}
