package dev.leakline.steps;

import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntObjectHashMap;
import com.carrotsearch.hppc.cursors.LongIntCursor;
import dev.leakline.hash.SeededLongIntMap;

/**
 * Finds where in the tree of calls a program loops back, and how often.
 *
 * <p>The paths of two allocations in a row part at some element. Where they part within a function, at two lines of it, going up in the
 * file is an iteration of a loop of that function. Where they part within a line, at two functions that it calls, going back to the
 * one that ran
 * first is an iteration of the line; but a line that {@link Switches dispatches} iterates with each call. And a line that comes again with
 * the same stack iterates each time: that of the program which called a layer, where nothing but the layer lies beneath, else the innermost.
 */
final class Turns {
    /** No element iterates. */
    static final int NOWHERE = -1;
    /** A loop inside another loop that iterates once for each iteration of it, give or take a few, is an expression of several lines. */
    private static final double ONCE = 1.05;

    private final CallPaths paths;
    private final CallSums sums;
    /** Backward jumps by function: from the line in the upper half to the line in the lower half. */
    private final IntObjectHashMap<SeededLongIntMap> jumps = new IntObjectHashMap<>();
    /** How often each line goes back to what it called first. */
    private final IntIntHashMap ofLines = new IntIntHashMap();
    /** How often each line itself allocates twice in a row: iterations, if it does nothing else. */
    private final IntIntHashMap repeats = new IntIntHashMap();

    private final IntIntHashMap ofDispatchers = new IntIntHashMap();
    private final Switches switches = new Switches();
    private final SeededLongIntMap known = new SeededLongIntMap();

    /** Takes notice of all pairs of stacks that followed each other, and how often: the former in the upper half of the key. */
    Turns(CallPaths paths, CallSums sums, SeededLongIntMap sequences) {
        this.paths = paths;
        this.sums = sums;
        for (LongIntCursor pair : sequences) {
            add(paths.path((int) (pair.key >>> 32)), paths.path((int) pair.key), pair.value);
        }
        switches.decide();
        if (!switches.isEmpty()) {
            countDispatchers(sequences);
        }
    }

    private void add(int[] before, int[] after, int count) {
        int parting = parting(before, after);
        if (parting == after.length) {
            repeats.addTo(after[repeated(after)], count);
        } else if (parting % 2 == 1) {
            addJump(after[parting - 1], sums.line(before[parting]), sums.line(after[parting]), count);
        } else if (parting > 0) {
            addSwitch(before, after, parting, count);
        }
    }

    private void addJump(int function, int from, int to, int count) {
        if (to < from) {
            SeededLongIntMap ofFunction = jumps.get(function);
            if (ofFunction == null) {
                ofFunction = new SeededLongIntMap();
                jumps.put(function, ofFunction);
            }
            ofFunction.addTo((long) from << 32 | to, count);
        }
    }

    private void addSwitch(int[] before, int[] after, int parting, int count) {
        if (after[parting] < before[parting]) {
            ofLines.addTo(after[parting - 1], count);
        }
        boolean isCall = paths.frame(before[parting]) >= 0 && paths.frame(after[parting]) >= 0;
        if (isCall && paths.within(after[parting]) == CallPaths.OUTSIDE) {
            switches.add(after[parting - 1], before[parting], after[parting], count);
        }
    }

    private void countDispatchers(SeededLongIntMap sequences) {
        for (LongIntCursor pair : sequences) {
            int turned = find(paths.path((int) (pair.key >>> 32)), paths.path((int) pair.key));
            if (turned >= 0 && switches.dispatches(turned)) {
                ofDispatchers.addTo(turned, pair.value);
            }
        }
    }

    /** How many elements two paths have in common. */
    private static int parting(int[] before, int[] after) {
        int common = Math.min(before.length, after.length);
        for (int i = 0; i < common; i++) {
            if (before[i] != after[i]) {
                return i;
            }
        }
        return common;
    }

    /** Returns whether a line calls now one function, now another. */
    boolean dispatches(int line) {
        return switches.dispatches(line);
    }

    /**
     * How often the loops right in a function, or in a line of it, iterate. What loops within a model loops within a step; but where
     * nothing
     * outside shows that the model is called again, its beginning anew does.
     */
    int of(int element) {
        boolean isLineAmongOthers = paths.parent(element) >= 0 && sums.lines(paths.parent(element)) > 1;
        boolean isInModel = paths.within(element) == CallPaths.MODEL && isLineAmongOthers;
        if (paths.within(element) == CallPaths.INSIDE || isInModel) {
            return 0;
        }
        if (ofDispatchers.containsKey(element)) {
            return ofDispatchers.get(element);
        }
        SeededLongIntMap ofFunction = jumps.get(element);
        if (ofFunction == null) {
            return ofLines.containsKey(element) ? ofLines.get(element) : repeats.get(element);
        }
        int sum = 0;
        for (LongIntCursor jump : ofFunction) {
            sum += isLoop(element, ofFunction, jump.key) ? jump.value : 0;
        }
        return sum;
    }

    /**
     * Returns whether a jump back is an iteration of a step's loop. It is none where it lies within another that iterates about as often: then it
     * is an
     * expression over several lines, whose inner calls run first. Nor where the other iterates often enough to be the step itself, and
     * does not hold several backward passes per iteration, which would make the inner one the training step.
     */
    private boolean isLoop(int function, SeededLongIntMap ofFunction, long jump) {
        int to = (int) jump;
        if (paths.within(function) == CallPaths.MODEL) {
            return to == sums.firstLine(function);
        }
        int highest = 0;
        int turns = 0;
        for (LongIntCursor other : ofFunction) {
            if ((int) other.key == to) {
                turns += other.value;
                highest = Math.max(highest, (int) (other.key >>> 32));
            }
        }
        int around = 0;
        for (LongIntCursor other : ofFunction) {
            around += (int) other.key < to && (int) (other.key >>> 32) >= highest ? other.value : 0;
        }
        boolean isExpression = around > 0 && turns <= ONCE * around + 1;
        boolean isInner = around >= Loops.ENOUGH_TURNS && sums.backwards(function) < 2 * around;
        return !isExpression && !isInner;
    }

    /** The element that iterates between two stacks that follow each other, or {@link #NOWHERE}. */
    int between(int from, int to) {
        long key = (long) from << 32 | to;
        int found = known.get(key);
        if (found == 0) {
            found = find(paths.path(from), paths.path(to)) + 2;
            known.put(key, found);
        }
        return found - 2;
    }

    private int find(int[] before, int[] after) {
        int parting = parting(before, after);
        if (parting == after.length) {
            return ofRepeat(after, repeated(after));
        }
        if (parting % 2 == 0) {
            return parting == 0 ? NOWHERE : ofLine(before, after, parting);
        }
        int from = sums.line(before[parting]);
        int to = sums.line(after[parting]);
        SeededLongIntMap ofFunction = jumps.get(after[parting - 1]);
        boolean isTurn =
                to < from && ofFunction != null && isLoop(after[parting - 1], ofFunction, (long) from << 32 | to);
        return isTurn ? orDispatcher(after, parting - 1) : NOWHERE;
    }

    private int ofRepeat(int[] path, int line) {
        int turned = orDispatcher(path, line);
        return turned == path[line] && ofLines.containsKey(turned) ? NOWHERE : turned;
    }

    /**
     * The place in a path of the line that iterates where the path comes again: the line that calls a single layer. A module that calls others
     * may call one after another of the same kind, and whatever else libraries do may loop; there it is the innermost line.
     */
    private int repeated(int[] path) {
        int innermost = path.length - 2;
        int line = innermost;
        while (line > 1 && isOfLayer(path[line])) {
            line -= 2;
        }
        boolean isCall = line < innermost && paths.isModuleCall(path[line + 2]) && !paths.isLibrary(path[line]);
        return isCall && paths.within(path[line]) == CallPaths.OUTSIDE ? line : innermost;
    }

    /** Returns whether a line is how a layer is called, or of the layer itself. */
    private boolean isOfLayer(int line) {
        int without = paths.isModuleCall(line) ? CallPaths.INSIDE : CallPaths.OUTSIDE;
        return paths.isLibrary(line) && paths.within(line) != without;
    }

    /** A line that allocates by itself before it calls and again after it goes back within one iteration, and repeats at the next. */
    private int ofLine(int[] before, int[] after, int parting) {
        int line = after[parting - 1];
        if (switches.dispatches(line)) {
            return line;
        }
        if (after[parting] >= before[parting]) {
            return NOWHERE;
        }
        int turned = orDispatcher(after, parting - 1);
        return turned != line && repeats.get(line) > 0 ? NOWHERE : turned;
    }

    /** Returns whether a function goes back only to its first line: as far as its lines show, it is called anew. */
    boolean beginsAnew(int function) {
        SeededLongIntMap ofFunction = jumps.get(function);
        if (ofFunction != null) {
            for (LongIntCursor jump : ofFunction) {
                if (isLoop(function, ofFunction, jump.key) && (int) jump.key != sums.firstLine(function)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The element that turned, or, where that is a function which a dispatching line called once more, that line. */
    private int orDispatcher(int[] path, int turned) {
        int function = turned % 2 == 0 ? turned : turned - 1;
        if (function == 0 || !switches.dispatches(path[function - 1])) {
            return path[turned];
        }
        boolean isAnew = sums.line(path[function + 1]) == sums.firstLine(path[function]);
        return isAnew ? path[function - 1] : path[turned];
    }
}
