package dev.leakline.holders.graph;

import com.carrotsearch.hppc.IntArrayList;
import java.util.Arrays;

/**
 * Semidominators of vertices that a depth-first search has numbered: the middle part of {@link Dominators}.
 *
 * <p>A reference to a higher number leads from an ancestor, which may be the semidominator itself: of those the lowest is kept at once.
 * Only references to lower numbers are kept as such, by the number that they lead to. What such a reference adds is the least
 * semidominator on the path from where it begins up to what is not yet done; each walk shortens the paths that it went.
 */
final class Semidominators {
    private static final long LABEL = 0xffff_ffffL;

    private final int[] parents;
    /** By number: the lowest ancestor that refers to it, where it is not the parent; later its semidominator. */
    private final int[] found;
    /** Where the references to each number begin; while they are counted, how many there are. */
    private final int[] starts;

    private int size;
    private int[] sources = new int[0];
    /**
     * By number: in the higher half the ancestor to which the path up is shortened, in the lower one the least semidominator on the
     * path that
     * was cut short, itself included. Both are read together.
     */
    private long[] links = new long[0];

    private final IntArrayList path = new IntArrayList();

    /** Begins with a search that will fill the parents of its numbers, from 1 on. */
    Semidominators(int[] parents) {
        this.parents = parents;
        this.found = new int[parents.length];
        this.starts = new int[parents.length + 1];
        Arrays.fill(found, Integer.MAX_VALUE);
    }

    /** A number that can be reached from nowhere. */
    void root(int number) {
        found[number] = 0;
    }

    /** Says that there is a reference, other than those that made the search go on; all are said once more to {@link #add}. */
    void count(int from, int to) {
        if (to < from) {
            starts[to]++;
        } else if (found[to] > from) {
            found[to] = from;
        }
    }

    /** Says that all were counted, and how many numbers there are. */
    void endCount(int numbers) {
        size = numbers;
        for (int number = 1; number <= size + 1; number++) {
            starts[number] += starts[number - 1];
        }
        sources = new int[starts[size + 1]];
    }

    /** Keeps a reference that was counted. */
    void add(int from, int to) {
        if (to < from) {
            sources[--starts[to]] = from;
        }
    }

    /** The semidominator of each number. */
    int[] find() {
        links = new long[size + 1];
        for (int number = size; number > 0; number--) {
            int least = Math.min(found[number], parents[number]);
            for (int i = starts[number]; i < starts[number + 1]; i++) {
                least = Math.min(least, least(sources[i], number));
            }
            found[number] = least;
            links[number] = ((long) parents[number] << Integer.SIZE) | least;
        }
        return found;
    }

    /** The least semidominator from a number upwards, as far as that is done: beyond {@code current}. */
    private int least(int number, int current) {
        int top = number;
        long link = links[top];
        while (link >> Integer.SIZE > current) {
            path.add(top);
            top = (int) (link >> Integer.SIZE);
            link = links[top];
        }
        for (int i = path.size() - 1; i >= 0; i--) {
            int below = path.buffer[i];
            link = (link & ~LABEL) | Math.min(link & LABEL, links[below] & LABEL);
            links[below] = link;
        }
        path.elementsCount = 0;
        return (int) link;
    }
}
