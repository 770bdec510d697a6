package dev.leakline.allocator;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The segments of a device, by address, and the driver's calls that make and unmake those that do not expand. */
final class Segments {
    private final Blocks blocks;
    private final Driver driver;
    private final Journal journal;
    private final boolean isOrderedByAge;
    private final TreeMap<Long, Segment> byAddress = new TreeMap<>(Long::compareUnsigned);
    private int made;

    Segments(Blocks blocks, Driver driver, Journal journal, AllocatorRules rules) {
        this.blocks = blocks;
        this.driver = driver;
        this.journal = journal;
        this.isOrderedByAge = rules.prefersOldSegments();
    }

    /** A block that is a whole new segment, in no set yet, or {@link Blocks#NONE}. */
    int allocate(StreamBlocks home, long size) {
        long address = driver.malloc(size);
        if (address == Driver.NO_MEMORY) {
            return Blocks.NONE;
        }
        Segment segment = add(address, size, home, false);
        journal.segmentAllocated(segment);
        return segment.head;
    }

    /** Gives a free block that is a whole segment back to the driver. */
    void free(int block) {
        Segment segment = blocks.segment(block);
        journal.segmentFreed(segment);
        driver.free(segment.address, segment.size);
        segment.home.removeFree(block);
        remove(segment);
    }

    /** A segment of one block, which is in no set yet. */
    Segment add(long address, long size, StreamBlocks home, boolean isExpandable) {
        Segment segment = new Segment(address, size, home, isExpandable, isOrderedByAge ? made++ : 0, blocks);
        byAddress.put(address, segment);
        return segment;
    }

    /** Forgets a segment whose only block is in no set. */
    void remove(Segment segment) {
        byAddress.remove(segment.address);
        blocks.remove(segment.head);
    }

    /** In order of addresses. */
    Collection<Segment> all() {
        return byAddress.values();
    }

    /** The segment that holds an address, or null. */
    @Nullable
    Segment at(long address) {
        Map.Entry<Long, Segment> entry = byAddress.floorEntry(address);
        if (entry == null) {
            return null;
        }
        Segment segment = entry.getValue();
        return Long.compareUnsigned(address - segment.address, segment.size) < 0 ? segment : null;
    }
}
