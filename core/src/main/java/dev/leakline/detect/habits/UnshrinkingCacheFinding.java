package dev.leakline.detect.habits;

import dev.leakline.evidence.Evidence;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Site;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.List;

/** Puts a cache that never shrinks into words and figures. */
final class UnshrinkingCacheFinding {
    /** Even chances: the recording shows that it is there, and not whether anybody still reads it. */
    private static final double CONFIDENCE = 0.5;

    private final Evidence evidence;
    private final Filling filling;

    UnshrinkingCacheFinding(Evidence evidence, Filling filling) {
        this.evidence = evidence;
        this.filling = filling;
    }

    Finding build() {
        Site site = evidence.sites().site(filling.allocation());
        int stack = evidence.sites().stack(filling.allocation());
        return new FindingBuilder(
                        Kind.UNSHRINKING_CACHE, Fingerprint.of(Kind.UNSHRINKING_CACHE, evidence.path(site, stack)))
                .severity(Severity.INFO)
                .confidence(
                        CONFIDENCE,
                        List.of(
                                "a recording shows who allocates and frees; whether this memory is still read it does not show"))
                .title(ByteSize.format(filling.bytes()) + " of an early phase are held to the end")
                .summary(summary(site))
                .on(evidence.input(), evidence.lifetimes().device())
                .site(site)
                .stack(evidence.stacks().frames(stack))
                .held(filling.bytes(), filling.blocks())
                .proofs(List.of(share(), filled(site)))
                .advice(List.of(advice()))
                .build();
    }

    private String summary(Site site) {
        return site.inWords() + " filled " + ByteSize.format(filling.bytes()) + " in steps "
                + Math.max(filling.first(), 0)
                + " to " + filling.last() + " of " + evidence.steps().count()
                + "; nothing was added or taken away since.";
    }

    private Finding.Proof share() {
        double share = (double) filling.bytes() / Math.max(evidence.peakBytes(), 1);
        return Finding.Proof.of("it is " + Numbers.percent(share) + " of the peak");
    }

    private Finding.Proof filled(Site site) {
        return Finding.Proof.at(
                site,
                Numbers.counted(filling.blocks(), "block") + " that nothing frees",
                filling.bytes(),
                filling.blocks());
    }

    private Advice advice() {
        return new Advice(
                "If nothing after step " + filling.last() + " needs it, free it there; else keep it",
                "It does not grow any more, and is no leak; but it takes its share of every later step.",
                filling.bytes(),
                "",
                "",
                "");
    }
}
