package dev.leakline.detect.growth;

import dev.leakline.evidence.Evidence;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.statistics.Level;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Ratchet.Shape;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Growth beneath what comes and goes: of piles that are freed in part, again and again, more is left each time, or a ring is full and the sum rises on. It is a leak
 * beside what is freed, or reference cycles that the garbage collector, which mostly looks at young objects, does not get all of.
 */
final class Troughs {
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
        boolean isKnown = test == null || test.shape() == Shape.GROWS;
        if (isKnown || !(areRising(group) || isRising(group))) {
            return Optional.empty();
        }
        long[] lowest = evidence.groups().floor(group.survivors()).clone();
        for (int step = lowest.length - 2; step >= 0; step--) {
            lowest[step] = Math.min(lowest[step], lowest[step + 1]);
        }
        return Optional.of(new Ratchet(lowest)).filter(lowestTest -> lowestTest.shape() == Shape.GROWS);
    }

    /** Returns whether the sum rises, by as much as is worth a word, and not only in the later half: there it may be a pass that has not ended. */
    private boolean isRising(Group group) {
        long[] floor = evidence.groups().floor(group.survivors());
        double[] steps = IntStream.range(0, floor.length).asDoubleStream().toArray();
        Level level = Level.ofBlocks(steps, floor, Acquittals.SMALLEST_SHARE * evidence.peakBytes());
        return level.grows() && level.from() <= floor.length / 2.0;
    }

    /** Returns whether more is left each time that a pile is freed. */
    private boolean areRising(Group group) {
        long[] left = evidence.groups().isTurnedOver(group) ? new long[0] : left(group);
        return left.length > Ratchet.FEWEST_RISES && new Ratchet(left).shape() == Shape.GROWS;
    }

    /** The least that a group holds from each release to the next. */
    private long[] left(Group group) {
        long[] floor = evidence.groups().floor(group.survivors());
        Releases releases = new Releases(evidence, group.survivors());
        long[] left = new long[floor.length == 0 ? 0 : releases.count()];
        for (int i = 0; i < left.length; i++) {
            int from = Math.min(evidence.steps().of(releases.event(i)), floor.length - 1);
            int to = i + 1 < left.length ? evidence.steps().of(releases.event(i + 1)) : floor.length;
            left[i] = floor[from];
            for (int step = from; step < Math.min(to, floor.length); step++) {
                left[i] = Math.min(left[i], floor[step]);
            }
        }
        return left;
    }
}
