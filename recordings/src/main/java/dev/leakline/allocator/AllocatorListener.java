package dev.leakline.allocator;

/**
 * Receives every event that the real allocator would write into its trace, in the same order.
 *
 * <p>Addresses and sizes mean what they mean in a recording: requested bytes in the events of blocks, real bytes in those of segments.
 * Listeners must not call the allocator.
 */
public interface AllocatorListener {
    /** Hears nothing. */
    AllocatorListener NONE = new AllocatorListener() {};

    /** {@code alloc}: a block was handed out; {@code block} is the handle that {@code malloc} is about to return. */
    default void allocated(int block, long address, long requested, long stream, int pool) {}

    /** {@code free_requested}: the program freed a block. */
    default void freeRequested(int block, long address, long requested, long stream, int pool) {}

    /** {@code free_completed}: the block is free; from here on its handle may come to mean another block. */
    default void freeCompleted(int block, long address, long requested, long stream, int pool) {}

    /** {@code segment_alloc}: cudaMalloc gave a segment. */
    default void segmentAllocated(long address, long size, long stream, int pool) {}

    /** {@code segment_free}: a segment went back by cudaFree. */
    default void segmentFreed(long address, long size, long stream, int pool) {}

    /** {@code segment_map}: pages of an expandable segment got memory. */
    default void segmentMapped(long address, long size, long stream, int pool) {}

    /** {@code segment_unmap}: pages of an expandable segment lost their memory. */
    default void segmentUnmapped(long address, long size, long stream, int pool) {}

    /** {@code oom}: a request of {@code rounded} bytes failed while the device had {@code deviceFree} bytes free. */
    default void outOfMemory(long deviceFree, long rounded, long stream, int pool) {}
}
