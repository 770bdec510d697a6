package dev.leakline.allocator;

import dev.leakline.known.SizeRules;
import dev.leakline.lifetime.RoundedSize;
import org.jspecify.annotations.Nullable;

/**
 * PyTorch's CUDA caching allocator of one device, without the device: does, event for event and address for address, what the real one
 * does with the same requests.
 *
 * <p><b>How it works.</b> A request is rounded ({@link RoundedSize}), and its rounded size decides which half of its memory pool serves
 * it. There, among the free blocks of its stream, the smallest that is large enough is taken and cut ({@link FreeBlocks}). Where none is
 * found, a new segment comes from the driver ({@link Segments}), or pages of one that grows ({@link ExpandableSegments}). Where the driver
 * has none, cached memory goes back to it ({@link CacheRelease}) and it is asked again; only then the request fails. A freed block joins
 * its free neighbours; where other streams used it, it waits for them first ({@link PendingFrees}).
 *
 * <p><b>What it assumes.</b> Torch 1.13 to 2.14 with the native backend, no CUDA graph being captured, no callbacks that free memory, one
 * thread. What the driver would answer comes from a {@link Driver}. Source: {@code c10/cuda/CUDACachingAllocator.cpp}; methods here follow
 * its functions in name or by a note.
 *
 * <p><b>Handles.</b> A block is a number from 0 up, good from the request until its free has completed; then it may come to mean another
 * block. Not safe for use by several threads.
 */
public final class CachingAllocator {
    /** The result of a failed request. */
    public static final int OUT_OF_MEMORY = -1;

    private final AllocatorSettings settings;
    private final Driver driver;
    private final Blocks blocks = new Blocks();
    private final MemoryPools pools = new MemoryPools(blocks);
    private final AllocatorStats stats = new AllocatorStats();
    private final RoundedSize rounding;
    private final long limit;
    private final Journal journal;
    private final Segments segments;
    private final FreeBlocks freeBlocks;
    private final ExpandableSegments expandable;
    private final CacheRelease release;
    private final @Nullable GarbageCollection garbage;
    private final PendingFrees pending = new PendingFrees(this::freeBlock);
    private EventReadiness readiness = EventReadiness.ALWAYS;

    /** An allocator that holds nothing yet. */
    public CachingAllocator(AllocatorSettings settings, Driver driver) {
        this(settings, driver, AllocatorListener.NONE);
    }

    /** An allocator that holds nothing yet and tells a listener all that it does. */
    public CachingAllocator(AllocatorSettings settings, Driver driver, AllocatorListener listener) {
        this(settings, AllocatorRules.CURRENT, driver, listener);
    }

    /** An allocator by the rules of a version of torch. */
    public CachingAllocator(
            AllocatorSettings settings, AllocatorRules rules, Driver driver, AllocatorListener listener) {
        this.settings = settings;
        this.driver = driver;
        this.rounding = settings.rounding();
        this.limit = limit(settings, driver);
        boolean collects = limit != AllocatorSettings.UNLIMITED && settings.garbageCollectionThreshold() > 0;
        this.journal = new Journal(blocks, stats, listener, settings.maxSplitSize());
        this.segments = new Segments(blocks, driver, journal, rules);
        this.freeBlocks = new FreeBlocks(blocks, journal, settings, collects);
        this.expandable = new ExpandableSegments(blocks, segments, freeBlocks, journal, driver, settings);
        this.release = new CacheRelease(blocks, segments, expandable, settings);
        this.garbage = collects
                ? new GarbageCollection(blocks, segments, pools.of(0, false), journal, (long)
                        (settings.garbageCollectionThreshold() * limit))
                : null;
    }

    /** The bytes that may be held from the driver, cut to a whole number as {@code setMemoryFraction} does. */
    static long limit(AllocatorSettings settings, Driver driver) {
        double fraction = settings.perProcessMemoryFraction();
        return fraction == 1 ? AllocatorSettings.UNLIMITED : (long) (fraction * driver.totalBytes());
    }

    /** From now on, events of streams complete as {@code readiness} says; until then they are complete when first queried. */
    public void setReadiness(EventReadiness readiness) {
        this.readiness = readiness;
    }

    /**
     * Asks for memory, as a tensor does. Frees that wait for events are completed first where these are ready.
     *
     * @param requested bytes, not rounded; PyTorch never asks for 0, which is served like 1
     * @param stream the raw handle of the stream, 0 for the default stream
     * @param pool the memory pool's number, 0 for the default pool
     * @return the block's handle, or {@link #OUT_OF_MEMORY}
     */
    public int malloc(long requested, long stream, int pool) {
        if (SizeRules.isUnreasonable(requested)) {
            return OUT_OF_MEMORY;
        }
        pending.poll(readiness);
        long rounded = rounding.of(requested);
        StreamBlocks home = home(rounded, stream, pool);
        int block = freeBlocks.take(home, rounded);
        if (block == Blocks.NONE) {
            block = obtain(home, rounded);
        }
        if (block == Blocks.NONE) {
            journal.outOfMemory(home, rounded, driver.freeBytes());
            return OUT_OF_MEMORY;
        }
        freeBlocks.cut(block, rounded);
        return handOut(block, requested);
    }

    /**
     * Returns whether a request would be served from what is cached, without the driver, as long as no pending free completes before. A replay
     * that sees memory go back to the driver before such a request knows that the program has emptied the cache.
     */
    public boolean isCached(long requested, long stream, int pool) {
        long rounded = rounding.of(requested);
        return freeBlocks.find(home(rounded, stream, pool), rounded) != BlockSet.END;
    }

    private StreamBlocks home(long rounded, long stream, int pool) {
        return pools.of(pool, SizeRules.isSmall(rounded)).of(stream);
    }

    /** Gets a new block from the driver, making room for it if need be. The free blocks that this makes are not searched again. */
    private int obtain(StreamBlocks home, long rounded) {
        if (garbage != null) {
            garbage.collect();
        }
        int block = allocBlock(home, rounded);
        if (block == Blocks.NONE && release.oversize(home, rounded)) {
            block = allocBlock(home, rounded);
        }
        if (block == Blocks.NONE) {
            emptyCache();
            journal.retried();
            block = allocBlock(home, rounded);
        }
        return block;
    }

    private int allocBlock(StreamBlocks home, long rounded) {
        int block = moreMemory(home, rounded);
        if (block == Blocks.NONE) {
            journal.refused();
        }
        return block;
    }

    private int moreMemory(StreamBlocks home, long rounded) {
        long size = SizeRules.segmentSize(rounded, settings.largeSegmentSize());
        if (size > limit - stats.reservedBytes()) {
            return Blocks.NONE;
        }
        return settings.expandableSegments() ? expandable.allocate(home, rounded) : segments.allocate(home, size);
    }

    private int handOut(int block, long requested) {
        blocks.state(block, Blocks.ALLOCATED);
        blocks.requested(block, requested);
        journal.allocated(block);
        return block;
    }

    /** Notes that work on another stream uses a block; its free will wait for that work. Its own stream changes nothing. */
    public void recordStream(int block, long stream) {
        requireAllocated(block);
        if (blocks.home(block).stream != stream) {
            pending.record(block, stream);
        }
    }

    /** Lets go of a block. It is free at once, or, where other streams used it, when a request finds that their events are ready. */
    public void free(int block) {
        requestFree(block);
        if (!pending.await(block)) {
            freeBlock(block);
        }
    }

    /**
     * Lets go of a block that stays in use until {@link #complete} is called for it, or until the allocator waits for all pending frees,
     * as it does before it empties its cache. The listener's {@code freeCompleted} tells of either.
     */
    public void freePending(int block) {
        requestFree(block);
        pending.hold(block);
    }

    /** Completes a pending free, whatever it waits for. */
    public void complete(int block) {
        if (!isPending(block)) {
            throw new IllegalArgumentException("expected a block whose free is pending, found " + block);
        }
        pending.complete(block);
    }

    /** Returns whether the block of a handle was freed by the program and is still in use. */
    public boolean isPending(int block) {
        return blocks.is(block, Blocks.PENDING);
    }

    private void requestFree(int block) {
        requireAllocated(block);
        journal.freeRequested(block);
        blocks.state(block, Blocks.PENDING);
    }

    private void freeBlock(int block) {
        journal.freeCompleted(block);
        freeBlocks.put(block);
    }

    /** torch.cuda.empty_cache: completes all pending frees, then gives all cached segments back to the driver. */
    public void emptyCache() {
        journal.synchronised();
        pending.synchronise();
        for (BlockPool pool : pools.releasable()) {
            release.all(pool);
        }
    }

    /** Says that a private pool is no longer used by anybody, so that emptying the cache gives back what it caches too. */
    public void setReleasable(int pool) {
        pools.setReleasable(pool);
    }

    /** Adopts what another allocator held; to be used before the first request. */
    public Seeding seed() {
        return new Seeding(driver, blocks, pools, segments, freeBlocks, expandable, journal, pending);
    }

    /** Shows everything that is held. */
    public void visit(MemoryVisitor visitor) {
        MemoryWalk walk = new MemoryWalk(blocks, visitor);
        for (Segment segment : segments.all()) {
            walk.show(segment);
        }
    }

    /** Where a block begins. */
    public long address(int block) {
        return blocks.address(block);
    }

    /** Bytes that a block takes. */
    public long size(int block) {
        return blocks.size(block);
    }

    /** Requested bytes. */
    public long requested(int block) {
        return blocks.requested(block);
    }

    /** The stream that a block belongs to. */
    public long stream(int block) {
        return blocks.home(block).stream;
    }

    /** The number of the memory pool that a block belongs to. */
    public int pool(int block) {
        return blocks.home(block).pool.number;
    }

    /** The figures of {@code torch.cuda.memory_stats}; live. */
    public AllocatorStats stats() {
        return stats;
    }

    /** The settings. */
    public AllocatorSettings settings() {
        return settings;
    }

    /** The bytes that may be held from the driver; {@link AllocatorSettings#UNLIMITED} where there is no limit. */
    public long limit() {
        return limit;
    }

    private void requireAllocated(int block) {
        if (!blocks.is(block, Blocks.ALLOCATED)) {
            throw new IllegalArgumentException("expected a block that the program holds, found " + block);
        }
    }
}
