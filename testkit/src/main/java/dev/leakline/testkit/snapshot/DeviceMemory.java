package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.Block.State;
import dev.leakline.testkit.snapshot.event.EventAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The caching allocator of one device, simple but honest: best fit, pools for small and large, splitting and joining as
 * PyTorch does with default settings. Nothing is ever out of memory.
 */
final class DeviceMemory {
    private static final long FIRST_ADDRESS = 0x7000_0000_0000L;
    private static final long ADDRESSES_OF_A_DEVICE = 1L << 40;
    private static final long RESERVATION = 80 * Sizes.GB;
    private static final long DRIVER_UNIT = 2 * Sizes.MB;

    private final List<DeviceSegment> segments = new ArrayList<>();
    private final Map<List<Object>, Pool> pools = new HashMap<>();
    private long nextAddress;

    DeviceMemory(int ordinal) {
        nextAddress = FIRST_ADDRESS + ordinal * ADDRESSES_OF_A_DEVICE;
    }

    /** Finds a block for a request, unoccupied yet. */
    Block allocate(Request request, SegmentLog log) {
        long size = request.rounded();
        Pool pool = pool(request);
        Block fit = pool.bestFit(size);
        if (fit == null) {
            fit = request.expandable() ? expanded(pool, size, log) : grown(pool, request, log);
        }
        return pool.take(fit, size);
    }

    void free(Block block) {
        block.segment.pool.give(block);
    }

    /** Gives back to the driver what no block is active in. */
    void emptyCache(SegmentLog log) {
        for (DeviceSegment segment : List.copyOf(segments)) {
            if (segment.expandable) {
                unmapFreePages(segment, log);
            } else {
                releaseIfFree(segment, log);
            }
        }
    }

    /** All segments in the order in which the driver gave their addresses, which is ascending. */
    List<DeviceSegment> segments() {
        return segments;
    }

    /** The bytes of all active blocks. */
    long activeBytes() {
        return segments.stream()
                .flatMap(segment -> segment.blocks().stream())
                .filter(Block::isActive)
                .mapToLong(block -> block.size)
                .sum();
    }

    private Pool pool(Request request) {
        boolean small = Pool.isSmall(request.rounded());
        List<Object> key = List.of(small, request.stream(), request.pool());
        return pools.computeIfAbsent(key, _ -> new Pool(small, request.stream(), request.pool()));
    }

    private Block grown(Pool pool, Request request, SegmentLog log) {
        long size = pool.segmentSize(request.rounded());
        DeviceSegment segment = newSegment(pool, false, size);
        Block block = segment.first();
        block.segmentStack = request.stack();
        pool.add(block);
        log.record(EventAction.SEGMENT_ALLOC, segment, block.address, size, request.stack());
        return block;
    }

    private Block expanded(Pool pool, long size, SegmentLog log) {
        return segments.stream()
                .filter(segment -> segment.expandable && segment.pool == pool)
                .map(segment -> new Expansion(segment, log).map(size))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(() -> reserved(pool, size, log));
    }

    private Block reserved(Pool pool, long size, SegmentLog log) {
        long reservation = Math.max(RESERVATION, 2 * size) / pool.page() * pool.page();
        DeviceSegment segment = newSegment(pool, true, reservation);
        segment.first().state = State.UNMAPPED;
        return new Expansion(segment, log).map(size).orElseThrow();
    }

    private DeviceSegment newSegment(Pool pool, boolean expandable, long size) {
        DeviceSegment segment = new DeviceSegment(pool, expandable, nextAddress, size);
        segments.add(segment);
        nextAddress += Sizes.roundUp(size, DRIVER_UNIT);
        return segment;
    }

    private static void unmapFreePages(DeviceSegment segment, SegmentLog log) {
        Expansion expansion = new Expansion(segment, log);
        segment.blocks().stream().filter(block -> block.state == State.INACTIVE).forEach(expansion::unmap);
    }

    private void releaseIfFree(DeviceSegment segment, SegmentLog log) {
        Block block = segment.first();
        if (block.state == State.INACTIVE && block.next == null) {
            segment.pool.remove(block);
            segments.remove(segment);
            log.record(EventAction.SEGMENT_FREE, segment, block.address, block.size, block.segmentStack);
        }
    }
}
