package dev.leakline.read.trace;

import com.carrotsearch.hppc.IntIntHashMap;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.primitive.PackedTable;
import dev.leakline.read.trace.TraceEvent.Category;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.StatedSizes;
import java.util.HashMap;
import java.util.Map;

/** Sorts the events of a trace into tables: ranges that make stacks, marks, memory; what could not be used is counted. */
final class TraceCollector {
    /** PyTorch's number for the host's memory; all others are devices. */
    private static final long CPU = 0;

    private static final String MEMORY = "[memory]";
    private static final String OUT_OF_MEMORY = "[OutOfMemory]";

    /** Marked ranges: a text and two times in nanoseconds a row. */
    final PackedTable marks = new PackedTable(3);

    final TraceRanges ranges = new TraceRanges();
    final TraceMemory memory = new TraceMemory();
    final TraceFrames frames;
    final CallNodes nodes;

    private final SnapshotColumns columns;
    private final ReadLimits limits;
    private final TraceLimits traceLimits;
    private final StatedSizes sizes;
    /** Thread numbers plus one, by process and thread. */
    private final SeededLongIntMap threads = new SeededLongIntMap();
    /** The type with which each device was first seen. */
    private final IntIntHashMap types = new IntIntHashMap();

    private final Map<String, Integer> callStacks = new HashMap<>();

    TraceCollector(SnapshotColumns columns, ReadLimits limits, TraceLimits traceLimits) {
        this.columns = columns;
        this.limits = limits;
        this.traceLimits = traceLimits;
        this.sizes = new StatedSizes(limits, columns.counters);
        this.frames = new TraceFrames(columns, limits);
        this.nodes = new CallNodes(columns.stacks, traceLimits);
    }

    /** Takes what is said of a device's memory. */
    void device(long id, long bytes) {
        if (id >= 0 && id < limits.devices() && bytes > 0 && sizes.isPossible(bytes)) {
            columns.deviceBytes.put((int) id, bytes);
        }
    }

    /** Takes an event; the object stays the caller's. */
    void take(TraceEvent event) throws ReadException {
        boolean isMemory = event.name.equals(MEMORY) || event.name.equals(OUT_OF_MEMORY);
        if (event.isInstant() && isMemory) {
            takeMemory(event);
        } else if (event.isRange() && event.category != Category.OTHER && event.category != Category.UNKNOWN) {
            takeRange(event);
        }
    }

    private void takeMemory(TraceEvent event) throws ReadException {
        if (event.time == TraceEvent.NONE || event.bytes == TraceEvent.NONE || event.bytes == 0) {
            columns.counters.count(MEMORY + " without a time or a size");
            return;
        }
        if (!sizes.isPossible(Math.abs(event.bytes))) {
            sizes.count();
            return;
        }
        boolean isHost = event.deviceType == CPU;
        int device = isHost ? SnapshotColumns.HOST : Math.clamp(event.device, -2, limits.devices());
        if (!isHost && (device < 0 || device >= limits.devices())) {
            columns.counters.count(MEMORY + " without a valid device");
            return;
        }
        int type = (int) event.deviceType;
        types.putIfAbsent(device, type);
        if (types.get(device) != type) {
            columns.counters.count(MEMORY + " of a different kind of device");
            return;
        }
        checkRoom(memory.size(), traceLimits.events(), "memory events");
        memory.add(
                event.time,
                event.bytes,
                event.address == TraceEvent.NONE ? TraceMemory.UNKNOWN : event.address,
                known(event.allocated),
                known(event.reserved),
                device,
                thread(event),
                event.name.equals(OUT_OF_MEMORY));
    }

    /** A sum that an event states, if it states one and memory can have so much. */
    private long known(long bytes) {
        if (bytes != TraceEvent.NONE && !sizes.isPossible(bytes)) {
            sizes.count();
        }
        return sizes.isPossible(bytes) ? bytes : TraceMemory.UNKNOWN;
    }

    private void takeRange(TraceEvent event) throws ReadException {
        boolean isRange = event.category == Category.RANGE
                || (event.category == Category.OPERATOR && TraceFrames.isRange(event.name));
        boolean isWhole = event.time != TraceEvent.NONE && event.duration >= 0;
        if (!isWhole || event.process == TraceEvent.NONE || event.thread == TraceEvent.NONE) {
            columns.counters.count("range without times or thread");
            return;
        }
        checkRoom(ranges.size() + marks.size(), traceLimits.ranges(), "ranges");
        int frame = frame(event, isRange);
        if (isRange) {
            marks.set(0, frames.text(event.name));
            marks.set(1, event.time);
            marks.set(2, event.time + event.duration);
            marks.endRow();
        }
        if (frame != TraceFrames.NONE) {
            ranges.add(event.time, event.duration, frame, thread(event), sequence(event, frame), callers(event));
        }
    }

    private int frame(TraceEvent event, boolean isRange) throws ReadException {
        if (isRange) {
            return frames.range(event.name);
        }
        return event.category == Category.FUNCTION ? frames.function(event.name) : frames.operator(event.name);
    }

    /** Operators within a backward pass repeat the number of what they are done for; one that tells is enough. */
    private long sequence(TraceEvent event, int frame) {
        boolean isTelling = frames.isEngine(frame) || TraceEvent.orZero(event.forwardThread) == 0;
        return isTelling && event.sequence >= 0 ? event.sequence : TraceRanges.NONE;
    }

    /** The calls that an operator names, as traces up to torch 1.10 do: innermost first, with semicolons between them. */
    private int callers(TraceEvent event) throws ReadException {
        if (event.callStack == null || event.callStack.isEmpty()) {
            return CallNodes.TOP;
        }
        Integer known = callStacks.get(event.callStack);
        if (known == null) {
            known = newCallers(event.callStack.split(";", -1));
            callStacks.put(event.callStack, known);
        }
        return known;
    }

    private int newCallers(String[] calls) throws ReadException {
        checkRoom(calls.length, traceLimits.depth(), "calls of one stack");
        int node = CallNodes.TOP;
        for (int i = calls.length - 1; i >= 0; i--) {
            node = nodes.child(node, frames.function(calls[i]));
        }
        return node;
    }

    private int thread(TraceEvent event) throws ReadException {
        long key = event.process << Integer.SIZE ^ event.thread;
        int known = threads.get(key);
        if (known == 0) {
            checkRoom(threads.size(), traceLimits.threads(), "threads");
            known = threads.size() + 1;
            threads.put(key, known);
        }
        return known - 1;
    }

    private static void checkRoom(int used, int most, String what) throws ReadException {
        if (used >= most) {
            throw new ReadException(Code.LIMIT, -1, "more than " + most + " " + what);
        }
    }
}
