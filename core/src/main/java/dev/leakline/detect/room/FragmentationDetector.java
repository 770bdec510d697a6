package dev.leakline.detect.room;

import dev.leakline.columns.Recorder;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.lifetime.MemoryMap;
import dev.leakline.result.Check;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import java.util.List;

/**
 * Finds memory that is reserved and of no use: free in segments in which something lives, so that it cannot be given back, and yet not
 * needed by what the program does.
 *
 * <p>Free memory alone is no loss. Segments that are free as a whole are a cache, which goes back to the driver in need. And between two
 * steps most segments are full of holes that the next step fills. So the loss is what was free even when most was live, in the
 * second half of the recording, and of that no more than what is pinned at the end.
 */
public final class FragmentationDetector implements Detector {
    private static final String NAME = "fragmentation";
    /**
     * Below this share of what is reserved, no batch becomes larger and no model fits by mending it; runs that nobody complains of lose as
     * much to sizes that do not match.
     */
    private static final double WORTH_KNOWING = 0.1;
    /** The requests between 1 and 10 MiB share segments of 20 MiB, of which every run has some half empty: the free halves of twenty. */
    private static final long LEAST = 200 << 20;
    /** A quarter of the reserved memory, and as much as a large layer's activations: the next failing request is likely due to it. */
    private static final double SERIOUS = 0.25;

    private static final long LARGE = 1 << 30;

    @Override
    public Examination examine(Evidence evidence, Thresholds thresholds) {
        int device = evidence.lifetimes().device();
        long reserved = MemoryCurve.reservedAtEnd(evidence.columns(), device);
        boolean hasSegments = evidence.columns().recorder == Recorder.ALLOCATOR && reserved > 0;
        if (device < 0 || !hasSegments) {
            return Examination.notApplicable(
                    NAME,
                    "needs segments of a GPU: torch.cuda.memory._dump_snapshot() writes them, while the job still holds its memory");
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

    private static boolean isWorthKnowing(long bytes, long reserved) {
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
}
