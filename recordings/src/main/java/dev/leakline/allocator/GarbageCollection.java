package dev.leakline.allocator;

import com.carrotsearch.hppc.IntArrayList;

/**
 * Gives back cached segments that went unused the longest, once more than a share of the memory limit is held; works on the large half of
 * the default pool alone, and only where there is a limit. Source: {@code garbage_collect_cached_blocks}.
 *
 * <p>The age of a free block is the number of searches that its pool has seen since the block became free. Pass after pass, all segments
 * of at least average age go, until enough has been given back or a pass finds none.
 */
final class GarbageCollection {
    private final Blocks blocks;
    private final Segments segments;
    private final BlockPool pool;
    private final Journal journal;
    private final long threshold;
    private final IntArrayList whole = new IntArrayList();
    private long totalAge;
    private int count;

    /** @param threshold bytes held from which on there is something to do */
    GarbageCollection(Blocks blocks, Segments segments, BlockPool pool, Journal journal, long threshold) {
        this.blocks = blocks;
        this.segments = segments;
        this.pool = pool;
        this.journal = journal;
        this.threshold = threshold;
    }

    /** Gives back what has to go. */
    void collect() {
        long target = journal.reserved() - threshold;
        if (target <= 0) {
            return;
        }
        survey();
        long reclaimed = 0;
        boolean found = true;
        while (reclaimed < target && found && count > 0) {
            long bytes = pass((double) totalAge / count);
            reclaimed += bytes;
            found = bytes > 0;
        }
    }

    /** Counts whole free segments and their ages; expandable ones count although they cannot go. */
    private void survey() {
        whole.elementsCount = 0;
        totalAge = 0;
        count = 0;
        for (StreamBlocks stream : pool.streams()) {
            BlockSet free = stream.free();
            for (int position = free.first(); position != BlockSet.END; position = free.next(position)) {
                count(free.at(position));
            }
        }
    }

    private void count(int block) {
        if (!blocks.isSplit(block)) {
            totalAge += age(block);
            count++;
            if (!blocks.segment(block).isExpandable) {
                whole.add(block);
            }
        }
    }

    /** Gives back all segments of at least this age; answers their bytes. */
    private long pass(double age) {
        long bytes = 0;
        int kept = 0;
        for (int i = 0; i < whole.size(); i++) {
            int block = whole.get(i);
            if (age(block) >= age) {
                bytes += free(block);
            } else {
                whole.set(kept++, block);
            }
        }
        whole.elementsCount = kept;
        return bytes;
    }

    private long free(int block) {
        long size = blocks.size(block);
        totalAge -= age(block);
        count--;
        segments.free(block);
        return size;
    }

    private long age(int block) {
        return pool.searches() - blocks.mark(block);
    }
}
