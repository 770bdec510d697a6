package dev.leakline.allocator;

import com.carrotsearch.hppc.IntArrayList;

/** Gives cached memory back to the driver, all of it or just enough oversize blocks for a request. */
final class CacheRelease {
    private final Blocks blocks;
    private final Segments segments;
    private final ExpandableSegments expandable;
    private final AllocatorSettings settings;
    private final IntArrayList whole = new IntArrayList();
    private final IntArrayList growing = new IntArrayList();

    CacheRelease(Blocks blocks, Segments segments, ExpandableSegments expandable, AllocatorSettings settings) {
        this.blocks = blocks;
        this.segments = segments;
        this.expandable = expandable;
        this.settings = settings;
    }

    /**
     * Gives back what a pool caches: segments that are free as a whole, in the order of streams, sizes and addresses, then the whole pages
     * of expandable segments in the same order. Source: {@code release_blocks}.
     */
    void all(BlockPool pool) {
        whole.elementsCount = 0;
        growing.elementsCount = 0;
        for (StreamBlocks stream : pool.streams()) {
            gather(stream.free());
        }
        for (int i = 0; i < whole.size(); i++) {
            segments.free(whole.get(i));
        }
        for (int i = 0; i < growing.size(); i++) {
            expandable.unmap(growing.get(i));
        }
    }

    private void gather(BlockSet free) {
        for (int position = free.first(); position != BlockSet.END; position = free.next(position)) {
            int block = free.at(position);
            if (blocks.segment(block).isExpandable) {
                growing.add(block);
            } else if (!blocks.isSplit(block)) {
                whole.add(block);
            }
        }
    }

    /**
     * Gives back one oversize block that is large enough for a rounded request, or the largest ones until their sum is; answers whether it
     * was. Does nothing without a {@code max_split_size_mb}. Source: {@code release_available_cached_blocks}.
     */
    boolean oversize(StreamBlocks home, long rounded) {
        if (settings.maxSplitSize() == AllocatorSettings.UNLIMITED) {
            return false;
        }
        long target = Math.max(rounded, settings.maxSplitSize());
        BlockSet free = home.free();
        int position = free.ceiling(target);
        if (position == BlockSet.END || blocks.segment(free.at(position)).isExpandable) {
            return largest(free, position == BlockSet.END ? free.last() : free.previous(position), target);
        }
        return releasable(free.at(position)) > 0;
    }

    /** Gives back oversize blocks from a position downwards, until they make up the target. */
    private boolean largest(BlockSet free, int from, long target) {
        long released = 0;
        int position = from;
        while (position != BlockSet.END
                && released < target
                && blocks.size(free.at(position)) >= settings.maxSplitSize()) {
            int before = free.previous(position);
            released += releasable(free.at(position));
            position = before;
        }
        return released >= target;
    }

    /** Gives a whole free segment back and answers its bytes; parts, which the real allocator would not survive, and pages stay. */
    private long releasable(int block) {
        Segment segment = blocks.segment(block);
        if (segment.isExpandable || blocks.isSplit(block)) {
            return 0;
        }
        segments.free(block);
        return segment.size;
    }
}
