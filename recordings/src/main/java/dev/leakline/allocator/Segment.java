package dev.leakline.allocator;

/**
 * A stretch of addresses whose blocks are neighbours: what one cudaMalloc gave, or the whole range that an expandable segment
 * reserved, mapped or not.
 */
final class Segment {
    /** Where it begins. */
    final long address;
    /** Bytes. */
    final long size;
    /** The stream and pool that it serves. */
    final StreamBlocks home;
    /** True where its pages are mapped one by one. */
    final boolean isExpandable;
    /** The rank among segments: of two blocks of equal size, the one of the segment with the lower age is taken first. */
    final int age;
    /** The handle of the block at {@link #address}; it stays, for what is split or merged keeps the handle of its lower part. */
    final int head;

    /** A segment that is one block so far. */
    Segment(long address, long size, StreamBlocks home, boolean isExpandable, int age, Blocks blocks) {
        this.address = address;
        this.size = size;
        this.home = home;
        this.isExpandable = isExpandable;
        this.age = age;
        this.head = blocks.create(this, address, size);
    }

    /** How people see a part of it. */
    SegmentPlace place(long from, long bytes) {
        BlockPool pool = home.pool;
        return new SegmentPlace(from, bytes, home.stream, pool.number, !pool.isSmall, isExpandable);
    }
}
