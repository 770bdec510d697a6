package dev.leakline.read;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongIntHashMap;
import com.carrotsearch.hppc.LongObjectHashMap;
import dev.leakline.columns.Action;
import dev.leakline.columns.BlockState;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.SnapshotColumns.Trace;
import dev.leakline.columns.StackTable;
import java.util.Arrays;

/**
 * Writes the memory events of one device as those of a snapshot, and concludes what lives at the end.
 *
 * <p>The sums that events carry say what was there before the first: what is allocated at the end, less what the events leave. It becomes
 * one block that nobody is known to have asked for. Traces of torch up to 1.10 have neither sums nor addresses. There a free is taken for that of the
 * youngest block of its size, as most memory goes in the reverse of the order in which it came.
 */
final class TraceDevice {
    /** Stands apart from all addresses that a process can have; where blocks without an address lie, one after the other. */
    private static final long NOWHERE = 1L << 62;
    /** The distance of blocks that lie nowhere: as allocators align them. */
    private static final long APART = 512;

    private static final long NANOS_PER_MICRO = 1000;

    private final SnapshotColumns columns;
    private final TraceMemory memory;
    private final int device;
    private final long baseMicros;
    private final int first;
    /** Of each address in use the row of the event that allocated there. */
    private final LongIntHashMap live = new LongIntHashMap();
    /** Of each size the addresses of blocks without one, oldest first. */
    private final LongObjectHashMap<IntArrayList> nameless = new LongObjectHashMap<>();

    private int madeUp;
    private long liveBytes;
    private long allocated = TraceMemory.UNKNOWN;
    private long reserved;

    TraceDevice(SnapshotColumns columns, TraceMemory memory, int device, long baseNanos) {
        this.columns = columns;
        this.memory = memory;
        this.device = device;
        this.baseMicros = Math.floorDiv(baseNanos, NANOS_PER_MICRO);
        this.first = columns.events.size();
    }

    /** Takes the next event and its stack. */
    void add(int event, int stack) {
        Action action = action(event);
        long bytes = Math.abs(memory.bytes(event));
        long address = action == Action.OOM ? TraceMemory.UNKNOWN : address(event, bytes);
        int row = columns.events.size();
        columns.events.add(action, address, bytes, micros(memory.time(event)), 0, stack, 0, 0, 0);
        if (action == Action.ALLOC) {
            live.put(address, row);
        } else if (action == Action.FREE_COMPLETED) {
            live.remove(address);
        }
        takeSums(event, row);
    }

    private Action action(int event) {
        if (memory.isFailed(event)) {
            return Action.OOM;
        }
        return memory.bytes(event) > 0 ? Action.ALLOC : Action.FREE_COMPLETED;
    }

    long micros(long nanos) {
        return baseMicros + Math.floorDiv(nanos, NANOS_PER_MICRO);
    }

    private long address(int event, long bytes) {
        long known = memory.address(event);
        return known == TraceMemory.UNKNOWN ? madeUp(bytes, memory.bytes(event) > 0) : known;
    }

    private long madeUp(long bytes, boolean isAlloc) {
        IntArrayList blocks = nameless.get(bytes);
        if (blocks == null) {
            blocks = new IntArrayList();
            nameless.put(bytes, blocks);
        }
        if (!isAlloc && !blocks.isEmpty()) {
            return NOWHERE + APART * blocks.removeLast();
        }
        madeUp++;
        if (isAlloc) {
            blocks.add(madeUp);
        }
        return NOWHERE + APART * madeUp;
    }

    /** Notes the sums after an event; where they do not change by its bytes, events are missing. */
    private void takeSums(int event, int row) {
        long now = memory.allocated(event);
        boolean isGap = now != allocated + memory.bytes(event) && allocated != TraceMemory.UNKNOWN;
        if (isGap && now != TraceMemory.UNKNOWN && !memory.isFailed(event)) {
            columns.counters.count("gap before a [memory] event");
        }
        allocated = now;
        long stated = Math.max(memory.reserved(event), 0);
        if (row == first || stated != reserved) {
            reserved = stated;
            columns.reserved.add(row, stated);
        }
    }

    /** Writes the trace and what lives at its end. */
    void finish() {
        columns.traces.add(new Trace(device, first, columns.events.size() - first));
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
