package dev.leakline.read.trace;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.Action;
import dev.leakline.columns.BlockState;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.SnapshotColumns.Trace;
import dev.leakline.columns.StackTable;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.hash.SeededLongObjectMap;
import dev.leakline.source.ReadException;
import dev.leakline.source.StatedSizes;
import java.util.Arrays;

/**
 * Writes the memory events of one device as those of a snapshot, and concludes what lives at the end.
 *
 * <p>The sums that events carry say what was there before the first: what is allocated at the end, less what the events leave. It becomes
 * one block without a known request. Traces of torch up to 1.10 have neither sums nor addresses. There a free is taken for that of the
 * youngest block of its size, as most memory goes in the reverse of the order in which it came.
 */
final class TraceDevice {
    /** Stands apart from all addresses that a process can have; where blocks without an address lie, one after the other. */
    private static final long NOWHERE = 1L << 62;
    /** The counter for memory that sums show and no event reports. */
    private static final String UNSEEN =
            "memory of threads that the profiler does not record (known only from the totals)";

    /** The distance of blocks that lie nowhere: as allocators align them. */
    private static final long APART = 512;

    private static final long NANOS_PER_MICRO = 1000;

    private final SnapshotColumns columns;
    private final TraceMemory memory;
    private final StatedSizes sizes;
    private final int device;
    private final long baseMicros;
    private final int first;
    /** Rows of the allocating events, by address in use. */
    private final SeededLongIntMap live = new SeededLongIntMap();
    /** Places of blocks without an address, by size, oldest first. */
    private final SeededLongObjectMap<IntArrayList> nameless = new SeededLongObjectMap<>();

    private int places;
    private long liveBytes;
    private long allocated = TraceMemory.UNKNOWN;
    private long reserved;

    TraceDevice(SnapshotColumns columns, TraceMemory memory, StatedSizes sizes, int device, long baseNanos) {
        this.columns = columns;
        this.memory = memory;
        this.sizes = sizes;
        this.device = device;
        this.baseMicros = Math.floorDiv(baseNanos, NANOS_PER_MICRO);
        this.first = columns.events.size();
    }

    /** Writes the device's events, which are in the order of their times, with their stacks, and what lives in the end. */
    void write(int[] events, int[] stacks) throws ReadException {
        UnseenMemory unseen = new UnseenMemory(memory, events);
        for (int i = 0; i < events.length; i++) {
            unseen.before(i, listener(events[i]));
            add(events[i], stacks[i]);
        }
        columns.traces.add(new Trace(device, first, columns.events.size() - first));
        writeEnd();
    }

    private UnseenMemory.Listener listener(int event) {
        return new UnseenMemory.Listener() {
            @Override
            public void came(long bytes, long address) throws ReadException {
                columns.counters.count(UNSEEN);
                boolean isNameless = address == TraceMemory.UNKNOWN;
                add(event, Action.ALLOC, isNameless ? place(bytes, true) : address, bytes, StackTable.NONE);
            }

            @Override
            public void went(long bytes) throws ReadException {
                columns.counters.count(UNSEEN);
                add(event, Action.FREE_COMPLETED, place(bytes, false), bytes, StackTable.NONE);
            }
        };
    }

    private void add(int event, int stack) throws ReadException {
        long bytes = Math.abs(memory.bytes(event));
        if (memory.isFailed(event)) {
            add(event, Action.OOM, TraceMemory.UNKNOWN, bytes, stack);
            return;
        }
        boolean isAlloc = memory.bytes(event) > 0;
        long known = memory.address(event);
        long address = known == TraceMemory.UNKNOWN ? place(bytes, isAlloc) : known;
        add(event, isAlloc ? Action.ALLOC : Action.FREE_COMPLETED, address, bytes, stack);
        allocated = memory.allocated(event);
    }

    private void add(int event, Action action, long address, long bytes, int stack) throws ReadException {
        int row = columns.events.size();
        columns.events.add(action, address, sizes.take(bytes), micros(memory.time(event)), 0, stack, 0, 0, 0);
        if (action == Action.ALLOC) {
            live.put(address, row);
        } else if (action == Action.FREE_COMPLETED) {
            live.remove(address);
        }
        long stated = Math.max(memory.reserved(event), 0);
        if (row == first || stated != reserved) {
            reserved = stated;
            columns.reserved.add(row, stated);
        }
    }

    /** Unix microseconds of a time in the trace. */
    long micros(long nanos) {
        return baseMicros + Math.floorDiv(nanos, NANOS_PER_MICRO);
    }

    /** Where a block lies, or lay, that has no address: a free is that of the youngest of its size. */
    private long place(long bytes, boolean isAlloc) {
        IntArrayList blocks = nameless.get(bytes);
        if (blocks == null) {
            blocks = new IntArrayList();
            nameless.put(bytes, blocks);
        }
        if (!isAlloc && !blocks.isEmpty()) {
            return NOWHERE + APART * blocks.removeLast();
        }
        places++;
        if (isAlloc) {
            blocks.add(places);
        }
        return NOWHERE + APART * places;
    }

    private void writeEnd() {
        int firstBlock = columns.blocks.size();
        long[] addresses = live.keys().toArray();
        Arrays.sort(addresses);
        for (long address : addresses) {
            addBlock(address, live.get(address));
        }
        long older = allocated == TraceMemory.UNKNOWN ? 0 : allocated - liveBytes;
        if (older > 0) {
            columns.blocks.add(0, older, older, BlockState.ALLOCATED, StackTable.NONE);
            liveBytes += older;
        }
        int blocks = columns.blocks.size() - firstBlock;
        columns.segments.add(new SegmentColumns.Row(
                device, 0, reserved, liveBytes, liveBytes, 0, 0, true, false, StackTable.NONE, firstBlock, blocks));
    }

    private void addBlock(long address, int row) {
        long bytes = columns.events.size(row);
        columns.blocks.add(address, bytes, bytes, BlockState.ALLOCATED, columns.events.stack(row));
        liveBytes += bytes;
    }
}
