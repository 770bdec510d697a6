package dev.leakline.allocator;

import dev.leakline.known.SizeRules;

/**
 * Segments that grow: a range of addresses as large as the device and an eighth is reserved for each stream and pool, and pages of it are
 * mapped as they are needed.
 *
 * <p>The blocks of such a segment cover the whole range; those without memory are {@link Blocks#UNMAPPED}. A request that no free block
 * fits goes to the lowest address where free and unmapped blocks, side by side, are large enough; of these only the missing pages are
 * mapped. Memory comes back where a free block contains whole pages. Source: {@code ExpandableSegment}, {@code map_block},
 * {@code unmap_block}, {@code try_allocate_expandable_block}.
 */
final class ExpandableSegments {
    private final Blocks blocks;
    private final Segments segments;
    private final FreeBlocks freeBlocks;
    private final Journal journal;
    private final Driver driver;
    private final AllocatorSettings settings;

    ExpandableSegments(
            Blocks blocks,
            Segments segments,
            FreeBlocks freeBlocks,
            Journal journal,
            Driver driver,
            AllocatorSettings settings) {
        this.blocks = blocks;
        this.segments = segments;
        this.freeBlocks = freeBlocks;
        this.journal = journal;
        this.driver = driver;
        this.settings = settings;
    }

    /**
     * A block of at least a rounded size, in no set, or {@link Blocks#NONE} when the device has no more. What was mapped before it ran
     * out stays mapped, and cached.
     */
    int allocate(StreamBlocks home, long rounded) {
        int block = room(home, rounded);
        if (block == Blocks.NONE) {
            return Blocks.NONE;
        }
        if (blocks.state(block) == Blocks.UNMAPPED && !map(block, Math.min(blocks.size(block), rounded))) {
            return Blocks.NONE;
        }
        while (blocks.size(block) < rounded) {
            int after = blocks.next(block);
            if (!map(after, Math.min(blocks.size(after), rounded - blocks.size(block)))) {
                return Blocks.NONE;
            }
        }
        home.removeFree(block);
        return block;
    }

    /** Gives back the whole pages of a free block, and its range where nothing else is left of it. */
    void unmap(int block) {
        Segment segment = blocks.segment(block);
        long page = pageSize(segment.home.pool);
        long from = segment.address + SizeRules.roundUp(blocks.address(block) - segment.address, page);
        long to = segment.address + (blocks.end(block) - segment.address) / page * page;
        if (from < to) {
            unmap(block, from, to - from);
        }
        if (blocks.state(segment.head) == Blocks.UNMAPPED && !blocks.isSplit(segment.head)) {
            release(segment);
        }
    }

    /** How many addresses are reserved at a time. */
    long rangeSize(BlockPool pool) {
        long total = driver.totalBytes();
        return SizeRules.roundUp(total + total / 8, pageSize(pool));
    }

    /** Bytes that are mapped at a time. */
    long pageSize(BlockPool pool) {
        return pool.isSmall ? SizeRules.SMALL_SEGMENT : settings.largeSegmentSize();
    }

    /** The lowest free or unmapped block from which on there is room for a size; a new range if there is none, and the device is large enough. */
    private int room(StreamBlocks home, long size) {
        BlockSet unmapped = home.unmapped();
        for (int position = unmapped.first(); position != BlockSet.END; position = unmapped.next(position)) {
            int block = unmapped.at(position);
            int before = blocks.previous(block);
            int first = isVacant(before) ? before : block;
            if (hasRoom(first, size)) {
                return first;
            }
        }
        return size <= rangeSize(home.pool) ? reserve(home) : Blocks.NONE;
    }

    private boolean hasRoom(int first, long size) {
        long room = 0;
        for (int block = first; room < size && isVacant(block); block = blocks.next(block)) {
            room += blocks.size(block);
        }
        return room >= size;
    }

    private boolean isVacant(int block) {
        return blocks.is(block, Blocks.FREE) || blocks.is(block, Blocks.UNMAPPED);
    }

    private int reserve(StreamBlocks home) {
        long size = rangeSize(home.pool);
        long address = driver.reserve(size);
        if (address == Driver.NO_MEMORY) {
            return Blocks.NONE;
        }
        int block = segments.add(address, size, home, true).head;
        home.addUnmapped(block);
        return block;
    }

    private void release(Segment segment) {
        segment.home.removeUnmapped(segment.head);
        segments.remove(segment);
        driver.release(segment.address, segment.size);
    }

    /** Maps the first pages of an unmapped block, as many as {@code bytes} need, and joins them with the free neighbours. */
    private boolean map(int block, long bytes) {
        Segment segment = blocks.segment(block);
        StreamBlocks home = segment.home;
        long address = blocks.address(block);
        long size = Math.min(SizeRules.roundUp(bytes, pageSize(home.pool)), blocks.size(block));
        if (!driver.map(address, size)) {
            return false;
        }
        home.removeUnmapped(block);
        if (size < blocks.size(block)) {
            home.addUnmapped(blocks.split(block, size));
        }
        blocks.state(block, Blocks.FREE);
        home.addFree(freeBlocks.join(block));
        journal.mapped(home, address, size);
        return true;
    }

    private void unmap(int block, long address, long size) {
        StreamBlocks home = blocks.home(block);
        driver.unmap(address, size);
        home.removeFree(block);
        int pages = block;
        if (address > blocks.address(block)) {
            pages = blocks.split(block, address - blocks.address(block));
            home.addFree(block);
        }
        if (size < blocks.size(pages)) {
            home.addFree(blocks.split(pages, size));
        }
        blocks.state(pages, Blocks.UNMAPPED);
        home.addUnmapped(freeBlocks.join(pages));
        journal.unmapped(home, address, size);
    }
}
