package dev.leakline.lifetime;

import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntObjectHashMap;
import com.carrotsearch.hppc.LongIntHashMap;
import com.carrotsearch.hppc.cursors.LongIntCursor;
import dev.leakline.columns.FrameTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The loops of a program: where in the tree of its calls it goes back, and how often. */
final class Loops {
    /**
     * Turns that make an outer loop the step rather than those inside it. Programs have a handful of epochs and hundreds of steps or
     * requests; twenty points are also what a trend needs to be told from noise.
     */
    private static final int ENOUGH_TURNS = 20;
    /** A loop that fewer of the thread's allocations lie in is not what the recording is about. */
    private static final double SMALLEST_SHARE = 0.1;
    /** Where loops turn too seldom, the one to take must hold at least this share, or nothing repeats. */
    private static final double MAIN_SHARE = 0.5;
    /** What is inside another loop and turns once for each turn of it, give or take a few, is an expression of several lines. */
    private static final double ONCE = 1.05;

    private static final int NOWHERE = -1;

    private final CallPaths paths;
    private final FrameTable frames;
    private final FrameRoles roles;
    private final int[] counts;
    private final int outermost;
    /** Of each element how many allocations lie beneath it. */
    private final int[] allocations;

    /** Of each element how many backward passes begin beneath it. */
    private final int[] backwards;
    /** Of each function how many of its lines are on the way to allocations, and the first of them. */
    private final int[] lines;

    private final int[] firstLines;

    /** Of each function the jumps back: from the line in the upper half to the line in the lower half. */
    private final IntObjectHashMap<LongIntHashMap> jumps = new IntObjectHashMap<>();
    /** Of each line that loops by itself how often it goes back to what it called first. */
    private final IntIntHashMap turnsOfLines = new IntIntHashMap();
    /** Of each line how often it allocates by itself twice in a row: turns, if it does nothing else. */
    private final IntIntHashMap repeats = new IntIntHashMap();

    private final LongIntHashMap turning = new LongIntHashMap();
    private final IntHashSet seen = new IntHashSet();

    Loops(CallPaths paths, FrameTable frames, FrameRoles roles, int outermost, int[] counts) {
        this.paths = paths;
        this.frames = frames;
        this.roles = roles;
        this.outermost = outermost;
        this.counts = counts;
        this.allocations = new int[paths.size()];
        this.backwards = new int[paths.size()];
        this.lines = new int[paths.size()];
        this.firstLines = new int[paths.size()];
        countLines();
        for (int stack = 0; stack < counts.length; stack++) {
            if (counts[stack] > 0) {
                addUp(stack);
            }
        }
    }

    private void countLines() {
        for (int stack = 0; stack < counts.length; stack++) {
            int[] path = counts[stack] > 0 ? paths.path(stack) : new int[0];
            for (int i = 1; i < path.length; i += 2) {
                addLine(path[i - 1], path[i]);
            }
        }
    }

    private void addLine(int function, int element) {
        int line = frames.line(paths.frame(element));
        if (firstLines[function] == 0 || line < firstLines[function]) {
            firstLines[function] = line;
        }
        if (seen.add(element)) {
            lines[function]++;
        }
    }

    private void addUp(int stack) {
        int passes = roles.startsBackward(stack) ? counts[stack] : 0;
        for (int element : paths.path(stack)) {
            allocations[element] += counts[stack];
            backwards[element] += passes;
        }
    }

    /** Takes notice of two stacks that followed each other {@code count} times. */
    void add(int from, int to, int count) {
        int[] before = paths.path(from);
        int[] after = paths.path(to);
        int parting = parting(before, after);
        if (parting == after.length) {
            repeats.addTo(after[parting - 2], count);
        } else if (parting % 2 == 0) {
            if (after[parting] < before[parting] && parting > 0) {
                turnsOfLines.addTo(after[parting - 1], count);
            }
        } else {
            addJump(
                    after[parting - 1],
                    frames.line(paths.frame(before[parting])),
                    frames.line(paths.frame(after[parting])),
                    count);
        }
    }

    private void addJump(int function, int from, int to, int count) {
        if (to < from) {
            LongIntHashMap ofFunction = jumps.get(function);
            if (ofFunction == null) {
                ofFunction = new LongIntHashMap();
                jumps.put(function, ofFunction);
            }
            ofFunction.addTo((long) from << 32 | to, count);
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

    /** The loops whose turns are the steps; empty where nothing repeats. */
    BitSet choose() {
        BitSet chosen = new BitSet();
        choose(outermost, chosen, children());
        if (chosen.isEmpty()) {
            int main = NOWHERE;
            for (int element = 0; element < allocations.length; element++) {
                boolean isMain = allocations[element] >= MAIN_SHARE * allocations[outermost] && isOwn(element);
                if (isMain && turns(element) >= StepFinder.FEWEST && (main < 0 || turns(element) > turns(main))) {
                    main = element;
                }
            }
            if (main >= 0) {
                chosen.set(main);
            }
        }
        return chosen;
    }

    private List<List<Integer>> children() {
        List<List<Integer>> children = new ArrayList<>();
        for (int element = 0; element < paths.size(); element++) {
            children.add(new ArrayList<>());
            if (paths.parent(element) >= 0) {
                children.get(paths.parent(element)).add(element);
            }
        }
        return children;
    }

    private void choose(int element, BitSet chosen, List<List<Integer>> children) {
        if (allocations[element] < SMALLEST_SHARE * allocations[outermost]) {
            return;
        }
        if (turns(element) >= ENOUGH_TURNS && isOwn(element) && !holdsTrainingSteps(element)) {
            chosen.set(element);
            return;
        }
        for (int child : children.get(element)) {
            choose(child, chosen, children);
        }
    }

    /** Whether a loop is rather one of epochs: several backward passes a turn, most of them in a function of their own. */
    private boolean holdsTrainingSteps(int element) {
        int turns = turns(element);
        if (backwards[element] < 2 * turns) {
            return false;
        }
        for (int inner = element + 1; inner < allocations.length; inner++) {
            boolean isMost = allocations[inner] >= MAIN_SHARE * allocations[element] && turns(inner) >= 2 * turns;
            if (isMost && isOwn(inner) && backwards[inner] >= turns(inner) && isBeneath(inner, element)) {
                return true;
            }
        }
        return false;
    }

    private boolean isBeneath(int inner, int element) {
        int up = inner;
        while (up > element) {
            up = paths.parent(up);
        }
        return up == element;
    }

    private boolean isOwn(int element) {
        int frame = paths.frame(element);
        return frame >= 0 && !roles.isLibrary(frame);
    }

    /**
     * How often the loops right in a function, or in a line of it, turn. What loops within a model loops within a step; but where nothing
     * outside shows that the model is called again, its beginning anew does.
     */
    private int turns(int element) {
        boolean isLineAmongOthers = paths.parent(element) >= 0 && lines[paths.parent(element)] > 1;
        if (paths.within(element) == CallPaths.INSIDE
                || (paths.within(element) == CallPaths.MODEL && isLineAmongOthers)) {
            return 0;
        }
        LongIntHashMap ofFunction = jumps.get(element);
        if (ofFunction == null) {
            return turnsOfLines.containsKey(element) ? turnsOfLines.get(element) : repeats.get(element);
        }
        int sum = 0;
        for (LongIntCursor jump : ofFunction) {
            sum += isLoop(element, ofFunction, jump.key) ? jump.value : 0;
        }
        return sum;
    }

    /**
     * Whether a jump back is the turn of a step's loop. It is none where it lies within another that turns about as often: then it is an
     * expression over several lines, whose inner calls run first. Nor where the other turns often enough to be the step itself,
     * and does not hold several backward passes a turn, which would make the inner one the training step.
     */
    private boolean isLoop(int function, LongIntHashMap ofFunction, long jump) {
        int to = (int) jump;
        if (paths.within(function) == CallPaths.MODEL) {
            return to == firstLines[function];
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
        boolean isInner = around >= ENOUGH_TURNS && backwards[function] < 2 * around;
        return !isExpression && !isInner;
    }

    /** The chosen element that a stack's path goes through, or -1. */
    int innermost(int stack, BitSet chosen) {
        for (int element : paths.path(stack)) {
            if (chosen.get(element)) {
                return element;
            }
        }
        return NOWHERE;
    }

    /** The element whose loop turns between two stacks that follow each other, or -1. */
    int turns(int from, int to) {
        long key = (long) from << 32 | to;
        int known = turning.get(key);
        if (known == 0) {
            known = findTurning(paths.path(from), paths.path(to)) + 2;
            turning.put(key, known);
        }
        return known - 2;
    }

    private int findTurning(int[] before, int[] after) {
        int parting = parting(before, after);
        if (parting == after.length) {
            return turnsOfLines.containsKey(after[parting - 2]) ? NOWHERE : after[parting - 2];
        }
        if (parting % 2 == 0) {
            return parting > 0 && after[parting] < before[parting] ? after[parting - 1] : NOWHERE;
        }
        int from = frames.line(paths.frame(before[parting]));
        int to = frames.line(paths.frame(after[parting]));
        int function = after[parting - 1];
        LongIntHashMap ofFunction = jumps.get(function);
        boolean isTurn = to < from && ofFunction != null && isLoop(function, ofFunction, (long) from << 32 | to);
        return isTurn ? function : NOWHERE;
    }

    /** What one step is, in a few words. */
    String meaning(BitSet chosen) {
        int first = chosen.nextSetBit(0);
        String function = frames.function(paths.frame(first));
        return chosen.cardinality() == 1 ? "one turn of the loop in " + function : "one turn of a loop";
    }
}
