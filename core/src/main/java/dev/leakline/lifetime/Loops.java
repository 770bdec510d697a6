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

    private final IntIntHashMap turnsOfDispatchers = new IntIntHashMap();

    private final Switches switches = new Switches();

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
            addSwitch(before, after, parting, count);
        } else {
            addJump(
                    after[parting - 1],
                    frames.line(paths.frame(before[parting])),
                    frames.line(paths.frame(after[parting])),
                    count);
        }
    }

    private void addSwitch(int[] before, int[] after, int parting, int count) {
        if (parting == 0) {
            return;
        }
        if (after[parting] < before[parting]) {
            turnsOfLines.addTo(after[parting - 1], count);
        }
        boolean isCall = paths.frame(before[parting]) >= 0 && paths.frame(after[parting]) >= 0;
        if (isCall && paths.within(after[parting]) == CallPaths.OUTSIDE) {
            switches.add(after[parting - 1], before[parting], after[parting], count);
        }
    }

    /** Settles which lines dispatch, once all pairs of stacks are known, and how often they turn. */
    void settle(LongIntHashMap sequences) {
        switches.decide();
        if (switches.isEmpty()) {
            return;
        }
        for (LongIntCursor pair : sequences) {
            int turned = findTurning(paths.path((int) (pair.key >>> 32)), paths.path((int) pair.key));
            if (turned >= 0 && switches.dispatches(turned)) {
                turnsOfDispatchers.addTo(turned, pair.value);
            }
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
        return frame >= 0 && (!roles.isLibrary(frame) || switches.dispatches(element));
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
        if (turnsOfDispatchers.containsKey(element)) {
            return turnsOfDispatchers.get(element);
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
            return turnOfRepeat(after, parting - 2);
        }
        if (parting % 2 == 0) {
            return parting == 0 ? NOWHERE : turnOfLine(before, after, parting);
        }
        int from = frames.line(paths.frame(before[parting]));
        int to = frames.line(paths.frame(after[parting]));
        int function = after[parting - 1];
        LongIntHashMap ofFunction = jumps.get(function);
        boolean isTurn = to < from && ofFunction != null && isLoop(function, ofFunction, (long) from << 32 | to);
        return isTurn ? orDispatcher(after, parting - 1) : NOWHERE;
    }

    private int turnOfRepeat(int[] path, int line) {
        int turned = orDispatcher(path, line);
        return turned == path[line] && turnsOfLines.containsKey(turned) ? NOWHERE : turned;
    }

    /** A line that allocates by itself before it calls and again after it goes back within one turn, and repeats at the next. */
    private int turnOfLine(int[] before, int[] after, int parting) {
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

    /** The element that turned, or, where that is a function which a dispatching line called once more, that line. */
    private int orDispatcher(int[] path, int turned) {
        int function = turned % 2 == 0 ? turned : turned - 1;
        if (function == 0 || !switches.dispatches(path[function - 1])) {
            return path[turned];
        }
        boolean isAnew = frames.line(paths.frame(path[function + 1])) == firstLines[path[function]];
        return isAnew ? path[function - 1] : path[turned];
    }

    /** What one step is, in a few words. */
    String meaning(BitSet chosen) {
        int first = chosen.nextSetBit(0);
        String function = frames.function(paths.frame(first));
        return chosen.cardinality() == 1 ? "one turn of the loop in " + function : "one turn of a loop";
    }
}
