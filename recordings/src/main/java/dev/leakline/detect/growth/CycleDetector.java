package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.statistics.Thresholds;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the lines whose memory waits for the garbage collector. Two things show it: piles that the collector freed, in the recording; and cycles that nothing
 * refers to, in a dump of the same process ({@link SeenCycles}).
 */
public final class CycleDetector implements Detector {
    static final String NAME = "reference_cycle";

    /** Less than this share of what a line's survivors died of is by accident. */
    static final double MOST = 0.5;

    @Override
    public Examination examine(Evidence evidence) {
        if (!evidence.canJudgeGrowth()) {
            return Examination.notApplicable(NAME, evidence.needsSteps(Thresholds.FEWEST_STEPS));
        }
        Collector collector = new Collector(evidence);
        if (!collector.canTell()) {
            return Examination.notApplicable(
                    NAME,
                    "the frees of this recording have no stacks of their own, which tell the collector's"
                            + " from the program's: record with context=\"all\", and torch 2.1 or later");
        }
        List<Grower> growers = new ArrayList<>();
        for (Group group : evidence.groups().all()) {
            Releases releases = new Releases(evidence, group.survivors());
            if (isWaiting(evidence, group, releases) && collector.made(releases)) {
                growers.add(new Grower(group, releases.largestBytes(), new IntArrayList()));
            }
        }
        List<Finding> findings = new ArrayList<>();
        List<IntArrayList> culprits = new ArrayList<>();
        for (Leak leak : LeakSites.find(evidence, growers)) {
            findings.add(new ReleasedCycles(evidence, leak).finding());
            culprits.add(leak.allocations(evidence));
        }
        return new Examination(
                new Check(NAME, true, "looked at blocks that are freed many at once"), findings, List.of(), culprits);
    }

    /** Returns whether most of what a group freed was freed in piles, and what was left of them does not grow, or is what was in use then. */
    static boolean isWaiting(Evidence evidence, Group group, Releases releases) {
        return releases.share() >= MOST && (!evidence.groups().grows(group) || releases.leaveNewest());
    }
}
