package dev.leakline.levers;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.known.StepPhase;

/**
 * Blocks that go with the square of the batch, such as the similarities of each example with each. A block of a pass is taken for one
 * where the program makes it outside of modules, it has as many numbers as a square, and nearly all that modules make has a multiple of its
 * side. Products of powers of two are squares every other time, so those are only possible ones.
 */
final class Squares {
    /** Smaller sides are those of images and of small matrices, and save little. */
    private static final long SMALLEST_SIDE = 256;
    /** The share of the bytes that must have a multiple of the side: labels and statistics may not. */
    private static final double NEARLY_ALL = 0.9;
    /** Bytes of a number in full and in half precision. */
    private static final long[] NUMBERS = {4, 2};

    private final SeededLongSet likely = new SeededLongSet();
    private final SeededLongSet possible = new SeededLongSet();

    Squares(PeakScene scene) {
        SeededLongSet seen = new SeededLongSet();
        for (IntCursor each : scene.allocations) {
            boolean isOfProgram = scene.isBornIn(each.value, StepPhase.OUTSIDE) && scene.scalesWithBatch(each.value);
            if (isOfProgram && seen.add(scene.lifetimes.requested(each.value))) {
                add(scene, scene.lifetimes.requested(each.value));
            }
        }
    }

    private void add(PeakScene scene, long requested) {
        for (long number : NUMBERS) {
            long side = side(requested, number);
            if (side >= SMALLEST_SIDE && dividesNearlyAll(scene, side * number)) {
                (Long.bitCount(side) > 1 ? likely : possible).add(requested);
            }
        }
    }

    /** The side of a square of numbers of so many bytes; 0 where it is none. */
    private static long side(long size, long number) {
        long side = Math.round(Math.sqrt((double) size / number));
        return side * side * number == size ? side : 0;
    }

    private static boolean dividesNearlyAll(PeakScene scene, long row) {
        long all = 0;
        long divided = 0;
        for (IntCursor each : scene.allocations) {
            if (scene.isBornIn(each.value, StepPhase.FORWARD) && scene.scalesWithBatch(each.value)) {
                all += scene.size(each.value);
                divided += scene.lifetimes.requested(each.value) % row == 0 ? scene.size(each.value) : 0;
            }
        }
        return all > 0 && divided >= NEARLY_ALL * all;
    }

    /** Returns whether a block of so many bytes probably goes with the square of the batch. */
    boolean isLikely(long requested) {
        return likely.contains(requested);
    }

    /** Returns whether it may. */
    boolean isPossible(long requested) {
        return likely.contains(requested) || possible.contains(requested);
    }
}
