package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.cursors.IntIntCursor;
import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.FrameOwner;
import dev.leakline.known.PythonFrame;
import dev.leakline.lifetime.Lifetimes;

/**
 * Distinguishes memory freed by Python's garbage collector from memory freed by the program.
 *
 * <p>A program that frees a pile does so in a line of its own, such as {@code results.clear()} or the end of an epoch, which runs when
 * there is a pile to free. The collector runs wherever the program happens to make one object too many. So it is the collector
 * where the line that the pile is freed at runs all the time and mostly frees nothing. A constructor makes objects and frees none, and where objects are made the collector runs: so any line of one will do, as long as
 * the piles differ. A line of PyTorch's that only computes refers to nothing but its arguments, so that a pile that is freed there was freed by the
 * collector. C++ frames, where recorded, name it.
 *
 * <p>It takes recordings in which frees have stacks of their own; in some, a free carries the stack of its allocation.
 */
final class Collector {
    /** Returns whether frees have stacks of their own. */
    private enum OwnStacks {
        YES,
        /** All that was allocated and freed has one and the same. */
        MAYBE,
        NO
    }

    /** A line that runs this many times for each pile it frees does not choose when. */
    private static final int IDLE_RUNS = 3;
    /** Piles that lines freed which run all the time: one may be an accident. */
    private static final int FEWEST_IDLE = 2;
    /** Frees by which to tell whether frees have stacks of their own. */
    private static final int FREES_LOOKED_AT = 100;
    /** Stacks that allocations must have had for equal stacks to be no accident: the collector frees all of a pile at one. */
    private static final int FEWEST_STACKS = 2;

    private final Evidence evidence;
    private final OwnStacks ownStacks;
    /** For each stack that freed a pile, the steps in which it allocates, as far as they were counted. */
    private final IntIntHashMap runs = new IntIntHashMap();
    /** The same where a line of a constructor counts as all of it. */
    private final IntIntHashMap constructions = new IntIntHashMap();

    Collector(Evidence evidence) {
        this.evidence = evidence;
        this.ownStacks = ownStacks();
    }

    /** Returns whether the recording can tell at all. */
    boolean canTell() {
        return ownStacks != OwnStacks.NO;
    }

    private OwnStacks ownStacks() {
        Lifetimes lifetimes = evidence.lifetimes();
        IntHashSet stacks = new IntHashSet();
        int looked = 0;
        boolean hasAny = false;
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int died = lifetimes.died(allocation);
            if (died != Lifetimes.NEVER && lifetimes.born(allocation) != Lifetimes.BEFORE) {
                int freedAt = lifetimes.events().stack(died);
                hasAny |= freedAt != StackTable.NONE;
                if (freedAt != StackTable.NONE && !isSame(freedAt, lifetimes.stack(allocation), FrameOwner.PYTHON)) {
                    return OwnStacks.YES;
                }
                stacks.add(lifetimes.stack(allocation));
                looked++;
            }
            if (looked >= FREES_LOOKED_AT && stacks.size() >= FEWEST_STACKS) {
                return OwnStacks.NO;
            }
        }
        return hasAny ? OwnStacks.MAYBE : OwnStacks.NO;
    }

    /** Returns whether the collector made these releases. */
    boolean made(Releases releases) {
        if (!canTell() || releases.count() == 0) {
            return false;
        }
        IntIntHashMap places = new IntIntHashMap();
        for (int release = 0; release < releases.count(); release++) {
            places.addTo(stackOf(releases, release), 1);
        }
        return isNamed(places) || isIdle(places, releases) || isComputing(places);
    }

    /** Returns whether the frames of a place are the collector's own. */
    private boolean isNamed(IntIntHashMap places) {
        for (IntIntCursor place : places) {
            if (evidence.stacks().collectsGarbage(place.key)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a place does nothing but compute, as long as frees have stacks of their own. */
    private boolean isComputing(IntIntHashMap places) {
        for (IntIntCursor place : places) {
            if (ownStacks == OwnStacks.YES && evidence.stacks().computes(place.key)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the collector may have made a single release: at a line that runs all the time, which may still be an accident. */
    boolean mayHaveMade(Releases releases) {
        return canTell() && releases.count() == 1 && runs(stackOf(releases, 0), !releases.areEqual()) >= IDLE_RUNS;
    }

    /** The stack at which all releases happen, {@link StackTable#NONE} where there are several. */
    int onlyPlace(Releases releases) {
        int only = stackOf(releases, 0);
        for (int release = 1; release < releases.count(); release++) {
            only = stackOf(releases, release) == only ? only : StackTable.NONE;
        }
        return only;
    }

    private int stackOf(Releases releases, int release) {
        return evidence.lifetimes().events().stack(releases.event(release));
    }

    private boolean isIdle(IntIntHashMap places, Releases releases) {
        int idle = 0;
        for (IntIntCursor place : places) {
            idle += runs(place.key, !releases.areEqual()) >= IDLE_RUNS * place.value ? place.value : 0;
        }
        return idle >= FEWEST_IDLE;
    }

    /** In how many steps the line of code at which a stack frees allocates, reached by the same calls; or the call of the constructor in which it stands. */
    private int runs(int stack, boolean mayConstruct) {
        IntIntHashMap known = mayConstruct ? constructions : runs;
        if (!known.containsKey(stack)) {
            known.put(stack, mayConstruct ? Math.max(count(stack), constructions(stack)) : count(stack));
        }
        return known.get(stack);
    }

    /** In how many steps something is allocated beneath the call of the outermost of the constructors in which a stack ends, 0 where it ends in none. */
    private int constructions(int stack) {
        IntArrayList lines = lines(stack);
        boolean isInConstructor = false;
        int depth = 0;
        while (depth < lines.size() && isOfConstruction(function(lines.get(depth)))) {
            isInConstructor |= PythonFrame.isConstructor(function(lines.get(depth)));
            depth++;
        }
        if (!isInConstructor || depth == lines.size()) {
            return 0;
        }
        IntArrayList calls = new IntArrayList();
        calls.add(lines.toArray(), depth, lines.size() - depth);
        return evidence.profile().steps(other -> endsWith(lines(other), calls)).cardinality();
    }

    private static boolean isOfConstruction(String function) {
        return PythonFrame.isConstructor(function) || PythonFrame.isPartOfLine(function);
    }

    private String function(int frame) {
        return evidence.columns().frames.function(frame);
    }

    /** The frames of a stack that are the user's or a package's, innermost first. */
    private IntArrayList lines(int stack) {
        StackTable stacks = evidence.columns().stacks;
        IntArrayList lines = new IntArrayList();
        for (int depth = next(stack, 0, FrameOwner.PACKAGE);
                depth < stacks.depth(stack);
                depth = next(stack, depth + 1, FrameOwner.PACKAGE)) {
            lines.add(stacks.frame(stack, depth));
        }
        return lines;
    }

    private static boolean endsWith(IntArrayList lines, IntArrayList calls) {
        int shift = lines.size() - calls.size();
        boolean isSame = shift >= 0;
        for (int i = 0; isSame && i < calls.size(); i++) {
            isSame = lines.get(i + shift) == calls.get(i);
        }
        return isSame;
    }

    private int count(int stack) {
        return stack == StackTable.NONE
                ? 0
                : evidence.profile().steps(other -> isSameCode(stack, other)).cardinality();
    }

    /** Returns whether two stacks are the same but for what happens inside PyTorch and Python, where the collector may strike anywhere. */
    private boolean isSameCode(int one, int other) {
        return isSame(one, other, FrameOwner.PACKAGE);
    }

    /** Returns whether two stacks have the same frames, of those whose owner is not beyond {@code last}. */
    private boolean isSame(int one, int other, FrameOwner last) {
        StackTable stacks = evidence.columns().stacks;
        int i = next(one, 0, last);
        int j = next(other, 0, last);
        while (i < stacks.depth(one) && j < stacks.depth(other)) {
            if (stacks.frame(one, i) != stacks.frame(other, j)) {
                return false;
            }
            i = next(one, i + 1, last);
            j = next(other, j + 1, last);
        }
        return i == stacks.depth(one) && j == stacks.depth(other);
    }

    private int next(int stack, int from, FrameOwner last) {
        StackTable stacks = evidence.columns().stacks;
        int depth = from;
        while (depth < stacks.depth(stack)
                && evidence.stacks().owner(stacks.frame(stack, depth)).compareTo(last) > 0) {
            depth++;
        }
        return depth;
    }
}
