package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.known.AdvisedLimit;
import dev.leakline.known.Cause;
import dev.leakline.known.Diagnosis;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Finding.Severity;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds the lines whose memory waits for the garbage collector. */
public final class CycleDetector implements Detector {
    static final String NAME = "reference_cycle";

    /** Less than this share of what a line's survivors died of is by accident. */
    private static final double MOST = 0.5;

    @Override
    public Examination examine(Evidence evidence, Thresholds thresholds) {
        if (!evidence.canJudgeGrowth(thresholds)) {
            return Examination.notApplicable(NAME, evidence.needsSteps(thresholds.fewestSteps()));
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
            if (releases.share() >= MOST && collector.made(releases)) {
                growers.add(new Grower(group, releases.largestBytes(), new IntArrayList()));
            }
        }
        List<Finding> findings = new ArrayList<>();
        List<IntArrayList> culprits = new ArrayList<>();
        for (Leak leak : LeakSites.find(evidence, growers, thresholds.fewestRises())) {
            findings.add(new CycleFinding(evidence, leak).build());
            culprits.add(leak.allocations(evidence));
        }
        return new Examination(
                new Check(NAME, true, "looked at blocks that are freed many at once"), findings, List.of(), culprits);
    }

    /** Makes the finding of memory that waits for the garbage collector. */
    private static final class CycleFinding {
        /** Waiting memory of this share of the peak costs a job room that it would use; less is a curiosity. */
        private static final double WORTH_MENDING = 0.05;
        /** From half of the peak on, it is what runs a job out of memory. */
        private static final double DANGEROUS = 0.5;
        /** What is seen from outside, without the objects themselves, is never quite sure. */
        private static final double SUREST = 0.9;
        /** Each release halves the doubt that it is the collector who makes them. */
        private static final double HALF = 0.5;

        private final dev.leakline.evidence.Evidence evidence;
        private final Leak leak;
        private final Releases releases;

        CycleFinding(dev.leakline.evidence.Evidence evidence, Leak leak) {
            this.evidence = evidence;
            this.leak = leak;
            this.releases = new Releases(evidence, leak.survivors());
        }

        Finding build() {
            FindingSite site = new FindingSite(evidence, leak);
            return new FindingBuilder(Kind.REFERENCE_CYCLE, Fingerprint.of(Kind.REFERENCE_CYCLE, site.path()))
                    .severity(severity())
                    .confidence(
                            SUREST * (1 - Math.pow(HALF, releases.count() + 1.0)),
                            List.of("freed " + releases.count()
                                    + " times, at moments that the line itself does not choose"))
                    .cause(Diagnosis.recorded(Cause.CYCLE).told())
                    .summary(summary())
                    .on(evidence.input(), evidence.lifetimes().device())
                    .site(site.site())
                    .stack(site.stack())
                    .held(releases.largestBytes(), releases.mostBlocks())
                    .proofs(facts())
                    .advice(Cause.CYCLE.advice(
                            releases.largestBytes(),
                            AdvisedLimit.MOST,
                            evidence.lifetimes().device() < 0))
                    .build();
        }

        private Severity severity() {
            double share = (double) releases.largestBytes() / Math.max(evidence.peakBytes(), 1);
            if (share < WORTH_MENDING) {
                return Severity.INFO;
            }
            return share < DANGEROUS ? Severity.WARNING : Severity.CRITICAL;
        }

        private String summary() {
            return String.format(
                    Locale.ROOT,
                    "Blocks allocated here pile up for about %.0f steps, up to %s in %d blocks, until Python's garbage collector happens to run.",
                    stepsBetween(),
                    ByteSize.format(releases.largestBytes()),
                    releases.mostBlocks());
        }

        private double stepsBetween() {
            int first = evidence.steps().of(releases.event(0));
            int last = evidence.steps().of(releases.event(releases.count() - 1));
            return releases.count() > 1 ? (double) (last - first) / (releases.count() - 1) : first;
        }

        private List<Proof> facts() {
            List<Proof> facts = new ArrayList<>();
            facts.add(Proof.of(String.format(
                    Locale.ROOT,
                    "freed %d times, about every %.0f steps, %d blocks at most",
                    releases.count(),
                    stepsBetween(),
                    releases.mostBlocks())));
            int stack = evidence.lifetimes().events().stack(releases.event(0));
            facts.add(Proof.at(
                    evidence.stacks().of(stack).site(),
                    "freed here, by whatever ran when the collector came",
                    releases.largestBytes(),
                    releases.mostBlocks()));
            return facts;
        }
    }
}
