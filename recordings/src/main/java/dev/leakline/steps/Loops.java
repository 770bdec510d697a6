package dev.leakline.steps;

import dev.leakline.columns.FrameTable;
import dev.leakline.hash.SeededLongIntMap;
import java.util.BitSet;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The loops of a program whose iterations are its steps. */
final class Loops {
    /**
     * Turns that make an outer loop the step rather than those inside it. Programs have a handful of epochs and hundreds of steps or
     * requests; twenty points are also what a trend needs to be told from noise.
     */
    static final int ENOUGH_TURNS = 20;
    /** A loop that fewer of the thread's allocations lie in is not what the recording is about. */
    private static final double SMALLEST_SHARE = 0.1;
    /** Functions that are named as what one step calls; more do not say what it is. */
    private static final int NAMED = 3;
    /** Where loops iterate too seldom, the one to take must hold at least this share, or nothing repeats. */
    private static final double MAIN_SHARE = 0.5;
    /** The function that the lines of a file are in that stand in no other. */
    private static final String PROGRAM = "<module>";

    private final CallPaths paths;
    private final FrameTable frames;
    private final FrameRoles roles;
    private final int outermost;
    private final CallSums sums;
    private final Turns turns;
    private final BitSet chosen = new BitSet();
    /** Loops that turn only in a part of the recording. */
    private final BitSet refused = new BitSet();

    /**
     * Chooses the loops beneath an outermost function.
     *
     * @param sums over all stacks
     * @param sequences of each two stacks that follow each other how often they do
     */
    Loops(
            CallPaths paths,
            FrameTable frames,
            FrameRoles roles,
            int outermost,
            CallSums sums,
            SeededLongIntMap sequences) {
        this.paths = paths;
        this.frames = frames;
        this.roles = roles;
        this.outermost = outermost;
        this.sums = sums;
        this.turns = new Turns(paths, sums, sequences);
        choose();
        if (chosen.isEmpty()) {
            chooseMain();
        }
    }

    /** Chooses again, beneath the loops that were chosen; none where nothing turns there. */
    void goDeeper() {
        refused.or(chosen);
        chosen.clear();
        choose();
    }

    /** Chooses from the outermost element on; beneath one that is chosen, or in which little lies, nothing is. Parents come before their children. */
    private void choose() {
        BitSet passed = new BitSet();
        for (int element = outermost; element < sums.size(); element++) {
            boolean isBeneath =
                    element == outermost || (paths.parent(element) >= 0 && passed.get(paths.parent(element)));
            if (!isBeneath || sums.allocations(element) < SMALLEST_SHARE * sums.allocations(outermost)) {
                continue;
            }
            boolean isStep = turns.of(element) >= ENOUGH_TURNS && !refused.get(element);
            boolean isChosen = isStep && isOwn(element) && !holdsTrainingSteps(element);
            (isChosen ? chosen : passed).set(element);
        }
    }

    /** Where none iterates often enough, the one that iterates most of those that hold most. */
    private void chooseMain() {
        int main = Turns.NOWHERE;
        for (int element = 0; element < sums.size(); element++) {
            boolean isMain = sums.allocations(element) >= MAIN_SHARE * sums.allocations(outermost) && isOwn(element);
            if (isMain && turns.of(element) >= StepFinder.FEWEST && (main < 0 || turns.of(element) > turns.of(main))) {
                main = element;
            }
        }
        if (main >= 0) {
            chosen.set(main);
        }
    }

    /** Returns whether a loop is rather one of epochs: several backward passes per iteration, most of them in a function of their own. */
    private boolean holdsTrainingSteps(int element) {
        int often = 2 * turns.of(element);
        if (sums.backwards(element) < often) {
            return false;
        }
        for (int inner = element + 1; inner < sums.size(); inner++) {
            boolean isMost = sums.allocations(inner) >= MAIN_SHARE * sums.allocations(element) && isOwn(inner);
            if (isMost
                    && turns.of(inner) >= often
                    && sums.backwards(inner) >= turns.of(inner)
                    && isBeneath(inner, element)) {
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

    /** Returns whether an element is the program's own, or a library's line that dispatches, such as that of an event loop. */
    private boolean isOwn(int element) {
        int frame = paths.frame(element);
        return frame >= 0 && (!roles.isLibrary(frame) || turns.dispatches(element));
    }

    /** Returns whether there is none. */
    boolean isEmpty() {
        return chosen.isEmpty();
    }

    /** The chosen loop that a stack lies in, or {@link Turns#NOWHERE}. */
    int of(int stack) {
        for (int element : paths.path(stack)) {
            if (chosen.get(element)) {
                return element;
            }
        }
        return Turns.NOWHERE;
    }

    /** Returns whether a loop iterates between two stacks that follow each other. */
    boolean turns(int loop, int from, int to) {
        return turns.between(from, to) == loop;
    }

    /** Returns whether the first line of a loop's function runs again between two stacks that follow each other, without a later one in between. */
    boolean restarts(int loop, int from, int to) {
        int[] path = paths.path(to);
        int place = 0;
        while (place < path.length && path[place] != loop) {
            place += 2;
        }
        return place + 1 < path.length && isFirst(path[place + 1], loop) && turns.between(from, to) == path[place + 1];
    }

    /**
     * The meaning of one step, in a few words. A function of the user's that others' code calls again and again, as servers, event loops, pools of
     * threads and trainers do, has no loop; its call is the step. Where they call it through another, or as a thread's, it may have one.
     */
    String meaning() {
        if (chosen.cardinality() > 1) {
            return "one iteration of a loop";
        }
        int element = chosen.nextSetBit(0);
        int function = named(element);
        String name = frames.function(paths.frame(function));
        if (turns.dispatches(element) || !isUsers(function)) {
            List<String> called = called(element);
            return called.isEmpty() ? "one iteration of the loop in " + name : calls(called, turns.dispatches(element));
        }
        if (!isCalledByOthers(function) || !turnsAnew(element, function)) {
            return "one iteration of the loop in " + name;
        }
        return (isHandler(function) ? "one call of " : "one call or iteration of ") + name;
    }

    /** Calls of functions by others' code: each is a step where they come in any order, else all of them together. */
    private static String calls(List<String> functions, boolean isAnyOrder) {
        return functions.size() == 1 || isAnyOrder
                ? "one call of " + String.join(" or ", functions)
                : "one round of calls of " + String.join(" and ", functions);
    }

    /** Returns whether a function turns from its first line on: what a loop's own function allocates before it is not there. */
    private boolean turnsAnew(int element, int function) {
        boolean isAll = element == function || (paths.parent(element) == function && isFirst(element, function));
        return isAll && turns.beginsAnew(function);
    }

    /** Returns whether a function is called by others' code, perhaps through functions of the user's, and not by the program's own lines. */
    private boolean isCalledByOthers(int function) {
        int up = function;
        while (up >= 0 && isUsers(up) && !isNamed(up, PROGRAM)) {
            up = paths.parent(up);
        }
        return up >= 0 && !isUsers(up);
    }

    /** Returns whether others' code calls a function itself, other than as a thread's, which runs once. */
    private boolean isHandler(int function) {
        int caller = paths.parent(function);
        return !isUsers(caller)
                && !(isNamed(caller, "run") && frames.file(paths.frame(caller)).endsWith("/threading.py"));
    }

    private boolean isNamed(int element, String name) {
        return frames.function(paths.frame(element)).equals(name);
    }

    private boolean isFirst(int line, int function) {
        return sums.line(line) == sums.firstLine(function);
    }

    private boolean isUsers(int element) {
        return roles.isUsers(paths.frame(element));
    }

    /** The function that an element is, or is in; of comprehensions and lambdas the function around them. */
    private int named(int element) {
        int function = isFunction(element) ? element : paths.parent(element);
        int around = function;
        while (around >= 0 && frames.function(paths.frame(around)).startsWith("<")) {
            around = paths.parent(around) < 0 ? -1 : paths.parent(paths.parent(around));
        }
        return around >= 0 && isUsers(around) ? around : function;
    }

    /** Returns whether an element is a function: the tree has functions and lines by turns. */
    private boolean isFunction(int element) {
        int depth = 0;
        for (int up = paths.parent(element); up >= 0; up = paths.parent(up)) {
            depth++;
        }
        return depth % 2 == 0;
    }

    /** The user's functions that are called beneath an element; empty where there are none, or too many to say what a step is. */
    private List<String> called(int above) {
        SortedSet<String> names = new TreeSet<>();
        for (int element = above + 1; element < paths.size(); element++) {
            if (isFunction(element) && isFirstOwn(element, above)) {
                names.add(frames.function(paths.frame(element)));
            }
        }
        return names.size() > NAMED ? List.of() : List.copyOf(names);
    }

    /** Returns whether a function beneath another element is the user's own, and none between them is. */
    private boolean isFirstOwn(int function, int above) {
        if (paths.frame(function) < 0 || !isUsers(function)) {
            return false;
        }
        int up = paths.parent(function);
        while (up > above && !isUsers(up)) {
            up = paths.parent(up);
        }
        return up == above;
    }
}
