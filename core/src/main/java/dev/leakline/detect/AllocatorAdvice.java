package dev.leakline.detect;

import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.result.Finding.Advice;
import java.util.ArrayList;
import java.util.List;

/** What to do about memory that is free in pieces. */
final class AllocatorAdvice {
    static final String EXPANDABLE = "expandable_segments";
    static final String NOTES =
            "https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf";

    private AllocatorAdvice() {}

    /**
     * Against holes that a site pins, the best first. Giving back the cache is not among it: the allocator does that by itself before
     * it gives up, and no hole goes away by it.
     */
    static List<Advice> againstHoles(Evidence evidence, Pins pins) {
        List<Advice> advice = new ArrayList<>();
        if (!isExpandable(evidence.columns())) {
            advice.add(expandable(pins.bytes()));
        }
        if (!pins.isEmpty()) {
            advice.add(outOfTheWay(pins.worst()));
        }
        return advice;
    }

    /** To let segments grow and shrink, which is expected to give back so many bytes. */
    static Advice expandable(long bytes) {
        return settings(
                EXPANDABLE + ":True",
                "Segments then grow and shrink by pages, and a block pins no more than the pages it lies on.",
                bytes);
    }

    /** To start the job under settings, which is expected to spare so many bytes. */
    static Advice settings(String settings, String why, long bytes) {
        String variable = "PYTORCH_CUDA_ALLOC_CONF";
        String action = settings.isEmpty() ? "without " + variable : "with " + variable + "=" + settings;
        return new Advice("Start the job " + action, why, bytes, "", "", NOTES);
    }

    /** To allocate what lives long elsewhere. */
    static Advice outOfTheWay(Pins.Pin pin) {
        return new Advice(
                "Allocate what " + Words.site(pin.site())
                        + " keeps before the large blocks come and go, in one piece, or keep it in CPU memory",
                "What lives long then no longer lies in segments that large blocks have just left.",
                pin.bytes(),
                "",
                "",
                "");
    }

    /** Whether expandable segments are on, by the settings, or by the segments where there are no settings. */
    static boolean isExpandable(SnapshotColumns columns) {
        return Boolean.TRUE.equals(columns.settings.get(EXPANDABLE)) || hasExpandable(columns.segments);
    }

    private static boolean hasExpandable(SegmentColumns segments) {
        for (int segment = 0; segment < segments.size(); segment++) {
            if (segments.row(segment).isExpandable()) {
                return true;
            }
        }
        return false;
    }
}
