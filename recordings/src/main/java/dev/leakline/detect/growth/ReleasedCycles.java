package dev.leakline.detect.growth;

import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.evidence.Evidence;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Proof;
import dev.leakline.text.ByteSize;
import java.util.List;
import java.util.Locale;

/** The finding of cycles whose memory the garbage collector was seen to free. */
final class ReleasedCycles {
    /** The highest confidence: a cycle seen from outside, without the objects themselves, is never quite sure. */
    private static final double SUREST = 0.9;
    /** Each release halves the doubt that it is the collector who makes them. */
    private static final double HALF = 0.5;

    private final Evidence evidence;
    private final Leak leak;
    private final Releases releases;

    ReleasedCycles(Evidence evidence, Leak leak) {
        this.evidence = evidence;
        this.leak = leak;
        this.releases = new Releases(evidence, leak.survivors());
    }

    Finding finding() {
        FindingSite site = new FindingSite(evidence, leak);
        return CycleFinding.of(
                        evidence,
                        site.site(),
                        site.stack(),
                        site.path(),
                        releases.largestBytes(),
                        releases.mostBlocks(),
                        leak.allocations(evidence))
                .confidence(
                        SUREST * (1 - Math.pow(HALF, releases.count() + 1.0)),
                        List.of("freed " + releases.count()
                                + " times, at moments that the line itself does not choose"))
                .summary(summary())
                .proofs(facts())
                .build();
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
        int stack = evidence.lifetimes().events().stack(releases.event(0));
        return List.of(
                Proof.of(String.format(
                        Locale.ROOT,
                        "freed %d times, about every %.0f steps, %d blocks at most",
                        releases.count(),
                        stepsBetween(),
                        releases.mostBlocks())),
                Proof.at(
                        evidence.stacks().of(stack).site(),
                        "freed here, by whatever ran when the collector came",
                        releases.largestBytes(),
                        releases.mostBlocks()));
    }
}
