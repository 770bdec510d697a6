package dev.leakline.detect.room;

import dev.leakline.columns.PoolTable.PoolId;
import dev.leakline.detect.room.Pins.Pin;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.lifetime.MemoryMap;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;

/** Puts pinned memory into words and figures. */
final class FragmentationFinding {
    /** Sites that are shown: enough to act on. */
    private static final int SITES = 3;
    /** How sure it is that mending it would help: what the program does after the recording may fill the holes. */
    private static final double CONFIDENCE = 0.8;
    /** The same where too little was recorded, so that the holes may be those of a step that is under way. */
    private static final double CONFIDENCE_OF_A_MOMENT = 0.5;

    private final Evidence evidence;
    private final MemoryMap map;
    private final Pins pins;
    private final long loss;
    private final long reserved;
    private final boolean isSerious;

    FragmentationFinding(Evidence evidence, MemoryMap map, Pins pins, long loss, long reserved, boolean isSerious) {
        this.evidence = evidence;
        this.map = map;
        this.pins = pins;
        this.loss = loss;
        this.reserved = reserved;
        this.isSerious = isSerious;
    }

    Finding build() {
        Pin worst = pins.worst();
        return new FindingBuilder(
                        Kind.FRAGMENTATION,
                        Fingerprint.of(Kind.FRAGMENTATION, evidence.path(worst.site(), worst.stack())))
                .severity(isSerious ? Severity.WARNING : Severity.INFO)
                .confidence(hasHistory() ? CONFIDENCE : CONFIDENCE_OF_A_MOMENT, List.of(reason()))
                .title(ByteSize.format(loss) + " reserved but fragmented")
                .summary(summary(worst))
                .on(evidence.input(), evidence.lifetimes().device())
                .site(worst.site())
                .stack(evidence.stacks().frames(worst.stack()))
                .held(loss, worst.blocks())
                .proofs(seen())
                .advice(pins.advice(evidence.columns()))
                .build();
    }

    private boolean hasHistory() {
        return evidence.steps().count() > 0;
    }

    private String reason() {
        return hasHistory()
                ? "the final state shows the free pieces; code that runs after it might use them"
                : "too little was recorded to see a whole step; what was under way might use the free pieces";
    }

    private String summary(Pin worst) {
        String when = hasHistory()
                ? "was free even when most was live, and cannot be returned to the driver"
                : "is free and cannot be returned to the driver";
        return ByteSize.format(loss) + ", " + Numbers.percent((double) loss / reserved) + " of what is reserved, "
                + when + ". Most of it lies around blocks of " + worst.site().inWords() + ".";
    }

    private List<Finding.Proof> seen() {
        List<Finding.Proof> seen = new ArrayList<>();
        seen.add(Finding.Proof.of(ByteSize.format(pins.bytes()) + " are free at the end in "
                + Numbers.counted(pins.holes(), "hole") + " of " + Numbers.counted(pins.segments(), "segment")
                + "; the largest is " + ByteSize.format(pins.largestHole())));
        if (evidence.lifetimes().events().count() > 0) {
            seen.add(new UsableSpace(evidence).in(map));
        }
        pins.byPool().forEach(share -> seen.add(Finding.Proof.of(pool(share))));
        pins.bySite().stream().limit(SITES).forEach(pin -> seen.add(pin.describe()));
        return seen;
    }

    private String pool(Pins.PoolShare share) {
        PoolId id = evidence.columns().pools.get(share.pool());
        boolean isDefault = id.first() == 0 && id.second() == 0;
        String name = isDefault ? "the default pool" : "the private pool (" + id.first() + ", " + id.second() + ")";
        return "in " + name + ": " + ByteSize.format(share.bytes()) + " of them; the largest hole is "
                + ByteSize.format(share.largestHole());
    }
}
