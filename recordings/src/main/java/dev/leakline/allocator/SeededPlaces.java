package dev.leakline.allocator;

/** Takes free memory at given addresses, which the allocator itself never does. */
final class SeededPlaces {
    private final Blocks blocks;
    private final Segments segments;
    private final FreeBlocks freeBlocks;
    private int latest = Blocks.NONE;

    SeededPlaces(Blocks blocks, Segments segments, FreeBlocks freeBlocks) {
        this.blocks = blocks;
        this.segments = segments;
        this.freeBlocks = freeBlocks;
    }

    /**
     * Takes the block at an address out of the free one that contains it; what lies before it stays free, what lies behind it still
     * belongs to it. Answers {@link Blocks#NONE}, and has changed nothing, where no free block holds all of the place.
     */
    int take(long address, long size) {
        int block = containing(address);
        if (block == Blocks.NONE || blocks.state(block) != Blocks.FREE || blocks.end(block) - address < size) {
            return Blocks.NONE;
        }
        blocks.home(block).removeFree(block);
        long before = address - blocks.address(block);
        latest = before == 0 ? block : freeBlocks.skip(block, before);
        return latest;
    }

    /** The block that holds an address; looked for from the one found last, for requests come in rising order more often than not. */
    private int containing(long address) {
        Segment segment = segments.at(address);
        if (segment == null) {
            return Blocks.NONE;
        }
        int block = isBefore(latest, segment, address) ? latest : segment.head;
        while (address - blocks.address(block) >= blocks.size(block)) {
            block = blocks.next(block);
        }
        return block;
    }

    /** Returns whether there is a block of this handle, whatever it came to mean, that is a good start on the way to an address. */
    private boolean isBefore(int block, Segment segment, long address) {
        return blocks.isIn(block, segment) && Long.compareUnsigned(blocks.address(block), address) <= 0;
    }
}
