package dev.leakline.steps;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.FrameTable;
import dev.leakline.hash.SeededLongIntMap;
import java.util.BitSet;

/** The loops of a program whose iterations are its steps. */
final class Loops {
    /**
     * Turns that make an outer loop the step rather than those inside it. Programs have a handful of epochs and hundreds of steps or
     * requests; twenty points are also what a trend needs to be told from noise.
     */
    static final int ENOUGH_TURNS = 20;
    /** A loop that fewer of the thread's allocations lie in is not what the recording is about. */
    private static final double SMALLEST_SHARE = 0.1;
    /** Where loops iterate too seldom, the one to take must hold at least this share, or nothing repeats. */
    private static final double MAIN_SHARE = 0.5;

    private final CallPaths paths;
    private final FrameTable frames;
    private final FrameRoles roles;
    private final int outermost;
    private final CallSums sums;
    private final Turns turns;
    private final BitSet chosen = new BitSet();

    /**
     * Chooses the loops beneath an outermost function.
     *
     * @param counts of each stack how often it allocates
     * @param sequences of each two stacks that follow each other how often they do
     */
    Loops(
            CallPaths paths,
            FrameTable frames,
            FrameRoles roles,
            int outermost,
            int[] counts,
            SeededLongIntMap sequences) {
        this.paths = paths;
        this.frames = frames;
        this.roles = roles;
        this.outermost = outermost;
        this.sums = new CallSums(paths, frames, roles, counts);
        this.turns = new Turns(paths, sums, sequences);
        choose(outermost);
        if (chosen.isEmpty()) {
            chooseMain();
        }
    }

    private void choose(int element) {
        if (sums.allocations(element) < SMALLEST_SHARE * sums.allocations(outermost)) {
            return;
        }
        if (turns.of(element) >= ENOUGH_TURNS && isOwn(element) && !holdsTrainingSteps(element)) {
            chosen.set(element);
            return;
        }
        for (IntCursor child : sums.children(element)) {
            choose(child.value);
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

    /** Whether a loop is rather one of epochs: several backward passes per iteration, most of them in a function of their own. */
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

    /** Whether an element is the program's own, or a library's line that dispatches, such as that of an event loop. */
    private boolean isOwn(int element) {
        int frame = paths.frame(element);
        return frame >= 0 && (!roles.isLibrary(frame) || turns.dispatches(element));
    }

    /** Whether there is none. */
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

    /** Whether a loop iterates between two stacks that follow each other. */
    boolean turns(int loop, int from, int to) {
        return turns.between(from, to) == loop;
    }

    /** What one step is, in a few words. */
    String meaning() {
        String function = frames.function(paths.frame(chosen.nextSetBit(0)));
        return chosen.cardinality() == 1 ? "one iteration of the loop in " + function : "one iteration of a loop";
    }
}
