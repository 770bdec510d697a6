package dev.leakline.read.trace;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.hash.SeededLongLongMap;
import dev.leakline.source.ReadException;
import java.util.ArrayList;
import java.util.List;

/**
 * The stack of each memory event of a trace: all that was open in its thread at its time.
 *
 * <p>A trace has ranges and events in no order, so both are sorted by time and gone through side by side, with the {@link OpenRanges} of
 * every thread. Backward passes run in threads of their own, in which no Python runs. What they do for an operator has the sequence number
 * of that operator in the forward pass, which came before. That says two things: the modules in which the operator ran, and the
 * thread, which by now waits in {@code backward()}. Both are put beneath the stack of such an event, as if the waiting thread had called
 * what the other one does. What has no number (the accumulation of gradients) belongs to the thread that was waited in last.
 */
final class TraceStacks {
    private static final int NOBODY = -1;

    private final TraceRanges ranges;
    private final TraceMemory memory;
    private final TraceFrames frames;
    private final CallNodes nodes;
    private final TraceLimits limits;
    private final List<OpenRanges> threads = new ArrayList<>();
    /** For each thread, the thread that waits for its backward pass, or {@link #NOBODY}. */
    private final IntArrayList waiting = new IntArrayList();
    /** Thread and path of the forward pass's operator, plus one, by sequence number. */
    private final SeededLongLongMap forwards = new SeededLongLongMap();

    /** Frames to be put beneath a way, innermost first. */
    private final IntArrayList path = new IntArrayList();

    TraceStacks(TraceRanges ranges, TraceMemory memory, TraceFrames frames, CallNodes nodes, TraceLimits limits) {
        this.ranges = ranges;
        this.memory = memory;
        this.frames = frames;
        this.nodes = nodes;
        this.limits = limits;
    }

    /** The stacks of events that are given in the order of their times. */
    int[] of(int[] events) throws ReadException {
        int[] starts = ranges.byStart();
        int[] stacks = new int[events.length];
        int next = 0;
        for (int i = 0; i < events.length; i++) {
            while (next < starts.length && ranges.start(starts[next]) <= memory.time(events[i])) {
                open(starts[next++]);
            }
            stacks[i] = nodes.stack(way(events[i]));
        }
        return stacks;
    }

    private void open(int range) throws ReadException {
        int thread = ranges.thread(range);
        OpenRanges open = thread(thread);
        open.add(range);
        long sequence = ranges.sequence(range);
        if (sequence != TraceRanges.NONE && !frames.isEngine(ranges.frame(range))) {
            int way = open.way(ranges.start(range));
            forwards.put(sequence, ((long) thread << Integer.SIZE | way) + 1);
        }
    }

    private OpenRanges thread(int thread) {
        while (threads.size() <= thread) {
            threads.add(new OpenRanges(ranges, nodes, limits));
            waiting.add(NOBODY);
        }
        return threads.get(thread);
    }

    private int way(int event) {
        OpenRanges own = thread(memory.thread(event));
        int way = own.way(memory.time(event));
        int outermost = engine(own, 0);
        if (outermost == own.depth()) {
            return way;
        }
        int base = outermost > 0 ? own.wayAbove(outermost) : waiting(event, forward(own, outermost));
        path.clear();
        for (int level = own.depth() - 1; level >= outermost; level--) {
            path.add(ranges.frame(own.range(level)));
        }
        addModules(own, outermost);
        return pushed(base);
    }

    /** The outermost level from one on at which a backward pass works; the depth where none does. */
    private int engine(OpenRanges open, int from) {
        int level = from;
        while (level < open.depth() && !frames.isEngine(ranges.frame(open.range(level)))) {
            level++;
        }
        return level;
    }

    /** The thread and the node of the operator that a backward pass works for; negative where they are not known. */
    private long forward(OpenRanges open, int level) {
        return forwards.get(ranges.sequence(open.range(level))) - 1;
    }

    /** The way of the thread that waits for the backward pass of an event's thread. */
    private int waiting(int event, long forward) {
        int thread = memory.thread(event);
        if (forward >= 0) {
            waiting.set(thread, (int) (forward >>> Integer.SIZE));
        }
        int waiter = waiting.get(thread);
        return waiter == NOBODY ? CallNodes.TOP : thread(waiter).way(memory.time(event));
    }

    /** Adds the modules of the operator that is differentiated; within each other passes, the innermost that says so. */
    private void addModules(OpenRanges open, int outermost) {
        long known = NOBODY;
        for (int level = outermost; level < open.depth(); level = engine(open, level + 1)) {
            long forward = forward(open, level);
            known = forward < 0 ? known : forward;
        }
        for (int node = known < 0 ? CallNodes.TOP : (int) known; node != CallNodes.TOP; node = nodes.parent(node)) {
            if (frames.isModule(nodes.frame(node))) {
                path.add(nodes.frame(node));
            }
        }
    }

    private int pushed(int base) {
        int node = base;
        for (int i = path.size() - 1; i >= 0; i--) {
            node = nodes.child(node, path.get(i));
        }
        return node;
    }
}
