package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.floor.GrowthGroups;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.floor.Survivors;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.StepSummary;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Ratchet.Shape;
import dev.leakline.statistics.Thresholds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Names the lines whose memory stays, step after step. */
public final class LeakDetector implements Detector {
    private static final String NAME = "leak";
    /** Where less than a tenth of what is allocated goes again, the steps do no work: something is being loaded. */
    private static final double LOADED = 0.9;
    /** Where no module runs at all, half will do: what is loaded may be converted on the way, each piece once. */
    private static final double CONVERTED = 0.5;

    @Override
    public Examination examine(Evidence evidence, Thresholds thresholds) {
        int steps = evidence.steps().count();
        if (!evidence.canJudgeGrowth(thresholds)) {
            return Examination.notApplicable(NAME, evidence.needsSteps(thresholds.fewestSteps()));
        }
        GrowthGroups groups = evidence.groups();
        List<Grower> growers = new ArrayList<>();
        for (Group group : groups.all()) {
            Ratchet test = groups.test(group);
            if (test != null && test.shape() == Shape.GROWS) {
                growers.add(new Grower(group, test.growth(), test.clicks()));
            }
        }
        boolean isLoading = isLoading(evidence, growers);
        if (isLoading) {
            growers.clear();
        }
        List<Finding> findings = new ArrayList<>();
        List<IntArrayList> culprits = new ArrayList<>();
        for (Leak leak : LeakSites.find(evidence, growers, thresholds.fewestRises())) {
            findings.add(new LeakFinding(evidence, leak).build());
            culprits.add(leak.allocations(evidence));
        }
        return new Examination(
                new Check(NAME, true, "looked at " + steps + " steps"),
                findings,
                new Acquittals(evidence, isLoading).list(),
                culprits);
    }

    /**
     * Whether the steps are the turns of a loop that loads a model or data: all that it allocates stays, no module is called, and nothing
     * else happens meanwhile. Steps that the program marked are steps, whatever they do.
     */
    private static boolean isLoading(Evidence evidence, List<Grower> growers) {
        if (growers.isEmpty() || evidence.steps().kind() != StepSummary.Kind.RECURRENCE) {
            return false;
        }
        int first = evidence.steps().count();
        int last = 0;
        for (Grower grower : growers) {
            if (evidence.groups().isComputed(grower.group())) {
                return false;
            }
            first = Math.min(first, grower.steps().get(0));
            last = Math.max(last, grower.steps().get(grower.steps().size() - 1));
        }
        Survivors survivors = evidence.survivors();
        long stays = 0;
        for (int survivor = 0; survivor < survivors.count(); survivor++) {
            boolean isWithin = survivors.first(survivor) >= first && survivors.first(survivor) <= last;
            boolean isHeld = survivors.end(survivor) >= evidence.steps().count();
            stays += isWithin && isHeld ? survivors.bytes(survivor) : 0;
        }
        double share = runsModules(evidence) ? LOADED : CONVERTED;
        return stays >= share * evidence.profile().bytes(first - 1, last - 1);
    }

    private static boolean runsModules(Evidence evidence) {
        return IntStream.range(0, evidence.columns().stacks.size()).anyMatch(evidence.stacks()::callsModule);
    }
}
