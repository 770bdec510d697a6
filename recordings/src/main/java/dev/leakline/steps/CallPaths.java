package dev.leakline.steps;

import com.carrotsearch.hppc.ByteArrayList;
import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.FrameTable;
import dev.leakline.columns.StackTable;
import dev.leakline.hash.PairNumbering;
import org.jspecify.annotations.Nullable;

/**
 * The tree of all calls that allocate: under a line the functions that it calls, under a function the lines of it that call on.
 * A stack is a path through it, outermost first: function, line, function, line, and at the end the allocation itself.
 *
 * <p>Elements have numbers in the order in which they were first seen, so a parent's is smaller than its children's, and of two
 * functions called from one line the one that ran first has the smaller.
 */
final class CallPaths {
    /**
     * Elements that are kept: a job of 1,500 stacks has some ten thousand, and these take 6 MB. Loops are looked for without the stacks that would
     * need more; they are counted.
     */
    private static final int MOST = 1 << 18;

    /** The function in whose place a line allocates by itself. */
    private static final int ITSELF = 0;

    /** Not within any call that is part of a step. */
    static final int OUTSIDE = 0;
    /** The program's own function that a module call runs first, and its lines. */
    static final int MODEL = 1;
    /** Deeper, or within another part of a step. */
    static final int INSIDE = 2;

    private static final int[] EMPTY = {};

    private final StackTable stacks;
    private final FrameTable frames;
    private final FrameRoles roles;
    /** The numbers of pairs of a parent and what it calls: the elements. */
    private final PairNumbering elements = new PairNumbering();
    /** The frame of each element: for a function the first that was seen; -1 for an allocation. */
    private final IntArrayList elementFrames = new IntArrayList();

    private final ByteArrayList depths = new ByteArrayList();
    private final int[] @Nullable [] paths;
    private int omitted;

    CallPaths(StackTable stacks, FrameTable frames, FrameRoles roles) {
        this.stacks = stacks;
        this.frames = frames;
        this.roles = roles;
        this.paths = new int[stacks.size()][];
    }

    /** The elements of a stack's path, outermost first; empty where it holds no Python frame. */
    int[] path(int stack) {
        int[] known = paths[stack];
        if (known == null) {
            known = build(stack);
            paths[stack] = known;
        }
        return known;
    }

    /** The last element of a path that is not empty: the same for all stacks that reach a line by the same calls. */
    int end(int stack) {
        int[] path = path(stack);
        return path[path.length - 1];
    }

    private int[] build(int stack) {
        if (size() > MOST) {
            omitted++;
            return EMPTY;
        }
        IntArrayList path = new IntArrayList();
        int parent = -1;
        int within = OUTSIDE;
        for (int depth = stacks.depth(stack) - 1; depth >= 0; depth--) {
            int frame = stacks.frame(stack, depth);
            if (!roles.isNative(frame)) {
                int function = child(parent, frames.place(frame) + 1, frame, within);
                parent = child(function, frame, frame, within);
                path.add(function, parent);
                within = withinCalls(frame, within);
            }
        }
        if (parent < 0) {
            return EMPTY;
        }
        path.add(child(parent, ITSELF, -1, within));
        return path.toArray();
    }

    /** How deep within parts of a step the calls of a frame are that is itself {@code within}. */
    private int withinCalls(int frame, int within) {
        if (within == INSIDE || (within == MODEL && !roles.isLibrary(frame))) {
            return INSIDE;
        }
        if (roles.isModuleCall(frame)) {
            return MODEL;
        }
        return roles.isStepPart(frame) ? INSIDE : within;
    }

    private int child(int parent, int which, int frame, int within) {
        int known = size();
        int element = elements.of(parent, which);
        if (element == known) {
            elementFrames.add(frame);
            depths.add((byte) within);
        }
        return element;
    }

    /** Stacks whose path is empty because there were too many elements. */
    int omitted() {
        return omitted;
    }

    /** Elements so far. */
    int size() {
        return elements.size();
    }

    /** The element above, -1 for the outermost. */
    int parent(int element) {
        return elements.first(element);
    }

    /** A frame of the function or of the line; -1 for an allocation by a line itself. */
    int frame(int element) {
        return elementFrames.get(element);
    }

    /** Returns whether a line or function is PyTorch's or Python's own. */
    boolean isLibrary(int element) {
        return roles.isLibrary(frame(element));
    }

    /** Returns whether a line is one through which a module is called. */
    boolean isModuleCall(int element) {
        return roles.isModuleCall(frame(element));
    }

    /** {@link #OUTSIDE}, {@link #MODEL} or {@link #INSIDE}. */
    int within(int element) {
        return depths.get(element);
    }
}
