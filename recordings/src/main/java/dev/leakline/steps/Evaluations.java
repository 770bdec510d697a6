package dev.leakline.steps;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntObjectHashMap;
import dev.leakline.lifetime.Lifetimes;
import java.util.Arrays;

/**
 * Where a line that comes again and again with one and the same stack begins anew. An expression such as {@code f(g(x) @ w)} allocates several
 * times, and nothing but the lives of its blocks tells one evaluation from the next: what an inner call made is alive while the outer one
 * runs, and gone when all begins again. So a line begins anew where as few of its short-lived blocks are alive as ever. Where that does not come
 * after equal numbers of allocations, they are something else, such as entries of a cache, and each allocation counts.
 */
final class Evaluations {
    /** Later blocks of its line after which a live block is no part of an expression: what an operator is given, the next ones free. */
    private static final int SHORT = 4;
    /** A number of blocks that are alive at fewer than a tenth of the allocations is that of a first iteration, or of one that failed. */
    private static final double USUAL = 0.1;
    /** Evaluations with the same number of allocations: nearly all. */
    private static final double ALIKE = 0.9;

    private final Lifetimes lifetimes;
    private final IntObjectHashMap<IntArrayList> births = new IntObjectHashMap<>();
    private final IntObjectHashMap<int[]> begins = new IntObjectHashMap<>();

    Evaluations(Lifetimes lifetimes) {
        this.lifetimes = lifetimes;
    }

    /** Takes notice of an allocation of a line, in their order. */
    void take(int line, int allocation) {
        IntArrayList ofLine = births.get(line);
        if (ofLine == null) {
            ofLine = new IntArrayList();
            births.put(line, ofLine);
        }
        ofLine.add(allocation);
    }

    /** Returns whether an allocation that was taken notice of is the first of an evaluation of its line; so is each where nothing tells. */
    boolean isBeginning(int line, int allocation) {
        int[] known = begins.get(line);
        if (known == null) {
            known = births.containsKey(line) ? beginnings(births.get(line)) : new int[] {};
            begins.put(line, known);
        }
        return known.length == 0 || Arrays.binarySearch(known, allocation) >= 0;
    }

    /** The allocations with which evaluations begin; none where nothing tells. */
    private int[] beginnings(IntArrayList all) {
        int[] alive = new int[all.size()];
        int[] counts = new int[SHORT + 1];
        for (int i = 0; i < alive.length; i++) {
            alive[i] = alive(all, i);
            counts[alive[i]]++;
        }
        int fewest = 0;
        while (counts[fewest] < USUAL * alive.length) {
            fewest++;
        }
        IntArrayList found = new IntArrayList();
        IntArrayList gaps = new IntArrayList();
        int last = 0;
        for (int i = 0; i < alive.length; i++) {
            if (alive[i] <= fewest) {
                found.add(all.get(i));
                gaps.add(i - last);
                last = i;
            }
        }
        return isRegular(gaps.toArray()) ? found.toArray() : new int[] {};
    }

    /** Returns whether evaluations allocate as often as each other, and more than once. */
    private static boolean isRegular(int[] gaps) {
        int[] sorted = gaps.clone();
        Arrays.sort(sorted);
        int usual = sorted[sorted.length / 2];
        return usual > 1 && Arrays.stream(gaps).filter(gap -> gap == usual).count() >= ALIKE * gaps.length;
    }

    /** How many of the blocks that a line made last, and that are soon freed, are alive when it makes another. */
    private int alive(IntArrayList all, int index) {
        int alive = 0;
        for (int i = Math.max(index - SHORT, 0); i < index; i++) {
            int died = lifetimes.died(all.get(i));
            int later = i + SHORT < all.size() ? lifetimes.born(all.get(i + SHORT)) : Lifetimes.NEVER;
            alive += died > lifetimes.born(all.get(index)) && died < later ? 1 : 0;
        }
        return alive;
    }
}
