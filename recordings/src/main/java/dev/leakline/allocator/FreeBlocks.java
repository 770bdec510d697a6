package dev.leakline.allocator;

import dev.leakline.known.SizeRules;

/** Finds, cuts and joins free blocks: best fit within a stream. */
final class FreeBlocks {
    private final Blocks blocks;
    private final Journal journal;
    private final AllocatorSettings settings;
    private final boolean countsSearches;

    FreeBlocks(Blocks blocks, Journal journal, AllocatorSettings settings, boolean countsSearches) {
        this.blocks = blocks;
        this.journal = journal;
        this.settings = settings;
        this.countsSearches = countsSearches;
    }

    /** Takes the block that {@link #find} finds out of the free set; {@link Blocks#NONE} where it finds none. */
    int take(StreamBlocks home, long rounded) {
        if (countsSearches) {
            home.pool.countSearch();
        }
        int position = find(home, rounded);
        if (position == BlockSet.END) {
            return Blocks.NONE;
        }
        int block = home.free().at(position);
        home.free().removeAt(position);
        return block;
    }

    /**
     * The position of the best free block for a rounded request: the smallest that is large enough, of those the first of the
     * set. Only that one is tried: where it is too large for the request, there is none. Source: {@code get_free_block}.
     */
    int find(StreamBlocks home, long rounded) {
        BlockSet free = home.free();
        int position = free.ceiling(rounded);
        if (position != BlockSet.END && blocks.segment(free.at(position)).isExpandable) {
            position = settings.expandableSegments() ? leastGrowth(free, position) : behindExpandable(free, position);
        }
        return position == BlockSet.END || isTooLarge(blocks.size(free.at(position)), rounded)
                ? BlockSet.END
                : position;
    }

    /**
     * Cuts what a request leaves of a block that was taken, where the rest is worth keeping. Source: {@code should_split} and
     * {@code alloc_found_block}.
     */
    void cut(int block, long rounded) {
        cut(block, rounded, isWorthCutting(blocks.home(block).pool, blocks.size(block) - rounded, rounded));
    }

    /** Cuts whatever a size leaves of a block that was taken. */
    void cutExactly(int block, long size) {
        cut(block, size, size < blocks.size(block));
    }

    private void cut(int block, long size, boolean isCut) {
        Segment segment = blocks.segment(block);
        boolean wasSplit = blocks.isSplit(block);
        if (isCut) {
            int rest = blocks.split(block, size);
            segment.home.addFree(rest);
            journal.freePartsChanged(segment, wasSplit ? 0 : 1, wasSplit ? -size : blocks.size(rest));
        } else if (wasSplit) {
            journal.freePartsChanged(segment, -1, -blocks.size(block));
        }
    }

    /** Cuts a block that was taken after {@code lower} bytes, puts that part back and answers the upper part, which counts as free still. */
    int skip(int block, long lower) {
        Segment segment = blocks.segment(block);
        boolean wasSplit = blocks.isSplit(block);
        int upper = blocks.split(block, lower);
        segment.home.addFree(block);
        journal.freePartsChanged(segment, wasSplit ? 1 : 2, wasSplit ? 0 : lower + blocks.size(upper));
        return upper;
    }

    /** Puts a block that is in no set among the free ones, joined with its free neighbours. Source: {@code free_block}. */
    void put(int block) {
        Segment segment = blocks.segment(block);
        long size = blocks.size(block);
        int neighbours = free(blocks.previous(block)) + free(blocks.next(block));
        blocks.state(block, Blocks.FREE);
        int joined = join(block);
        segment.home.addFree(joined);
        long whole = blocks.size(joined);
        boolean isSplit = blocks.isSplit(joined);
        journal.freePartsChanged(segment, (isSplit ? 1 : 0) - neighbours, (isSplit ? whole : 0) - (whole - size));
    }

    /** Joins a block that is in no set with neighbours of the same state, which leave theirs; answers the whole. */
    int join(int block) {
        int joined = block;
        int before = blocks.previous(block);
        if (before != Blocks.NONE && blocks.state(before) == blocks.state(block)) {
            blocks.home(before).remove(before);
            blocks.swallowNext(before);
            joined = before;
        }
        int after = blocks.next(joined);
        if (after != Blocks.NONE && blocks.state(after) == blocks.state(joined)) {
            blocks.home(after).remove(after);
            blocks.swallowNext(joined);
        }
        return joined;
    }

    /** 1 where there is a free block of this handle. */
    private int free(int block) {
        return block != Blocks.NONE && blocks.state(block) == Blocks.FREE ? 1 : 0;
    }

    /**
     * Where blocks can grow into unmapped addresses behind them, the best is the one that can grow the least; the search goes on only as
     * long as each block is better than the one before.
     */
    private int leastGrowth(BlockSet free, int first) {
        int position = first;
        int next = free.next(position);
        while (next != BlockSet.END
                && blocks.segment(free.at(position)).isExpandable
                && reach(free.at(next)) < reach(free.at(position))) {
            position = next;
            next = free.next(position);
        }
        return position;
    }

    /** The size that a block could grow to. */
    private long reach(int block) {
        int after = blocks.next(block);
        return blocks.size(block)
                + (after != Blocks.NONE && blocks.state(after) == Blocks.UNMAPPED ? blocks.size(after) : 0);
    }

    /** The first block behind a position that is no part of an expandable segment, for the setting has been turned off. */
    private int behindExpandable(BlockSet free, int first) {
        int position = first;
        while (position != BlockSet.END && blocks.segment(free.at(position)).isExpandable) {
            position = free.next(position);
        }
        return position;
    }

    /** Returns whether a block must not serve a request: an oversize one serves only oversize ones that it exceeds by little. */
    private boolean isTooLarge(long size, long rounded) {
        long limit = settings.maxSplitSize();
        return rounded < limit ? size >= limit : size >= rounded + settings.maxNonSplitRounding();
    }

    private boolean isWorthCutting(BlockPool pool, long rest, long rounded) {
        if (pool.isSmall || settings.expandableSegments()) {
            return rest >= SizeRules.SMALLEST_BLOCK;
        }
        return rounded < settings.maxSplitSize() && rest > SizeRules.LARGEST_SMALL;
    }
}
