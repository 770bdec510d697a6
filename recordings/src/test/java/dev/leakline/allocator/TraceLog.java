package dev.leakline.allocator;

import java.util.ArrayList;
import java.util.List;

/** Writes down events as {@code action offset size}, offsets from where {@link #driver} begins. */
final class TraceLog implements AllocatorListener {
    /** Where the drivers of tests begin. */
    static final long BASE = 1L << 40;

    private final List<String> lines = new ArrayList<>();

    /** A device that nobody else uses. */
    static SimulatedDriver driver(long total) {
        return new SimulatedDriver(total, 0, BASE);
    }

    /** An allocator that writes into this log. */
    CachingAllocator allocator(String settings, long total) {
        return new CachingAllocator(AllocatorSettings.parse(settings), driver(total), this);
    }

    /** The events since the last call. */
    List<String> take() {
        List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }

    private void add(String action, long address, long size) {
        lines.add(action + " " + (address - BASE) + " " + size);
    }

    @Override
    public void allocated(int block, long address, long requested, long stream, int pool) {
        add("alloc", address, requested);
    }

    @Override
    public void freeRequested(int block, long address, long requested, long stream, int pool) {
        add("free_requested", address, requested);
    }

    @Override
    public void freeCompleted(int block, long address, long requested, long stream, int pool) {
        add("free_completed", address, requested);
    }

    @Override
    public void segmentAllocated(long address, long size, long stream, int pool) {
        add("segment_alloc", address, size);
    }

    @Override
    public void segmentFreed(long address, long size, long stream, int pool) {
        add("segment_free", address, size);
    }

    @Override
    public void segmentMapped(long address, long size, long stream, int pool) {
        add("segment_map", address, size);
    }

    @Override
    public void segmentUnmapped(long address, long size, long stream, int pool) {
        add("segment_unmap", address, size);
    }

    @Override
    public void outOfMemory(long deviceFree, long rounded, long stream, int pool) {
        lines.add("oom " + deviceFree + " " + rounded);
    }
}
