package dev.leakline.source;

import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import java.util.List;

/**
 * The torch version that wrote a snapshot or a trace, inferred from its layout, since no file names it. Each layout has a key that the one
 * before lacked, so what is there gives the oldest version and what is missing the newest.
 */
public final class TorchVersion {
    private record Step(boolean isEvent, String key, String since, String before) {}

    private static final List<Step> STEPS = List.of(
            new Step(true, "time_us", "2.2", "2.1"),
            new Step(false, "allocator_settings", "2.3", "2.2"),
            new Step(false, "external_annotations", "2.5", "2.4"),
            new Step(true, "compile_context", "2.8", "2.7"),
            new Step(true, "user_metadata", "2.10", "2.9"),
            new Step(true, "pool_id", "2.12", "2.11"),
            new Step(false, "host_segments", "2.14", "2.13"));

    /** The key of the time from which the times of a profiler's trace count, since they are finer than microseconds. */
    public static final String BASE_TIME = "baseTimeNanoseconds";

    private TorchVersion() {}

    /** A version or a range of versions, such as {@code 2.5 to 2.7}, {@code 2.14 or later}. */
    public static String of(SnapshotColumns columns) {
        return of(columns, true);
    }

    /** The version of a file that may be incomplete; keys missing from its end are then ignored. */
    public static String of(SnapshotColumns columns, boolean isWhole) {
        if (columns.recorder == Recorder.PROFILER) {
            return columns.topKeys.contains(BASE_TIME) ? "2.4 or later" : "2.3 or earlier";
        }
        if (columns.topKeys.isEmpty()) {
            return "1.13 or earlier";
        }
        String oldest = "2.0";
        String newest = "";
        for (Step step : STEPS) {
            boolean isThere = step.isEvent ? columns.eventKeys.contains(step.key) : columns.topKeys.contains(step.key);
            boolean isTelling = step.isEvent ? columns.events.size() > 0 : isWhole;
            if (isThere) {
                oldest = step.since;
                newest = "";
            } else if (isTelling && newest.isEmpty()) {
                newest = step.before;
            }
        }
        return range(oldest, newest);
    }

    private static String range(String oldest, String newest) {
        if (newest.isEmpty()) {
            return oldest + " or later";
        }
        return oldest.equals(newest) ? oldest : oldest + " to " + newest;
    }
}
