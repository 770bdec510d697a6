package dev.leakline.allocator;

import com.carrotsearch.hppc.IntIntHashMap;
import dev.leakline.allocator.AllocatorStats.Quantity;
import dev.leakline.allocator.AllocatorStats.Share;
import dev.leakline.allocator.Workload.Operation;
import dev.leakline.columns.Action;
import dev.leakline.result.WhatIf.Failure;
import dev.leakline.result.WhatIf.Trial;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Replays a program's requests on a model of the allocator.
 *
 * <p>It ends at the first request that fails and did not when it was recorded: what the program would have done then, nobody knows. A
 * request that was refused in the recording and succeeds here is freed at once, since nobody knows how long it would have been held.
 */
final class Replay {
    /** No block, no event. */
    static final int NONE = -1;

    /** Receives each operation before and after it is carried out. */
    interface Observer {
        /** Hears nothing. */
        Observer NONE = new Observer() {};

        /** Whether the driver is that of the recording, so that what is in doubt shows. */
        default boolean followsRecording() {
            return false;
        }

        /** The allocator called the driver. */
        default void called(Action call, long size) {}

        /** An operation comes next. */
        default void before(Operation operation, int event) {}

        /** The operation was carried out, or refused. */
        default void after(Operation operation, int event) {}
    }

    private final Workload workload;
    private final Observer observer;
    private final CachingAllocator allocator;
    /** The block of each allocation, while it has one. */
    private final int[] blocks;
    /** Allocations of blocks that wait for streams, by block. */
    private final IntIntHashMap waiting = new IntIntHashMap();

    private @Nullable Failure failure;
    private boolean isOver;

    /** A replay that stands where the recording begins. */
    Replay(Workload workload, AllocatorSettings settings, AllocatorRules rules, Driver driver, Observer observer) {
        this.workload = workload;
        this.observer = observer;
        this.blocks = new int[workload.allocations()];
        Arrays.fill(blocks, NONE);
        this.allocator = new CachingAllocator(settings, rules, driver, new Listener());
        allocator.setReadiness((_, _) -> false); // the recording says when streams are done
        workload.start().seed(allocator.seed(), blocks);
    }

    /** Carries out all operations, and says how it went. */
    Trial run() {
        for (int index = 0; !isOver && index < workload.size(); index++) {
            step(index);
        }
        return outcome();
    }

    /** Whether no request fails; carries out no more than it takes to know. */
    boolean fits() {
        for (int index = 0; failure == null && index < workload.size(); index++) {
            step(index);
        }
        return failure == null;
    }

    private void step(int index) {
        Operation operation = operation(index);
        observer.before(operation, workload.event(index));
        carryOut(operation, index);
        observer.after(operation, workload.event(index));
    }

    private Operation operation(int index) {
        if (observer.followsRecording()
                && workload.operation(index) == Operation.MAYBE_EMPTY_CACHE
                && isCached(index + 1)) {
            workload.settle(index);
        }
        return workload.operation(index);
    }

    private boolean isCached(int request) {
        return allocator.isCached(workload.bytes(request), workload.stream(request), workload.pool(request));
    }

    private void carryOut(Operation operation, int index) {
        switch (operation) {
            case ALLOCATE -> allocate(index);
            case FAIL -> tryAgain(index);
            case FREE, COMPLETE -> free(workload.subject(index));
            case FREE_LATER -> freeLater(workload.subject(index));
            case EMPTY_CACHE -> allocator.emptyCache();
            case MAYBE_EMPTY_CACHE -> {}
        }
    }

    private void allocate(int index) {
        int block = malloc(index);
        blocks[workload.subject(index)] = block;
        if (block < 0) {
            fail(index, false);
            isOver = true;
        }
    }

    private void tryAgain(int index) {
        int block = malloc(index);
        if (block >= 0) {
            allocator.free(block);
        } else {
            fail(index, true);
        }
    }

    private int malloc(int index) {
        return allocator.malloc(workload.bytes(index), workload.stream(index), workload.pool(index));
    }

    private void fail(int index, boolean wasRecorded) {
        if (failure == null) {
            failure = new Failure(workload.event(index), workload.bytes(index), null, wasRecorded);
        }
    }

    /** Recordings that lack events may free twice, or what still waits for streams: it is free then. */
    private void free(int allocation) {
        int block = blocks[allocation];
        if (block >= 0 && allocator.isPending(block)) {
            allocator.complete(block);
        } else if (block >= 0) {
            allocator.free(block);
        }
        blocks[allocation] = NONE;
    }

    private void freeLater(int allocation) {
        int block = blocks[allocation];
        if (block >= 0 && !allocator.isPending(block)) {
            waiting.put(block, allocation);
            allocator.freePending(block);
        }
    }

    /** Receives the events of the allocator. */
    private final class Listener implements AllocatorListener {
        /** The allocator waited for a block by itself, or was told that it is done. */
        @Override
        public void freeCompleted(int block, long address, long requested, long stream, int pool) {
            if (waiting.containsKey(block)) {
                blocks[waiting.remove(block)] = Replay.NONE;
            }
        }

        @Override
        public void segmentAllocated(long address, long size, long stream, int pool) {
            observer.called(Action.SEGMENT_ALLOC, size);
        }

        @Override
        public void segmentFreed(long address, long size, long stream, int pool) {
            observer.called(Action.SEGMENT_FREE, size);
        }

        @Override
        public void segmentMapped(long address, long size, long stream, int pool) {
            observer.called(Action.SEGMENT_MAP, size);
        }

        @Override
        public void segmentUnmapped(long address, long size, long stream, int pool) {
            observer.called(Action.SEGMENT_UNMAP, size);
        }
    }

    private Trial outcome() {
        AllocatorStats stats = allocator.stats();
        return new Trial(
                allocator.settings().conf(),
                stats.peak(Quantity.RESERVED_BYTES, Share.ALL),
                stats.peak(Quantity.ACTIVE_BYTES, Share.ALL),
                stats.driverAllocations(),
                stats.driverFrees(),
                stats.retries(),
                0,
                failure);
    }
}
