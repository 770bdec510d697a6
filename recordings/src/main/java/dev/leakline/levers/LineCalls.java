package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntObjectHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells the calls of a line from one another, by what each makes for the backward pass.
 *
 * <p>Stacks do not tell one call from the next. A call ends where other lines make something for the backward pass; where none do, it ends where the
 * lines within the called module begin again.
 */
final class LineCalls {
    private final PeakScene scene;
    /** Python frames of each activation, outermost first. */
    private final IntObjectHashMap<int[]> paths = new IntObjectHashMap<>();
    /** The place of each activation among all, by their births. */
    private final IntIntHashMap order = new IntIntHashMap();

    LineCalls(PeakScene scene) {
        this.scene = scene;
    }

    /** Takes an activation with its frames, the outermost first; in order of births. */
    void add(int allocation, int[] path) {
        order.put(allocation, paths.size());
        paths.put(allocation, path);
    }

    /**
     * The calls of a line, each with what it made. A backward pass ends the last.
     *
     * @param activations what is made below the line, in order of births
     * @param depth how many frames lead to the line, its own included
     */
    List<IntArrayList> of(IntArrayList activations, int depth) {
        List<IntArrayList> calls = new ArrayList<>();
        IntArrayList pass = new IntArrayList();
        int end = Lifetimes.BEFORE;
        for (IntCursor each : activations) {
            int backward = scene.runs.next(StepPhase.BACKWARD, scene.lifetimes.born(each.value));
            if (backward != end) {
                split(pass, depth, calls);
                pass = new IntArrayList();
                end = backward;
            }
            pass.add(each.value);
        }
        split(pass, depth, calls);
        return calls;
    }

    private void split(IntArrayList pass, int depth, List<IntArrayList> calls) {
        List<IntArrayList> apart = splitByOthers(pass);
        if (apart.size() > 1) {
            calls.addAll(apart);
        } else {
            splitByLines(pass, depth, calls);
        }
    }

    /** Splits what a line made where another line made something in between. */
    private List<IntArrayList> splitByOthers(IntArrayList pass) {
        List<IntArrayList> calls = new ArrayList<>();
        IntArrayList call = new IntArrayList();
        for (IntCursor each : pass) {
            int last = call.isEmpty() ? -1 : order.get(call.get(call.size() - 1));
            if (last >= 0 && order.get(each.value) != last + 1) {
                calls.add(call);
                call = new IntArrayList();
            }
            call.add(each.value);
        }
        calls.add(call);
        return calls;
    }

    private void splitByLines(IntArrayList pass, int depth, List<IntArrayList> calls) {
        int level = level(pass, depth);
        IntArrayList call = new IntArrayList();
        IntHashSet seen = new IntHashSet();
        int last = -1;
        for (IntCursor each : pass) {
            int line = line(each.value, level);
            boolean isNext = line != last && seen.contains(line);
            if (isNext) {
                calls.add(call);
                call = new IntArrayList();
                seen.clear();
            }
            seen.add(line);
            last = line;
            call.add(each.value);
        }
        calls.add(call);
    }

    /** The first level of calls below a line at which not all activations come through the same frame. */
    private int level(IntArrayList pass, int depth) {
        int level = depth;
        while (!pass.isEmpty() && isShared(pass, level)) {
            level++;
        }
        return level;
    }

    private boolean isShared(IntArrayList pass, int level) {
        int first = line(pass.get(0), level);
        boolean isShared = first >= 0;
        for (IntCursor each : pass) {
            isShared &= line(each.value, level) == first;
        }
        return isShared;
    }

    private int line(int allocation, int level) {
        int[] path = paths.get(allocation);
        return path != null && level < path.length ? path[level] : -1;
    }
}
