package dev.leakline.detect.growth;

import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.evidence.Evidence;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.floor.Survivors;
import dev.leakline.result.StepSummary;
import java.util.BitSet;

/**
 * Distinguishes a loop that loads a model or data from one that leaks: both keep something at each iteration. A loop that loads computes nothing.
 * So no block of it is made by a module, no module of the process runs while it grows, nobody multiplies matrices at its line, and of all
 * blocks that are allocated meanwhile every second stays at least: what is loaded may be converted on the way, each piece once.
 *
 * <p>Steps that the program marked are steps, whatever they do.
 */
final class Loading {
    /** A piece that is converted is two blocks, of which one stays. Bytes would not do: half precision is half of the first. */
    private static final double CONVERTED = 0.5;
    /** Modules that run in fewer of the steps are not what the loop is about, such as one that is tried when all is loaded. */
    private static final double SELDOM = 0.1;

    private final Evidence evidence;
    private final Survivors survivors;
    private final int steps;

    Loading(Evidence evidence) {
        this.evidence = evidence;
        this.survivors = evidence.survivors();
        this.steps = evidence.steps().count();
    }

    /**
     * Whether what grows is seen to be loaded. That nothing computes tells something where something computes at other times; that pieces are
     * converted, or of several sizes, as those of a model are, tells as well. Equal blocks that all stay, in a recording without any module, may
     * be results that a program keeps.
     */
    boolean isLoaded(Grower grower) {
        boolean mayBeKept = evidence.computing().isEmpty() && isAlike(grower.group()) && stay(grower) == 1;
        return mayBeLoaded(grower) && !mayBeKept;
    }

    private boolean isAlike(Group group) {
        for (int i = 1; i < group.survivors().size(); i++) {
            if (size(group, i) != size(group, 0)) {
                return false;
            }
        }
        return true;
    }

    private long size(Group group, int survivor) {
        return evidence.lifetimes()
                .requested(survivors.allocation(group.survivors().get(survivor)));
    }

    /** Whether what grows does so as it does where something is loaded. */
    boolean mayBeLoaded(Grower grower) {
        if (evidence.steps().kind() != StepSummary.Kind.RECURRENCE || isComputed(grower.group())) {
            return false;
        }
        int first = grower.steps().get(0);
        int last = last(grower);
        BitSet computing = evidence.computing().get(first, last + 1);
        return computing.cardinality() <= SELDOM * (last + 1 - first) && stay(grower) >= CONVERTED;
    }

    private static int last(Grower grower) {
        return grower.steps().get(grower.steps().size() - 1);
    }

    /** Whether a module made any block of a group, or its line also multiplies matrices, for which PyTorch allocated a workspace there. */
    private boolean isComputed(Group group) {
        return evidence.groups().isComputed(group) || evidence.groups().multiplies(group);
    }

    /** The share of all blocks that are allocated while it grows which stay to the end. */
    private double stay(Grower grower) {
        int first = grower.steps().get(0);
        int last = last(grower);
        int stay = 0;
        for (int survivor = 0; survivor < survivors.count(); survivor++) {
            boolean isWithin = survivors.first(survivor) >= first && survivors.first(survivor) <= last;
            stay += isWithin && survivors.end(survivor) >= steps ? 1 : 0;
        }
        return (double) stay / Math.max(evidence.profile().allocations(first - 1, last - 1), 1);
    }
}
