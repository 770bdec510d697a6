package dev.leakline.detect.growth;

import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.evidence.Evidence;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.result.Site;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Ratchet.Shape;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;

/** Growth that is neither reported as a leak nor ruled out, with what would decide it. */
final class OpenQuestions {
    /** A pile that rises at half of the rate of the one that was freed, at least, is piling up again, not a rest of it. */
    private static final double AGAIN = 0.5;
    /** Steps after which that can be seen, as many as the rises that make a leak. */
    private static final int FEWEST_AGAIN = Ratchet.FEWEST_RISES;

    private final Evidence evidence;
    private final Collector collector;
    private final double smallest;

    OpenQuestions(Evidence evidence) {
        this.evidence = evidence;
        this.collector = new Collector(evidence);
        this.smallest = Acquittals.SMALLEST_SHARE * evidence.peakBytes();
    }

    /** The first question in a sentence, empty where there is none. */
    String first() {
        for (Group group : evidence.groups().all()) {
            Releases releases = new Releases(evidence, group.survivors());
            if (isOpen(group, releases)) {
                return oneRelease(group, releases);
            }
            if (isRegular(group)) {
                return fewRises(group);
            }
            if (isUncertain(group)) {
                return uncertain(group);
            }
        }
        return "";
    }

    /** Returns whether a group was freed at once, maybe by the collector, and piles up again: one release neither convicts nor acquits. */
    boolean isOpen(Group group, Releases releases) {
        return releases.largestBytes() > smallest && isPiledAgain(group, releases) && collector.mayHaveMade(releases);
    }

    /**
     * Returns whether a group rises like clockwork, as what each validation keeps, but too few times to tell. Layers that are thawed one after another do as
     * well: what their optimizer and backward passes make is no part of it.
     */
    boolean isRegular(Group group) {
        int stack = evidence.sites()
                .stack(evidence.survivors().allocation(group.survivors().get(0)));
        Ratchet test = test(group);
        return test.isRegular()
                && test.growth() > smallest
                && group.kind() != Site.Kind.BACKWARD
                && !evidence.stacks().state().makesOptimizerState(stack);
    }

    /** Returns whether a group rose by what matters, and that may go on as well as end. */
    boolean isUncertain(Group group) {
        Ratchet test = test(group);
        return test.shape() == Shape.OPEN && test.growth() > smallest;
    }

    private String uncertain(Group group) {
        Ratchet test = test(group);
        return site(group)
                        .locate(ByteSize.format((long) test.growth()) + " came at "
                                + Numbers.counted(test.clicks().size(), "step") + " and stayed")
                + ": as well explained by what fills up as by a leak; record more steps";
    }

    /** The test of a group's floor, also where it has too few blocks to grow. */
    private Ratchet test(Group group) {
        Ratchet known = evidence.groups().test(group);
        return known != null ? known : new Ratchet(evidence.groups().floor(group.survivors()));
    }

    private String fewRises(Group group) {
        Ratchet test = test(group);
        long[] floor = evidence.groups().floor(group.survivors());
        return site(group)
                        .locate(ByteSize.format(floor[test.end()]) + " came at "
                                + test.clicks().size() + " steps, at equal intervals, and stayed")
                + ": too few to tell a leak from a cache that fills; record at least twice as many steps";
    }

    private Site site(Group group) {
        return evidence.sites()
                .site(evidence.survivors().allocation(group.survivors().get(0)));
    }

    private boolean isPiledAgain(Group group, Releases releases) {
        long[] floor = evidence.groups().floor(group.survivors());
        if (floor.length == 0 || releases.count() == 0) {
            return false;
        }
        int freed = Math.clamp(evidence.steps().of(releases.event(0)), 1, floor.length);
        int since = floor.length - freed;
        return since >= FEWEST_AGAIN && floor[floor.length - 1] * freed >= AGAIN * releases.largestBytes() * since;
    }

    private String oneRelease(Group group, Releases releases) {
        return site(group)
                        .locate(ByteSize.format(releases.largestBytes())
                                + " piled up, were freed at once and pile up again")
                + ": reference cycles, if Python's garbage collector freed them, else a leak or an epoch; record more steps, or call"
                + " gc.collect() at each to see whether it grows then";
    }

    /** The sentence on memory that a group holds while others of the same sizes are freed. */
    String addedOrReplaced(Grower grower) {
        return site(grower.group()).locate(ByteSize.format((long) grower.bytes()) + " came and stayed")
                + " while other blocks of the same sizes were freed, so that those sizes did not grow in all: a leak beside memory that is"
                + " given back, or new for old; record more steps";
    }
}
