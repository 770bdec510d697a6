package dev.leakline.steps;

import dev.leakline.columns.FrameTable;
import java.util.BitSet;

/** Sums over each element of the tree of calls: allocations, backward passes, lines. */
final class CallSums {
    private static final int[] NO_PATH = {};

    private final CallPaths paths;
    private final FrameTable frames;
    private final int[] allocations;
    private final int[] backwards;
    /** How many lines of each function lead to allocations, and the first of them. */
    private final int[] lines;

    private final int[] firstLines;
    private final BitSet seen = new BitSet();

    /** Adds up what each stack does {@code counts} times. */
    CallSums(CallPaths paths, FrameTable frames, FrameRoles roles, int[] counts) {
        this.paths = paths;
        this.frames = frames;
        this.allocations = new int[paths.size()];
        this.backwards = new int[paths.size()];
        this.lines = new int[paths.size()];
        this.firstLines = new int[paths.size()];
        for (int stack = 0; stack < counts.length; stack++) {
            int[] path = counts[stack] > 0 ? paths.path(stack) : NO_PATH;
            add(path, counts[stack], roles.startsBackward(stack) ? counts[stack] : 0);
        }
    }

    private void add(int[] path, int count, int passes) {
        for (int element : path) {
            allocations[element] += count;
            backwards[element] += passes;
        }
        for (int i = 1; i < path.length; i += 2) {
            addLine(path[i - 1], path[i]);
        }
    }

    private void addLine(int function, int element) {
        int line = line(element);
        if (firstLines[function] == 0 || line < firstLines[function]) {
            firstLines[function] = line;
        }
        if (!seen.get(element)) {
            seen.set(element);
            lines[function]++;
        }
    }

    /** Elements. */
    int size() {
        return allocations.length;
    }

    /** The number of a line's element in its file. */
    int line(int element) {
        return frames.line(paths.frame(element));
    }

    /** Allocations beneath an element. */
    int allocations(int element) {
        return allocations[element];
    }

    /** Backward passes that begin beneath an element. */
    int backwards(int element) {
        return backwards[element];
    }

    /** How many lines of a function lead to allocations. */
    int lines(int function) {
        return lines[function];
    }

    /** The first of those lines. */
    int firstLine(int function) {
        return firstLines[function];
    }
}
