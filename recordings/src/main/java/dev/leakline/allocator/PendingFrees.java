package dev.leakline.allocator;

import com.carrotsearch.hppc.IntArrayDeque;
import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntObjectHashMap;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.hash.SeededLongObjectMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Blocks that the program freed while other streams may still use them: each waits for an event on every such stream, or until it is told
 * that it is complete.
 *
 * <p>Events of a stream complete in the order in which they were recorded, so each stream has a queue, and a query that finds its first
 * event not ready looks no further. Source: {@code record_stream}, {@code insert_events}, {@code process_events}.
 */
final class PendingFrees {
    private final IntConsumer complete;
    private final IntObjectHashMap<LongArrayList> recorded = new IntObjectHashMap<>();
    private final SeededLongObjectMap<IntArrayDeque> queues = new SeededLongObjectMap<>();
    private final LongArrayList streams = new LongArrayList();
    private final IntIntHashMap events = new IntIntHashMap();
    private final List<LongArrayList> spare = new ArrayList<>();

    /** @param complete is given each block whose last event has completed */
    PendingFrees(IntConsumer complete) {
        this.complete = complete;
    }

    /** Notes that a stream uses a block that another stream owns. */
    void record(int block, long stream) {
        LongArrayList uses = recorded.get(block);
        if (uses == null) {
            uses = spare.isEmpty() ? new LongArrayList(2) : spare.removeLast();
            recorded.put(block, uses);
        }
        if (!uses.contains(stream)) {
            uses.add(stream);
        }
    }

    /** Records an event on each stream that used a block; answers whether there was any. */
    boolean await(int block) {
        LongArrayList uses = recorded.isEmpty() ? null : recorded.remove(block);
        if (uses == null) {
            return false;
        }
        events.put(block, uses.size());
        for (int i = 0; i < uses.size(); i++) {
            queue(uses.get(i)).addLast(block);
        }
        uses.elementsCount = 0;
        spare.add(uses);
        return true;
    }

    /** Makes a block wait until {@link #complete} is called for it, or all are. */
    void hold(int block) {
        LongArrayList uses = recorded.isEmpty() ? null : recorded.remove(block);
        if (uses != null) {
            uses.elementsCount = 0;
            spare.add(uses);
        }
        events.put(block, 0);
    }

    /** Completes a block whatever it waits for. */
    void complete(int block) {
        if (events.remove(block) > 0) {
            for (int i = 0; i < streams.size(); i++) {
                queue(streams.get(i)).removeAll(block);
            }
        }
        complete.accept(block);
    }

    /** Completes the blocks whose events are ready. */
    void poll(EventReadiness readiness) {
        if (events.isEmpty()) {
            return;
        }
        for (int i = 0; i < streams.size(); i++) {
            long stream = streams.get(i);
            IntArrayDeque queue = queue(stream);
            while (!queue.isEmpty() && readiness.isComplete(stream, queue.getFirst())) {
                eventCompleted(queue.removeFirst());
            }
        }
    }

    /** Waits for everything: completes all blocks. */
    void synchronise() {
        poll(EventReadiness.ALWAYS);
        int[] held = events.keys().toArray();
        Arrays.sort(held); // the map's own order differs from run to run
        for (int block : held) {
            complete(block);
        }
    }

    private void eventCompleted(int block) {
        if (events.addTo(block, -1) == 0) {
            events.remove(block);
            complete.accept(block);
        }
    }

    private IntArrayDeque queue(long stream) {
        IntArrayDeque queue = queues.get(stream);
        if (queue == null) {
            queue = new IntArrayDeque();
            queues.put(stream, queue);
            streams.add(stream);
        }
        return queue;
    }
}
