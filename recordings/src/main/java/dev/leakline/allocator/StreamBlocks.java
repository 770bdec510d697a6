package dev.leakline.allocator;

/** The blocks that one pool caches for one stream; blocks are never shared between streams. */
final class StreamBlocks {
    /** The raw stream handle. */
    final long stream;
    /** The pool. */
    final BlockPool pool;

    private final Blocks blocks;
    private final BlockSet free;
    private final BlockSet unmapped;

    StreamBlocks(long stream, BlockPool pool, Blocks blocks) {
        this.stream = stream;
        this.pool = pool;
        this.blocks = blocks;
        free = new BlockSet(blocks);
        unmapped = new BlockSet(blocks);
    }

    /** The free blocks, by size. */
    BlockSet free() {
        return free;
    }

    /** The unmapped blocks of expandable segments, by address. */
    BlockSet unmapped() {
        return unmapped;
    }

    /** Puts a block among the free ones. */
    void addFree(int block) {
        blocks.state(block, Blocks.FREE);
        blocks.mark(block, pool.searches());
        free.add(blocks.size(block), block);
    }

    /** Takes a block out of the free ones. */
    void removeFree(int block) {
        free.remove(blocks.size(block), block);
    }

    /** Puts a block among the unmapped ones. */
    void addUnmapped(int block) {
        blocks.state(block, Blocks.UNMAPPED);
        unmapped.add(blocks.address(block), block);
    }

    /** Takes a block out of the unmapped ones. */
    void removeUnmapped(int block) {
        unmapped.remove(blocks.address(block), block);
    }

    /** Takes a block out of the set that its state says. */
    void remove(int block) {
        if (blocks.state(block) == Blocks.UNMAPPED) {
            removeUnmapped(block);
        } else {
            removeFree(block);
        }
    }
}
