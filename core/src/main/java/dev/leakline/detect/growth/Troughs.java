package dev.leakline.detect.growth;

import dev.leakline.evidence.Evidence;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.statistics.Level;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Ratchet.Shape;
import dev.leakline.statistics.Thresholds;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Growth beneath what comes and goes: of piles that are freed in part, again and again, more is left each time, or a ring is full and the sum rises on. It is a leak
 * beside what is freed, or reference cycles that the garbage collector, which mostly looks at young objects, does not get all of.
 */
final class Troughs {
    /** Less than a large block of the allocator is no level's growth, in bytes. */
    private static final double LEAST = 1 << 20;

    private final Evidence evidence;

    Troughs(Evidence evidence) {
        this.evidence = evidence;
    }

    /** How the floor of a group grows, or what is left of it; null if it has too few survivors. */
    @Nullable
    Ratchet test(Group group) {
        return growth(group).orElse(evidence.groups().test(group));
    }

    /** How what is left grows step by step, where the level does although it seldom rises for good; empty where it does not. */
    Optional<Ratchet> growth(Group group) {
        Ratchet test = evidence.groups().test(group);
        long[] lowest = evidence.groups().floor(group.survivors()).clone();
        double least = Math.max(LEAST, Acquittals.SMALLEST_SHARE * evidence.peakBytes());
        boolean isKnown = test == null || test.shape() == Shape.GROWS;
        double[] steps = IntStream.range(0, lowest.length).asDoubleStream().toArray();
        if (isKnown || !Level.ofBlocks(steps, lowest, least).grows()) {
            return Optional.empty();
        }
        for (int step = lowest.length - 2; step >= 0; step--) {
            lowest[step] = Math.min(lowest[step], lowest[step + 1]);
        }
        return Optional.of(new Ratchet(lowest, Thresholds.DEFAULT.fewestRises()))
                .filter(lowestTest -> lowestTest.shape() == Shape.GROWS);
    }
}
