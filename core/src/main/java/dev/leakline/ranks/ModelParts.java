package dev.leakline.ranks;

import dev.leakline.result.ProcessSummary;
import dev.leakline.result.ProcessSummary.BlockSize;
import java.util.ArrayList;
import java.util.List;

/**
 * Ranks by the model that they hold: those of one part have parameters and optimizer state of the same sizes. Stages of a pipeline, and
 * shares of layers that cannot be cut equally, are parts; where each rank holds all of the model, or an equal shard, there is one.
 */
final class ModelParts {
    /**
     * Of models that differ by less than this share of their bytes nobody would say that they are other models: the last shard of a
     * padded parameter is smaller by some rows, whereas a layer of a hundred is a percent.
     */
    private static final double SAME_MODEL = 0.01;

    private ModelParts() {}

    /** The parts, each with its ranks in order, in the order of their first ranks. */
    static List<List<PeerRank>> of(List<PeerRank> ranks) {
        List<List<PeerRank>> parts = new ArrayList<>();
        for (PeerRank rank : ranks) {
            List<PeerRank> home = null;
            for (List<PeerRank> part : parts) {
                if (difference(rank, part.getFirst()) <= SAME_MODEL) {
                    home = part;
                    break;
                }
            }
            if (home == null) {
                home = new ArrayList<>();
                parts.add(home);
            }
            home.add(rank);
        }
        return parts;
    }

    /** How much the models of two ranks differ, as a share of the larger; a late recording has them among all that was there. */
    private static double difference(PeerRank one, PeerRank other) {
        boolean isLate = one.isLate() || other.isLate();
        return difference(sizes(one.process(), isLate), sizes(other.process(), isLate));
    }

    private static List<BlockSize> sizes(ProcessSummary process, boolean isLate) {
        return isLate ? process.resident() : process.model();
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
