package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.event.CallStack;
import dev.leakline.testkit.snapshot.event.Event;
import dev.leakline.testkit.snapshot.event.EventAction;
import dev.leakline.testkit.snapshot.event.PoolId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One device: its memory, and the trace of what happens to it. */
final class DeviceRecording {
    final DeviceMemory memory;
    final List<Event> trace = new ArrayList<>();
    private final Cursor cursor;

    DeviceRecording(int ordinal, Cursor cursor) {
        memory = new DeviceMemory(ordinal);
        this.cursor = cursor;
    }

    /** Occupies a block without an event. */
    Block preexisting(long size, @Nullable CallStack stack) {
        if (!trace.isEmpty()) {
            throw new IllegalStateException("what is there before the recording comes before its first event");
        }
        Request request = new Request(size, cursor.stream, cursor.pool, cursor.expandable, null);
        Block block = memory.allocate(request, SegmentLog.SILENT);
        block.occupy(size, stack, stack != null);
        return block;
    }

    Block allocate(long size, CallStack stack) {
        Request request = cursor.request(size, stack);
        Block block = memory.allocate(request, log(stack));
        block.occupy(size, request.stack(), true);
        record(EventAction.ALLOC, block, cursor.keep(Context.ALLOC, stack));
        return block;
    }

    void requestFree(Block block, CallStack here) {
        if (block.state != Block.State.ACTIVE_ALLOCATED) {
            throw new IllegalStateException("the free of this block is pending already");
        }
        recordFree(EventAction.FREE_REQUESTED, block, cursor.ending(here, block.stack));
        block.state = Block.State.ACTIVE_PENDING_FREE;
    }

    void completeFree(Block block, CallStack here) {
        recordFree(EventAction.FREE_COMPLETED, block, cursor.ending(here, block.stack));
        memory.free(block);
    }

    void emptyCache(CallStack here) {
        memory.emptyCache(log(here));
    }

    void outOfMemory(long size, long deviceFree, CallStack here) {
        CallStack stack = cursor.keep(Context.ALLOC, here);
        add(EventAction.OOM, deviceFree, Pool.rounded(size), cursor.stream, cursor.pool, stack, null);
    }

    void snapshotTaken() {
        add(EventAction.SNAPSHOT, 0, memory.activeBytes(), 0, PoolId.DEFAULT, null, null);
    }

    void annotate(Block block, CallStack here) {
        record(EventAction.ANNOTATE, block, cursor.keep(Context.ALLOC, here));
    }

    private SegmentLog log(CallStack here) {
        return (action, segment, address, size, own) -> {
            CallStack stack = action.isRelease() ? cursor.ending(here, own) : cursor.keep(Context.ALLOC, here);
            add(action, address, size, segment.pool.stream, segment.pool.id, stack, null);
        };
    }

    private void record(EventAction action, Block block, @Nullable CallStack stack) {
        Pool pool = block.segment.pool;
        add(action, block.address, block.requested, pool.stream, pool.id, stack, null);
    }

    private void recordFree(EventAction action, Block block, @Nullable CallStack stack) {
        Pool pool = block.segment.pool;
        add(action, block.address, block.requested, pool.stream, pool.id, stack, block.stack);
    }

    private void add(
            EventAction action,
            long address,
            long size,
            long stream,
            PoolId pool,
            @Nullable CallStack stack,
            @Nullable CallStack origin) {
        trace.add(new Event(action, address, size, stream, pool, cursor.scene(), stack, origin));
    }
}
