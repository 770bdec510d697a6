package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.Block.State;
import dev.leakline.testkit.snapshot.event.CallStack;
import dev.leakline.testkit.snapshot.event.Event;
import dev.leakline.testkit.snapshot.event.EventAction;
import dev.leakline.testkit.snapshot.event.PoolId;
import dev.leakline.testkit.snapshot.event.Scene;
import java.util.ArrayList;
import java.util.List;

/** Pinned host memory: one block a segment, its size a power of two, kept when freed. */
final class HostRecording {
    private static final long FIRST_ADDRESS = 0x6f00_0000_0000L;
    private static final Pool POOL = new Pool(true, 0, PoolId.DEFAULT);

    final List<DeviceSegment> segments = new ArrayList<>();
    final List<Event> trace = new ArrayList<>();
    private final Cursor cursor;
    private long nextAddress = FIRST_ADDRESS;

    HostRecording(Cursor cursor) {
        this.cursor = cursor;
    }

    Block allocate(long size, CallStack stack) {
        long rounded = Math.max(Pool.UNIT, Long.highestOneBit(2 * size - 1));
        Block block = cached(rounded, stack);
        block.occupy(rounded, stack, false);
        record(EventAction.ALLOC, block, stack);
        return block;
    }

    void free(Block block, CallStack here) {
        record(EventAction.FREE_REQUESTED, block, here);
        record(EventAction.FREE_COMPLETED, block, here);
        block.vacate();
    }

    private Block cached(long size, CallStack stack) {
        return segments.stream()
                .map(DeviceSegment::first)
                .filter(block -> block.state == State.INACTIVE && block.size == size)
                .findFirst()
                .orElseGet(() -> pinned(size, stack));
    }

    private Block pinned(long size, CallStack stack) {
        DeviceSegment segment = new DeviceSegment(POOL, false, nextAddress, size);
        segments.add(segment);
        nextAddress += Sizes.roundUp(size, Sizes.MB);
        segment.first().segmentStack = stack;
        record(EventAction.SEGMENT_ALLOC, segment.first(), stack);
        return segment.first();
    }

    private void record(EventAction action, Block block, CallStack stack) {
        Scene scene = new Scene(cursor.tick(), "", "");
        trace.add(new Event(action, block.address, block.size, 0, PoolId.DEFAULT, scene, stack, null));
    }
}
