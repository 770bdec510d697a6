package dev.leakline.ranks;

import dev.leakline.result.ProcessSummary.BlockSize;
import dev.leakline.result.Site;
import java.util.ArrayList;
import java.util.List;

/**
 * Ranks by the model that they hold: those of one part have parameters and optimizer state of the same sizes. Stages of a pipeline, and
 * shares of layers that cannot be cut equally, are parts; where each rank holds all of the model, or an equal shard, there is one.
 */
final class ModelParts {
    /**
     * The largest difference, as a share of their bytes, of models that are the same: the last shard of a
     * padded parameter is smaller by some rows, whereas a layer of a hundred is a percent.
     */
    private static final double SAME_MODEL = 0.01;

    /** The part of a model that a late recording has to have among what was there before, to be of that model. */
    private static final double CONTAINED = 0.99;
    /** Lines with this part of the peak are in every summary of a rank that runs them; half of it would be. */
    private static final double NOTABLE = 0.004;

    private ModelParts() {}

    /** The parts, each with its ranks in order, in the order of their first ranks. */
    static List<List<PeerRank>> of(List<PeerRank> ranks) {
        List<List<PeerRank>> parts = new ArrayList<>();
        for (PeerRank rank : ranks) {
            parts.stream()
                    .filter(part ->
                            difference(rank, part.getFirst()) <= SAME_MODEL && !haveOtherRoles(rank, part.getFirst()))
                    .findFirst()
                    .orElseGet(() -> added(parts))
                    .add(rank);
        }
        return parts;
    }

    private static List<PeerRank> added(List<List<PeerRank>> parts) {
        List<PeerRank> part = new ArrayList<>();
        parts.add(part);
        return part;
    }

    /**
     * How much the models of two ranks differ, as a share of the larger. A late recording has its model among all that was there: of what is
     * there beside the model of the other, nobody knows what it is.
     */
    private static double difference(PeerRank one, PeerRank other) {
        if (one.isLate() == other.isLate()) {
            return one.isLate()
                    ? difference(one.process().resident(), other.process().resident())
                    : difference(one.process().model(), other.process().model());
        }
        PeerRank late = one.isLate() ? one : other;
        PeerRank whole = one.isLate() ? other : one;
        boolean isContained = contained(whole.process().model(), late.process().resident()) >= CONTAINED;
        return isContained && !haveOtherSteps(one, other)
                ? 0
                : difference(one.process().resident(), other.process().resident());
    }

    /** Returns whether most steps of a rank run lines that the other never does: stages have layers of their own. */
    private static boolean haveOtherSteps(PeerRank one, PeerRank other) {
        return runsAlone(one, other) || runsAlone(other, one);
    }

    /** Returns whether both run lines step by step that the other never does: two ends of a pipeline, though their models are of one size. */
    private static boolean haveOtherRoles(PeerRank one, PeerRank other) {
        return runsAlone(one, other) && runsAlone(other, one);
    }

    private static boolean runsAlone(PeerRank one, PeerRank other) {
        return one.process().lines().stream()
                .filter(line -> line.site().kind() == Site.Kind.USER
                        && 2 * line.activeSteps() > one.process().steps())
                .filter(line -> line.through().most() >= NOTABLE * one.process().peak())
                .anyMatch(line -> !other.has(line.site()));
    }

    /** The share of a model's bytes in blocks of sizes that others have as well. */
    static double contained(List<BlockSize> model, List<BlockSize> others) {
        long shared = 0;
        for (BlockSize size : model) {
            int blocks = others.stream()
                    .filter(other -> other.bytes() == size.bytes())
                    .mapToInt(BlockSize::blocks)
                    .sum();
            shared += size.bytes() * Math.min(blocks, size.blocks());
        }
        return (double) shared / Math.max(bytes(model), 1);
    }

    /** Lays the blocks side by side, the largest of both beside each other, and adds up how much they differ. */
    static double difference(List<BlockSize> one, List<BlockSize> other) {
        if (one.equals(other)) {
            return 0;
        }
        long sum = 0;
        int i = 0;
        int j = 0;
        int left = one.isEmpty() ? 0 : one.getFirst().blocks();
        int right = other.isEmpty() ? 0 : other.getFirst().blocks();
        while (i < one.size() || j < other.size()) {
            long mine = i < one.size() ? one.get(i).bytes() : 0;
            long theirs = j < other.size() ? other.get(j).bytes() : 0;
            int count = i >= one.size() ? right : j >= other.size() ? left : Math.min(left, right);
            sum += Math.abs(mine - theirs) * count;
            left -= count;
            right -= count;
            if (i < one.size() && left == 0) {
                i++;
                left = i < one.size() ? one.get(i).blocks() : 0;
            }
            if (j < other.size() && right == 0) {
                j++;
                right = j < other.size() ? other.get(j).blocks() : 0;
            }
        }
        return (double) sum / Math.max(Math.max(bytes(one), bytes(other)), 1);
    }

    static long bytes(List<BlockSize> sizes) {
        return sizes.stream().mapToLong(size -> size.bytes() * size.blocks()).sum();
    }
}
