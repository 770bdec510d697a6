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

    /** Whether what grows is being loaded. */
    boolean isLoaded(Grower grower) {
        if (evidence.steps().kind() != StepSummary.Kind.RECURRENCE || isComputed(grower.group())) {
            return false;
        }
        int first = grower.steps().get(0);
        int last = grower.steps().get(grower.steps().size() - 1);
        BitSet computing = evidence.computing().get(first, last + 1);
        return computing.cardinality() <= SELDOM * (last + 1 - first) && stays(first, last);
    }

    /** Whether a module made any block of a group, or its line also multiplies matrices, for which PyTorch allocated a workspace there. */
    private boolean isComputed(Group group) {
        return evidence.groups().isComputed(group) || evidence.groups().multiplies(group);
    }

    private boolean stays(int first, int last) {
        int stay = 0;
        for (int survivor = 0; survivor < survivors.count(); survivor++) {
            boolean isWithin = survivors.first(survivor) >= first && survivors.first(survivor) <= last;
            stay += isWithin && survivors.end(survivor) >= steps ? 1 : 0;
        }
        return stay >= CONVERTED * evidence.profile().allocations(first - 1, last - 1);
    }
}
