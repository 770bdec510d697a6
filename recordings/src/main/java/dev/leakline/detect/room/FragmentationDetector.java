package dev.leakline.detect.room;

import dev.leakline.columns.PoolTable.PoolId;
import dev.leakline.columns.Recorder;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.detect.room.Pins.Pin;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.lifetime.MemoryMap;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds reserved memory that is unusable: free, but in segments with live blocks, so that it cannot be returned to the driver, and not
 * needed by the program.
 *
 * <p>Free memory alone is no loss. Segments that are free as a whole are a cache, which goes back to the driver in need. And between two
 * steps most segments are full of holes that the next step fills. So the loss is what was free even at the peak, in the
 * second half of the recording, and of that no more than what is pinned at the end.
 */
public final class FragmentationDetector implements Detector {
    private static final String NAME = "fragmentation";
    /**
     * Below this share of the reserved memory, no batch becomes larger and no model fits by mending it; runs that nobody complains of
     * lose as
     * much to sizes that do not match.
     */
    private static final double WORTH_KNOWING = 0.1;
    /** The requests between 1 and 10 MiB share segments of 20 MiB, of which every run has some half empty: the free halves of twenty. */
    private static final long LEAST = 200 << 20;
    /** A quarter of the reserved memory, and as much as a large layer's activations: the next failing request is likely due to it. */
    private static final double SERIOUS = 0.25;

    private static final long LARGE = 1 << 30;

    @Override
    public Examination examine(Evidence evidence) {
        int device = evidence.lifetimes().device();
        long reserved = MemoryCurve.reservedAtEnd(evidence.columns(), device);
        boolean hasSegments = evidence.columns().recorder == Recorder.ALLOCATOR && reserved > 0;
        if (device < 0 || !hasSegments) {
            return Examination.notApplicable(
                    NAME,
                    "needs segments of a GPU: torch.cuda.memory._dump_snapshot() writes them, while the job still holds its memory");
        }
        IdleStreams idle = new IdleStreams(evidence);
        List<Finding> bound = idle.findings(reserved);
        if (!bound.isEmpty()) {
            return new Examination(
                    new Check(
                            NAME,
                            true,
                            ByteSize.format(bound.getFirst().bytes()) + " are kept for a stream that is used no more"),
                    bound,
                    List.of());
        }
        long pinned = pinned(evidence.columns(), device);
        long loss = isWorthKnowing(pinned, reserved)
                ? Math.min(pinned, reserved - evidence.course().latePeak())
                : 0;
        return isWorthKnowing(loss, reserved) && !hasFailed(evidence)
                ? found(evidence, loss, reserved)
                : nothing(ByteSize.format(pinned) + " of " + ByteSize.format(reserved)
                        + " reserved are pinned at the end");
    }

    private static Examination nothing(String note) {
        return new Examination(new Check(NAME, true, note), List.of(), List.of());
    }

    private static Examination found(Evidence evidence, long loss, long reserved) {
        int last = evidence.lifetimes().events().count() - 1;
        MemoryMap map = MemoryMap.after(evidence.columns(), evidence.lifetimes(), last);
        Pins pins = new Pins(evidence, map);
        if (pins.isEmpty()) {
            return nothing("nothing lives in the segments");
        }
        boolean isSerious = loss >= LARGE && loss >= SERIOUS * reserved;
        FragmentationFinding finding = new FragmentationFinding(evidence, map, pins, loss, reserved, isSerious);
        return new Examination(
                new Check(NAME, true, ByteSize.format(loss) + " are reserved and of no use"),
                List.of(finding.build()),
                List.of());
    }

    static boolean isWorthKnowing(long bytes, long reserved) {
        return bytes >= LEAST && bytes >= WORTH_KNOWING * reserved;
    }

    /** After a failure that ended the program the pieces of its memory are the failure's finding. */
    private static boolean hasFailed(Evidence evidence) {
        return FailureFinder.find(evidence).stream().anyMatch(failure -> !failure.isSurvived());
    }

    /** Bytes free in segments in which something lives, in the final state. */
    private static long pinned(SnapshotColumns columns, int device) {
        long sum = 0;
        for (int segment = 0; segment < columns.segments.size(); segment++) {
            SegmentColumns.Row row = columns.segments.row(segment);
            boolean isPinned = row.device() == device && !row.isExpandable() && row.activeSize() > 0;
            sum += isPinned ? Math.max(row.totalSize() - row.activeSize(), 0) : 0;
        }
        return sum;
    }

    /** Makes the finding of pinned memory. */
    private static final class FragmentationFinding {
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
                    ? "was free even at the peak, and cannot be returned to the driver"
                    : "is free and cannot be returned to the driver";
            return ByteSize.format(loss) + ", " + Numbers.percent((double) loss / reserved)
                    + " of the reserved memory, "
                    + when + ". Most of it lies around blocks of "
                    + worst.site().inWords() + ".";
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
}
