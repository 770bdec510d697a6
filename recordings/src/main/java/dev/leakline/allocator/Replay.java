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
 * <p>It ends at the first request that fails and did not when it was recorded: what the program would have done then, nobody knows.
 */
final class Replay {
    /** No block, no event. */
    static final int NONE = -1;

    /** Receives each operation before and after it is carried out. */
    interface Observer {
        /** Hears nothing. */
        Observer NONE = new Observer() {};

        /** Returns whether the driver is that of the recording, so that what is in doubt shows. */
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
    private final Requests requests;
    private final Observer observer;
    private final CachingAllocator allocator;
    /** The block of each subject, while it has one. */
    private final int[] blocks;
    /** Subjects of blocks that wait for streams, by block. */
    private final IntIntHashMap waiting = new IntIntHashMap();

    private @Nullable Failure failure;
    private boolean isOver;

    /** A replay that stands where the recording begins. */
    Replay(Workload workload, AllocatorSettings settings, AllocatorRules rules, Driver driver, Observer observer) {
        this.workload = workload;
        this.requests = workload.requests();
        this.observer = observer;
        this.blocks = new int[workload.subjects()];
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

    /** Returns whether no request fails; carries out no more than it takes to know. */
    boolean fits() {
        for (int index = 0; failure == null && index < workload.size(); index++) {
            step(index);
        }
        return failure == null;
    }

    /** Carries out an operation. */
    void step(int index) {
        Operation operation = operation(index);
        observer.before(operation, workload.event(index));
        carryOut(operation, index);
        observer.after(operation, workload.event(index));
    }

    private Operation operation(int index) {
        if (observer.followsRecording()
                && workload.operation(index) == Operation.MAYBE_EMPTY_CACHE
                && isCached(workload.nextRequest(index))) {
            workload.settle(index);
        }
        return workload.operation(index);
    }

    private boolean isCached(int index) {
        if (index == workload.size()) {
            return false;
        }
        int request = workload.request(workload.subject(index));
        return allocator.isCached(requests.bytes(request), requests.stream(request), requests.pool(request));
    }

    private void carryOut(Operation operation, int index) {
        int subject = workload.subject(index);
        switch (operation) {
            case ALLOCATE -> isOver = !allocate(subject, index, false);
            case FAIL -> allocate(subject, index, true);
            case FREE, COMPLETE -> free(subject);
            case FREE_LATER -> freeLater(subject);
            case EMPTY_CACHE -> allocator.emptyCache();
            case MAYBE_EMPTY_CACHE -> {}
        }
    }

    /** Returns whether there was memory for it. */
    private boolean allocate(int subject, int index, boolean hasFailed) {
        int request = workload.request(subject);
        long bytes = requests.bytes(request);
        int block = allocator.malloc(bytes, requests.stream(request), requests.pool(request));
        blocks[subject] = block;
        if (block < 0 && failure == null) {
            failure = new Failure(workload.event(index), bytes, null, hasFailed);
        }
        return block >= 0;
    }

    /** Recordings that lack events may free twice, or what still waits for streams: it is free then. */
    private void free(int subject) {
        int block = blocks[subject];
        if (block >= 0 && allocator.isPending(block)) {
            allocator.complete(block);
        } else if (block >= 0) {
            allocator.free(block);
        }
        blocks[subject] = NONE;
    }

    private void freeLater(int subject) {
        int block = blocks[subject];
        if (block >= 0 && !allocator.isPending(block)) {
            waiting.put(block, subject);
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

    /** Returns whether the driver, or a limit, ever refused memory. */
    boolean isRefused() {
        return failure != null || stats().refusals() > 0;
    }

    AllocatorStats stats() {
        return allocator.stats();
    }

    private Trial outcome() {
        AllocatorStats stats = stats();
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
