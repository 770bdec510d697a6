package dev.leakline.steps;

import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntObjectHashMap;
import com.carrotsearch.hppc.cursors.IntObjectCursor;
import com.carrotsearch.hppc.cursors.LongIntCursor;
import dev.leakline.hash.SeededLongIntMap;

/**
 * The lines that call now one function, now another, as one that dispatches requests does. An expression calls its functions in the
 * same order each time; where a function is followed now by this one, now by that, each call is an iteration of its own.
 */
final class Switches {
    /** The share of what follows a function that is no exception any more. */
    private static final double OFTEN = 0.1;
    /** Functions that must follow another, each of them often. */
    private static final int FEWEST_FOLLOWERS = 2;

    /** How often a function, in the upper half, was followed by another, by line. */
    private final IntObjectHashMap<SeededLongIntMap> followers = new IntObjectHashMap<>();

    private final IntHashSet dispatching = new IntHashSet();

    /** Takes notice of a line that called a function, and then another, {@code count} times. */
    void add(int line, int from, int to, int count) {
        SeededLongIntMap ofLine = followers.get(line);
        if (ofLine == null) {
            ofLine = new SeededLongIntMap();
            followers.put(line, ofLine);
        }
        ofLine.addTo((long) from << 32 | to, count);
    }

    /** Decides which lines dispatch, once all is known. */
    void decide() {
        for (IntObjectCursor<SeededLongIntMap> line : followers) {
            if (isDispatching(line.value)) {
                dispatching.add(line.key);
            }
        }
    }

    private static boolean isDispatching(SeededLongIntMap ofLine) {
        IntIntHashMap all = new IntIntHashMap();
        for (LongIntCursor pair : ofLine) {
            all.addTo((int) (pair.key >>> 32), pair.value);
        }
        IntIntHashMap often = new IntIntHashMap();
        for (LongIntCursor pair : ofLine) {
            int from = (int) (pair.key >>> 32);
            if (pair.value >= OFTEN * all.get(from) && often.addTo(from, 1) >= FEWEST_FOLLOWERS) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a line dispatches. */
    boolean dispatches(int line) {
        return dispatching.contains(line);
    }

    /** Returns whether any line does. */
    boolean isEmpty() {
        return dispatching.isEmpty();
    }
}
