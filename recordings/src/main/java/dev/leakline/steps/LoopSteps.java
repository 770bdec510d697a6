package dev.leakline.steps;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import com.carrotsearch.hppc.cursors.LongIntCursor;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.StepSummary.Kind;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Steps from the loops of the program, as its stacks show them.
 *
 * <p>Nobody records a loop, but whoever looks at the line numbers sees it iterate: within a function the lines that allocate follow each
 * other downwards, and when the next is further up, a loop has gone back to its head. Within a single line the functions that it
 * calls take the part of lines, in the order in which they first ran; and a line that is a loop all by itself shows as one stack that
 * comes again and again. So two allocations in a row either are an iteration of a loop, at the place in the tree of calls where their
 * paths part, or
 * they go on within it ({@link Turns}).
 *
 * <p>Programs have loops within loops. The outermost that iterates often enough is the step, since what a user calls a step or a request
 * is rarely the layer or the token inside; where the outer ones iterate only a few times (epochs), the loops inside them are. Loops next
 * to each other (training, then validation) are steps alike.
 */
final class LoopSteps {
    /** Where a loop turns only in a part of the recording, as one that is seen by what it rarely does, its lines may, and what they call. */
    private static final int LEVELS = 3;

    /** Threads in which loops are looked for; what a ninth one prepares is computed by eight that are busier. */
    private static final int MOST_THREADS = 8;

    private final Lifetimes lifetimes;
    private final DeviceEvents events;
    private final CallPaths paths;
    private final FrameRoles roles;
    /** How often each stack allocates. */
    private final int[] counts;
    /** How often two stacks follow each other, by the former's number and the latter's. */
    private final SeededLongIntMap sequences = new SeededLongIntMap();

    /** Stacks that are left out when turns are counted. */
    private final BitSet without;

    private int outermost = -1;

    private LoopSteps(SnapshotColumns columns, Lifetimes lifetimes, CallPaths paths, FrameRoles roles, BitSet without) {
        this.lifetimes = lifetimes;
        this.events = lifetimes.events();
        this.roles = roles;
        this.paths = paths;
        this.counts = new int[columns.stacks.size()];
        this.without = without;
    }

    /**
     * The steps of the loops of the thread that allocates most and has any, or null where none has; as if some stacks had never allocated.
     * Where a pool of threads computes what another thread prepares, request by request, only the other may show where one begins.
     */
    static @Nullable Steps find(
            SnapshotColumns columns, Lifetimes lifetimes, CallPaths paths, FrameRoles roles, BitSet without) {
        return new LoopSteps(columns, lifetimes, paths, roles, without).run(columns);
    }

    private @Nullable Steps run(SnapshotColumns columns) {
        count();
        if (paths.omitted() > 0) {
            columns.counters.countOnce("stacks too many to look for loops in", paths.omitted());
        }
        CallSums sums = new CallSums(paths, columns.frames, roles, counts);
        for (IntCursor thread : busiestThreads()) {
            outermost = thread.value;
            Steps steps = ofThread(columns, sums);
            if (steps != null) {
                return steps;
            }
        }
        return null;
    }

    private @Nullable Steps ofThread(SnapshotColumns columns, CallSums sums) {
        Loops loops = new Loops(paths, columns.frames, roles, outermost, sums, sequencesOfThread());
        for (int level = 0; level < LEVELS && !loops.isEmpty(); level++) {
            Steps steps = steps(loops);
            if (steps != null) {
                return steps;
            }
            loops.goDeeper();
        }
        return null;
    }

    /** Counts the stacks, and of each thread which follow each other. */
    private void count() {
        IntIntHashMap lasts = new IntIntHashMap();
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int stack = stack(allocation);
            if (stack != StackTable.NONE) {
                counts[stack]++;
                int[] path = paths.path(stack);
                boolean isOut = path.length == 0 || without.get(stack);
                int last = isOut ? StackTable.NONE : lasts.put(path[0], stack);
                if (last != StackTable.NONE) {
                    sequences.addTo((long) last << 32 | stack, 1);
                }
            }
        }
    }

    /** The outermost functions of threads, those that allocate most first. */
    private IntArrayList busiestThreads() {
        IntIntHashMap threads = new IntIntHashMap();
        for (int stack = 0; stack < counts.length; stack++) {
            if (counts[stack] > 0 && paths.path(stack).length > 0) {
                threads.addTo(paths.path(stack)[0], counts[stack]);
            }
        }
        IntArrayList busiest = new IntArrayList();
        Arrays.stream(threads.keys().toArray())
                .boxed()
                .sorted(Comparator.comparingInt((Integer thread) -> -threads.get(thread))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(MOST_THREADS)
                .forEach(busiest::add);
        return busiest;
    }

    /** The stack of an allocation's birth; none where it is older than the recording. */
    private int stack(int allocation) {
        int born = lifetimes.born(allocation);
        return born == Lifetimes.BEFORE ? StackTable.NONE : events.stack(born);
    }

    /** Returns whether a stack is of the thread that is looked at, and not left out. */
    private boolean isOfThread(int stack) {
        int[] path = paths.path(stack);
        return path.length > 0 && path[0] == outermost && !without.get(stack);
    }

    /** The sequences of the thread that is looked at. */
    private SeededLongIntMap sequencesOfThread() {
        SeededLongIntMap own = new SeededLongIntMap();
        for (LongIntCursor sequence : sequences) {
            if (isOfThread((int) sequence.key)) {
                own.put(sequence.key, sequence.value);
            }
        }
        return own;
    }

    private @Nullable Steps steps(Loops loops) {
        LoopTurns turns = new LoopTurns(loops, paths, evaluations(loops));
        boolean countsRestarts = mayRestart(loops) && areIterations(turns);
        IntArrayList starts = new IntArrayList();
        LastIteration end = new LastIteration(lifetimes, counts.length);
        walk((allocation, last, stack) -> {
            if (turns.isTurn(allocation, last, stack) || (countsRestarts && turns.isRestart(allocation, last, stack))) {
                starts.add(lifetimes.born(allocation));
            }
            if (loops.of(stack) >= 0) {
                end.take(starts.size(), stack, lifetimes.born(allocation));
            }
        });
        if (!StepFinder.isCovered(starts, lifetimes)) {
            return null;
        }
        if (end.isWhole(starts.size())) {
            starts.add(end.event(starts));
        }
        return new Steps(Kind.RECURRENCE, loops.meaning(), starts);
    }

    /** Returns whether the first line of a loop anywhere runs again without a later one in between. */
    private boolean mayRestart(Loops loops) {
        for (LongIntCursor sequence : sequences) {
            int from = (int) (sequence.key >>> 32);
            int to = (int) sequence.key;
            boolean isOfLoop = isOfThread(to) && isOfThread(from) && loops.of(to) >= 0;
            if (isOfLoop && loops.of(from) == loops.of(to) && loops.restarts(loops.of(to), from, to)) {
                return true;
            }
        }
        return false;
    }

    private boolean areIterations(LoopTurns turns) {
        EarlyExits exits = new EarlyExits(lifetimes);
        walk((allocation, last, stack) -> {
            boolean isRestart = turns.isRestart(allocation, last, stack);
            if (isRestart || turns.isTurn(allocation, last, stack)) {
                exits.take(allocation, isRestart);
            }
        });
        return exits.areIterations();
    }

    /** A visitor of an allocation of the thread, with its stack and the thread's last one before it. */
    private interface Visit {
        void take(int allocation, int last, int stack);
    }

    private void walk(Visit visit) {
        int last = StackTable.NONE;
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int stack = stack(allocation);
            if (stack != StackTable.NONE && isOfThread(stack)) {
                visit.take(allocation, last, stack);
                last = stack;
            }
        }
    }

    /** The lines that are loops by themselves, or begin one, with all that they allocate. */
    private Evaluations evaluations(Loops loops) {
        BitSet repeating = new BitSet();
        for (int stack = 0; stack < counts.length; stack++) {
            int loop = counts[stack] > 0 && isOfThread(stack) ? loops.of(stack) : Turns.NOWHERE;
            repeating.set(stack, loop >= 0 && (loops.turns(loop, stack, stack) || loops.restarts(loop, stack, stack)));
        }
        Evaluations evaluations = new Evaluations(lifetimes);
        if (!repeating.isEmpty()) {
            walk((allocation, _, stack) -> {
                if (repeating.get(stack)) {
                    evaluations.take(paths.end(stack), allocation);
                }
            });
        }
        return evaluations;
    }

    /** The allocations with which iterations of the chosen loops begin, each with the stack of the one before it. */
    private static final class LoopTurns {
        private final Loops loops;
        private final CallPaths paths;
        private final Evaluations evaluations;

        LoopTurns(Loops loops, CallPaths paths, Evaluations evaluations) {
            this.loops = loops;
            this.paths = paths;
            this.evaluations = evaluations;
        }

        /** Returns whether a loop begins, or iterates. */
        boolean isTurn(int allocation, int last, int stack) {
            int loop = loops.of(stack);
            boolean isEntered = loop >= 0 && !isOf(loop, last);
            return isEntered || (loop >= 0 && loops.turns(loop, last, stack) && begins(allocation, last, stack));
        }

        /** Returns whether the first line of a loop runs again without a later one in between. */
        boolean isRestart(int allocation, int last, int stack) {
            int loop = loops.of(stack);
            return loop >= 0
                    && isOf(loop, last)
                    && loops.restarts(loop, last, stack)
                    && begins(allocation, last, stack);
        }

        private boolean isOf(int loop, int stack) {
            return stack != StackTable.NONE && loops.of(stack) == loop;
        }

        /** Returns whether an allocation is no part of an expression that its line has begun before. */
        private boolean begins(int allocation, int last, int stack) {
            return paths.end(last) != paths.end(stack) || evaluations.isBeginning(paths.end(stack), allocation);
        }
    }
}
