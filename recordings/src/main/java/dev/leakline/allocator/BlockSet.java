package dev.leakline.allocator;

import java.util.Arrays;

/**
 * Blocks in the order of a key; where keys are equal, of their ages; where these are too, of their addresses.
 *
 * <p>Entries lie in runs of at most {@value #RUN}, each run two plain arrays, the runs one behind the other. A search halves the runs,
 * then the entries of one; an insertion moves the entries of one run alone. So a set of ten blocks is one array, and a set of
 * a hundred thousand costs hardly more. Runs that are full are halved, neighbours that fit into half a run are joined, and arrays that
 * are left over are kept for the next run, so nothing is allocated once the set has seen its largest size.
 *
 * <p>A position is an entry's place; it is good until the set changes, except that {@link #removeAt} leaves all earlier ones as they are.
 */
final class BlockSet {
    /** Behind the last entry, or before the first. */
    static final int END = -1;

    private static final int BITS = 7;
    /** Entries of a run: two cache pages of keys, so that moving half a run costs no more than the search that found it. */
    private static final int RUN = 1 << BITS;

    private static final int MASK = RUN - 1;

    private final Blocks blocks;
    private long[][] keys = new long[0][];
    private int[][] members = new int[0][];
    private int[] counts = new int[0];
    private int runs;
    private int size;

    BlockSet(Blocks blocks) {
        this.blocks = blocks;
    }

    /** Blocks. */
    int size() {
        return size;
    }

    /** Adds a block that the set does not hold. */
    void add(long key, int block) {
        int age = blocks.age(block);
        long address = blocks.address(block);
        int run = run(key, age, address);
        if (runs == 0) {
            open(0);
        } else if (run == runs) {
            run--;
        }
        int index = index(run, key, age, address);
        if (counts[run] == RUN) {
            halve(run);
            if (index > RUN / 2) {
                index -= RUN / 2;
                run++;
            }
        }
        insert(run, index, key, block);
        size++;
    }

    /** Removes a block that the set holds under this key. */
    void remove(long key, int block) {
        int age = blocks.age(block);
        long address = blocks.address(block);
        int run = run(key, age, address);
        removeAt(position(run, index(run, key, age, address)));
    }

    /** Removes what is at a position. */
    void removeAt(int position) {
        int run = position >>> BITS;
        int index = position & MASK;
        int last = --counts[run];
        System.arraycopy(keys[run], index + 1, keys[run], index, last - index);
        System.arraycopy(members[run], index + 1, members[run], index, last - index);
        size--;
        if (last == 0) {
            close(run);
        } else if (run + 1 < runs && last + counts[run + 1] <= RUN / 2) {
            joinNext(run);
        }
    }

    /** The position of the first block whose key is at least {@code key}, or {@link #END}. */
    int ceiling(long key) {
        int run = run(key);
        return run == runs ? END : position(run, first(keys[run], 0, counts[run], key));
    }

    /** The position of the first block, or {@link #END}. */
    int first() {
        return size == 0 ? END : 0;
    }

    /** The position of the last block, or {@link #END}. */
    int last() {
        return size == 0 ? END : position(runs - 1, counts[runs - 1] - 1);
    }

    /** The position behind another, or {@link #END}. */
    int next(int position) {
        if ((position & MASK) + 1 < counts[position >>> BITS]) {
            return position + 1;
        }
        int run = (position >>> BITS) + 1;
        return run == runs ? END : position(run, 0);
    }

    /** The position before another, or {@link #END}. */
    int previous(int position) {
        if ((position & MASK) > 0) {
            return position - 1;
        }
        int run = (position >>> BITS) - 1;
        return run < 0 ? END : position(run, counts[run] - 1);
    }

    /** The block at a position. */
    int at(int position) {
        return members[position >>> BITS][position & MASK];
    }

    private static int position(int run, int index) {
        return (run << BITS) + index;
    }

    /** The first run that holds a key of at least {@code key}; the number of runs if there is none. */
    private int run(long key) {
        int from = 0;
        int to = runs;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (keys[middle][counts[middle] - 1] < key) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    /** The first run whose last entry is not below a place; the number of runs if there is none. */
    private int run(long key, int age, long address) {
        int from = 0;
        int to = runs;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (isBelow(middle, counts[middle] - 1, key, age, address)) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    /** The first entry of a run that is not below a place; the number of entries if there is none. */
    private int index(int run, long key, int age, long address) {
        int from = first(keys[run], 0, counts[run], key);
        int to = from;
        if (from < counts[run] && keys[run][from] == key) {
            to = first(keys[run], from, counts[run], key + 1);
        }
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (isBelow(members[run][middle], age, address)) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    /** The first of some entries of a run whose key is at least {@code key}; the end of them if there is none. */
    private static int first(long[] entries, int begin, int end, long key) {
        int from = begin;
        int to = end;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (entries[middle] < key) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    private boolean isBelow(int run, int index, long key, int age, long address) {
        long other = keys[run][index];
        return other == key ? isBelow(members[run][index], age, address) : other < key;
    }

    private boolean isBelow(int block, int age, long address) {
        int other = blocks.age(block);
        return other == age ? Long.compareUnsigned(blocks.address(block), address) < 0 : other < age;
    }

    private void insert(int run, int index, long key, int block) {
        int moved = counts[run]++ - index;
        System.arraycopy(keys[run], index, keys[run], index + 1, moved);
        System.arraycopy(members[run], index, members[run], index + 1, moved);
        keys[run][index] = key;
        members[run][index] = block;
    }

    private void halve(int run) {
        open(run + 1);
        int half = RUN / 2;
        System.arraycopy(keys[run], half, keys[run + 1], 0, half);
        System.arraycopy(members[run], half, members[run + 1], 0, half);
        counts[run] = half;
        counts[run + 1] = half;
    }

    private void joinNext(int run) {
        int taken = counts[run + 1];
        System.arraycopy(keys[run + 1], 0, keys[run], counts[run], taken);
        System.arraycopy(members[run + 1], 0, members[run], counts[run], taken);
        counts[run] += taken;
        close(run + 1);
    }

    /** Puts an empty run at a place. */
    private void open(int run) {
        if (runs == counts.length) {
            grow(Math.max(1, runs * 2));
        }
        long[] spareKeys = keys[runs];
        int[] spareMembers = members[runs];
        int moved = runs++ - run;
        System.arraycopy(keys, run, keys, run + 1, moved);
        System.arraycopy(members, run, members, run + 1, moved);
        System.arraycopy(counts, run, counts, run + 1, moved);
        keys[run] = spareKeys;
        members[run] = spareMembers;
        counts[run] = 0;
    }

    /** Takes a run out and keeps its arrays behind the last. */
    private void close(int run) {
        long[] spareKeys = keys[run];
        int[] spareMembers = members[run];
        int moved = --runs - run;
        System.arraycopy(keys, run + 1, keys, run, moved);
        System.arraycopy(members, run + 1, members, run, moved);
        System.arraycopy(counts, run + 1, counts, run, moved);
        keys[runs] = spareKeys;
        members[runs] = spareMembers;
    }

    private void grow(int length) {
        keys = Arrays.copyOf(keys, length);
        members = Arrays.copyOf(members, length);
        counts = Arrays.copyOf(counts, length);
        for (int run = runs; run < length; run++) {
            keys[run] = new long[RUN];
            members[run] = new int[RUN];
        }
    }
}
