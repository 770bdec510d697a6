package dev.leakline.allocator;

import java.util.function.IntConsumer;

/** Passes all on to another listener, and the frees that complete to one more. */
record Completions(AllocatorListener listener, IntConsumer completed) implements AllocatorListener {
    @Override
    public void allocated(int block, long address, long requested, long stream, int pool) {
        listener.allocated(block, address, requested, stream, pool);
    }

    @Override
    public void freeRequested(int block, long address, long requested, long stream, int pool) {
        listener.freeRequested(block, address, requested, stream, pool);
    }

    @Override
    public void freeCompleted(int block, long address, long requested, long stream, int pool) {
        completed.accept(block);
        listener.freeCompleted(block, address, requested, stream, pool);
    }

    @Override
    public void segmentAllocated(long address, long size, long stream, int pool) {
        listener.segmentAllocated(address, size, stream, pool);
    }

    @Override
    public void segmentFreed(long address, long size, long stream, int pool) {
        listener.segmentFreed(address, size, stream, pool);
    }

    @Override
    public void segmentMapped(long address, long size, long stream, int pool) {
        listener.segmentMapped(address, size, stream, pool);
    }

    @Override
    public void segmentUnmapped(long address, long size, long stream, int pool) {
        listener.segmentUnmapped(address, size, stream, pool);
    }

    @Override
    public void outOfMemory(long deviceFree, long rounded, long stream, int pool) {
        listener.outOfMemory(deviceFree, rounded, stream, pool);
    }
}
