package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.Block.State;
import dev.leakline.testkit.snapshot.event.EventAction;
import java.util.Optional;

/** Mapping and unmapping of pages in an expandable segment. */
final class Expansion {
    private final DeviceSegment segment;
    private final SegmentLog log;

    Expansion(DeviceSegment segment, SegmentLog log) {
        this.segment = segment;
        this.log = log;
    }

    /** Maps at the lowest place where a free block of {@code size} bytes comes about; empty if there is none. */
    Optional<Block> map(long size) {
        return segment.blocks().stream()
                .filter(block -> block.state == State.UNMAPPED)
                .filter(block -> missing(block, size) <= block.size)
                .findFirst()
                .map(block -> map(block, missing(block, size)));
    }

    /** Unmaps the whole pages of a free block. */
    void unmap(Block block) {
        long page = segment.pool.page();
        long from = segment.base + Sizes.roundUp(block.address - segment.base, page);
        long to = segment.base + (block.end() - segment.base) / page * page;
        if (from < to) {
            unmap(block, from, to);
        }
    }

    private long missing(Block unmapped, long size) {
        return Sizes.roundUp(size - Pool.cachedBefore(unmapped), segment.pool.page());
    }

    private Block map(Block unmapped, long size) {
        Block mapped = unmapped.size == size ? unmapped : segment.cut(unmapped, size);
        log.record(EventAction.SEGMENT_MAP, segment, mapped.address, size, null);
        segment.pool.give(mapped);
        return mapped;
    }

    private void unmap(Block block, long from, long to) {
        Pool pool = segment.pool;
        pool.remove(block);
        if (block.address < from) {
            pool.add(segment.cut(block, from - block.address));
        }
        Block pages = block.end() == to ? block : segment.cut(block, to - from);
        if (block.end() != to) {
            pool.add(block);
        }
        pages.state = State.UNMAPPED;
        log.record(EventAction.SEGMENT_UNMAP, segment, from, to - from, pages.segmentStack);
        pool.join(pages);
    }
}
