package dev.leakline.read.trace;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.source.ReadException;
import java.util.BitSet;

/**
 * Reconstructs the memory of a device that no event shows: the profiler records only the threads that it was started in and those of their
 * backward passes. The sums that events carry show it: one is larger or smaller than the one before and its own bytes make it.
 *
 * <p>What came so is taken for the blocks that are freed later without having been allocated, in the order in which they are, as far as there is
 * room for them; what is left is one block, and goes where as much goes unseen again. So live bytes are exact after every event, and who
 * had them is known where somebody who is watched frees them.
 */
final class UnseenMemory {
    /** Frees that are tried for what came at one event; more are hardly in flight between two threads. */
    private static final int TRIED = 1000;

    private final TraceMemory memory;
    private final int[] events;
    /** The places among the events of frees of what was never allocated, in order. */
    private final IntArrayList strangers = new IntArrayList();

    private final BitSet taken = new BitSet();
    private final LongArrayList rests = new LongArrayList();
    private int first;
    private long allocated = TraceMemory.UNKNOWN;

    /** Looks through the events of a device, which are in the order of their times. */
    UnseenMemory(TraceMemory memory, int[] events) {
        this.memory = memory;
        this.events = events;
        SeededLongSet live = new SeededLongSet();
        for (int i = 0; i < events.length; i++) {
            long address = memory.address(events[i]);
            if (memory.bytes(events[i]) > 0) {
                live.add(address);
            } else if (!live.remove(address)) {
                strangers.add(i);
            }
        }
    }

    /** Receives the blocks that were allocated or freed. */
    interface Listener {
        /** A block came; {@code address} is {@link TraceMemory#UNKNOWN} where nobody frees it. */
        void came(long bytes, long address) throws ReadException;

        /** A block that nobody else frees went. */
        void went(long bytes) throws ReadException;
    }

    /** Tells what happened between the event at a place and the one before; to be called for all places in order. */
    void before(int place, Listener listener) throws ReadException {
        int event = events[place];
        if (memory.isFailed(event)) {
            return;
        }
        long now = memory.allocated(event);
        long unseen = now == TraceMemory.UNKNOWN || allocated == TraceMemory.UNKNOWN
                ? 0
                : now - memory.bytes(event) - allocated;
        allocated = now;
        if (unseen > 0) {
            come(place, unseen, listener);
        } else if (unseen < 0) {
            go(-unseen, listener);
        }
    }

    private void come(int place, long bytes, Listener listener) throws ReadException {
        while (first < strangers.size() && (strangers.get(first) < place || taken.get(first))) {
            first++;
        }
        long rest = bytes;
        for (int i = first; i < Math.min(strangers.size(), first + TRIED) && rest > 0; i++) {
            int event = events[strangers.get(i)];
            long size = -memory.bytes(event);
            if (!taken.get(i) && size <= rest) {
                taken.set(i);
                rest -= size;
                listener.came(size, memory.address(event));
            }
        }
        if (rest > 0) {
            rests.add(rest);
            listener.came(rest, TraceMemory.UNKNOWN);
        }
    }

    private void go(long bytes, Listener listener) throws ReadException {
        long rest = bytes;
        for (int i = rests.size() - 1; i >= 0 && rest > 0; i--) {
            if (rests.get(i) <= rest) {
                rest -= rests.get(i);
                listener.went(rests.get(i));
                rests.removeAt(i);
            }
        }
    }
}
