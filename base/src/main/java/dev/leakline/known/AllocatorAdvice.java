package dev.leakline.known;

import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.result.Finding.Advice;

/** Advice on the settings of the allocator. */
public final class AllocatorAdvice {
    private static final String EXPANDABLE = "expandable_segments";
    private static final String NOTES =
            "https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf";

    private AllocatorAdvice() {}

    /** To let segments grow and shrink, which is expected to give back so many bytes. */
    public static Advice expandable(long bytes) {
        return settings(
                EXPANDABLE + ":True",
                "Segments then grow and shrink by pages, and a block pins no more than the pages it lies on.",
                bytes);
    }

    /** To start the job under settings, which is expected to spare so many bytes. */
    public static Advice settings(String settings, String why, long bytes) {
        String variable = "PYTORCH_CUDA_ALLOC_CONF";
        String action = settings.isEmpty() ? "without " + variable : "with " + variable + "=" + settings;
        return Advice.of("Start the job " + action, why, bytes, "", "", NOTES);
    }

    /** Returns whether settings, as PYTORCH_CUDA_ALLOC_CONF has them, switch expandable segments on. */
    public static boolean isExpandable(String settings) {
        return settings.contains(EXPANDABLE + ":True");
    }

    /** Returns whether expandable segments are on, by the settings, or by the segments where there are no settings. */
    public static boolean isExpandable(SnapshotColumns columns) {
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
