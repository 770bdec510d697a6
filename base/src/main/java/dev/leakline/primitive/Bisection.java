package dev.leakline.primitive;

import java.util.function.IntPredicate;

/** Finds where a condition begins to hold that holds for all numbers from some number on. */
public final class Bisection {
    private Bisection() {}

    /** The first number from 0 to below {@code end} for which the condition holds; {@code end} if there is none. */
    public static int first(int end, IntPredicate holds) {
        int low = 0;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (holds.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
