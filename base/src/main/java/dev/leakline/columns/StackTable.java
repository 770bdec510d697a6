package dev.leakline.columns;

import dev.leakline.hash.SeededHash;
import dev.leakline.primitive.PackedTable;
import java.util.Arrays;

/**
 * The distinct stacks of a snapshot: sequences of frames, innermost first, each with a small number.
 *
 * <p>A job allocates from few places: about one stack in a hundred is new. Number 0 is {@link #NONE}, the empty stack, which
 * also stands for "not recorded". Where they are all distinct, which only a file made for it is, the frames are most of what a
 * recording takes, and cost two bytes each.
 *
 * <p>One thread may intern; once nobody does, any number may read.
 */
public final class StackTable {
    /** The empty stack: nothing was recorded. */
    public static final int NONE = 0;

    private final PackedTable frames = new PackedTable(1);
    private int[] ends = new int[1 << 10];
    private int[] hashes = new int[1 << 10];
    private int[] slots = new int[1 << 11];
    private int count;

    /** A table with nothing but the empty stack. */
    public StackTable() {
        intern(new int[0], 0);
    }

    /** The number of the stack in the first {@code depth} places of {@code source}, which stays the caller's. */
    public int intern(int[] source, int depth) {
        int mask = slots.length - 1;
        int hash = SeededHash.of(source, 0, depth);
        for (int slot = hash & mask; ; slot = slot + 1 & mask) {
            int found = slots[slot] - 1;
            if (found < 0) {
                return add(source, depth, hash, slot);
            }
            if (hashes[found] == hash && matches(found, source, depth)) {
                return found;
            }
        }
    }

    /** Frames in a stack. */
    public int depth(int stack) {
        return ends[stack] - start(stack);
    }

    /** The frame at a depth of a stack; 0 is the innermost. */
    public int frame(int stack, int depth) {
        return (int) frames.get(0, start(stack) + depth);
    }

    /** Copies a stack's frames into the beginning of {@code target} and answers their number. */
    public int copy(int stack, int[] target) {
        int depth = depth(stack);
        for (int i = 0; i < depth; i++) {
            target[i] = frame(stack, i);
        }
        return depth;
    }

    /** Distinct stacks so far, the empty one included; numbers are below it. */
    public int size() {
        return count;
    }

    private int start(int stack) {
        return stack == 0 ? 0 : ends[stack - 1];
    }

    private boolean matches(int stack, int[] source, int depth) {
        boolean isSame = depth(stack) == depth;
        for (int i = 0; isSame && i < depth; i++) {
            isSame = frame(stack, i) == source[i];
        }
        return isSame;
    }

    private int add(int[] source, int depth, int hash, int slot) {
        for (int i = 0; i < depth; i++) {
            frames.set(0, source[i]);
            frames.endRow();
        }
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, count * 2);
            hashes = Arrays.copyOf(hashes, count * 2);
        }
        ends[count] = frames.size();
        hashes[count] = hash;
        slots[slot] = ++count;
        if (count * 2 > slots.length) {
            rehash();
        }
        return count - 1;
    }

    private void rehash() {
        slots = new int[slots.length * 2];
        int mask = slots.length - 1;
        for (int stack = 0; stack < count; stack++) {
            int slot = hashes[stack] & mask;
            while (slots[slot] != 0) {
                slot = slot + 1 & mask;
            }
            slots[slot] = stack + 1;
        }
    }
}
