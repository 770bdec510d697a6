package dev.leakline.ranks;

import dev.leakline.result.JobComparison.Parallelism;
import dev.leakline.result.JobComparison.Sharing;
import org.jspecify.annotations.Nullable;

/** Guesses how a job is shared out among its ranks from the order in which parts of the model come. */
final class ParallelLayout {
    private ParallelLayout() {}

    /** The layout of ranks of which {@code parts} has the part of each, in their order. */
    static Parallelism of(int[] parts) {
        int count = parts.length;
        if (isConstant(parts, 0, count)) {
            return new Parallelism(Sharing.SAME, 1, 1, count);
        }
        for (int shares = 2; shares <= count / 2; shares++) {
            if (count % shares == 0 && repeats(parts, 0, count, shares)) {
                return new Parallelism(Sharing.TENSOR, 1, shares, count);
            }
        }
        for (int stage = count / 2; stage >= 1; stage--) {
            if (count % stage == 0) {
                Parallelism layout = inStages(parts, stage);
                if (layout != null) {
                    return layout;
                }
            }
        }
        return new Parallelism(Sharing.OTHER, 1, 1, count);
    }

    private static @Nullable Parallelism inStages(int[] parts, int stage) {
        int stages = parts.length / stage;
        boolean areWhole = true;
        for (int from = 0; from < parts.length; from += stage) {
            areWhole &= isConstant(parts, from, from + stage);
        }
        if (areWhole && haveTwoEnds(parts, stage)) {
            return new Parallelism(Sharing.PIPELINE, stages, 1, stage);
        }
        for (int shares = 2; shares <= stage / 2; shares++) {
            boolean areShared = stage % shares == 0;
            for (int from = 0; areShared && from < parts.length; from += stage) {
                areShared = repeats(parts, from, from + stage, shares);
            }
            if (areShared) {
                return new Parallelism(Sharing.PIPELINE_AND_TENSOR, stages, shares, stage);
            }
        }
        return null;
    }

    /** Returns whether the first stage differs from its neighbour, and the last from its own: one has the embedding, the other the head. */
    private static boolean haveTwoEnds(int[] parts, int stage) {
        int last = parts.length - 1;
        return parts[0] != parts[stage] && parts[last] != parts[last - stage];
    }

    private static boolean isConstant(int[] parts, int from, int to) {
        return repeats(parts, from, to, 1);
    }

    /** Returns whether every part comes again after so many ranks. */
    private static boolean repeats(int[] parts, int from, int to, int period) {
        for (int i = from + period; i < to; i++) {
            if (parts[i] != parts[i - period]) {
                return false;
            }
        }
        return true;
    }
}
