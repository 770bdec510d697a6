package dev.leakline.hash;

import java.util.Arrays;

/**
 * Gives pairs of ints that come from a file numbers from 0 up, in the order in which they first come. It keeps the pairs once, and a table
 * of their numbers: 13 to 23 bytes a pair.
 */
public final class PairNumbering {
    /** The number of pairs that have none. */
    public static final int NONE = -1;

    private long[] pairs = new long[64];
    /** Numbers plus one, each in the first place from that of its hash on that is free; 0 where none is. */
    private int[] slots = new int[128];

    private int count;

    /** The number of a pair: {@link #size()} until now where it is new. */
    public int of(int first, int second) {
        long pair = pair(first, second);
        int slot = slot(pair);
        return slots[slot] == 0 ? add(pair, slot) : slots[slot] - 1;
    }

    /** The number of a pair, {@link #NONE} where it has none. */
    public int find(int first, int second) {
        return slots[slot(pair(first, second))] - 1;
    }

    /** The first of a pair. */
    public int first(int number) {
        return (int) (pairs[number] >>> Integer.SIZE);
    }

    /** The second of a pair. */
    public int second(int number) {
        return (int) pairs[number];
    }

    /** Distinct pairs so far; numbers are below it. */
    public int size() {
        return count;
    }

    private static long pair(int first, int second) {
        return (long) first << Integer.SIZE | (second & 0xffff_ffffL);
    }

    /** The place of a pair in the table, or the free one where it belongs. */
    private int slot(long pair) {
        int mask = slots.length - 1;
        int slot = SeededHash.of(pair) & mask;
        while (slots[slot] != 0 && pairs[slots[slot] - 1] != pair) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private int add(long pair, int slot) {
        if (count == pairs.length) {
            pairs = Arrays.copyOf(pairs, count + count / 2);
        }
        pairs[count] = pair;
        slots[slot] = ++count;
        if (count > slots.length / 4 * 3) {
            rehash();
        }
        return count - 1;
    }

    private void rehash() {
        slots = new int[slots.length * 2];
        for (int number = 0; number < count; number++) {
            slots[slot(pairs[number])] = number + 1;
        }
    }
}
