package dev.leakline.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that logs and snapshots say about memory that ran out.
 *
 * @param toolVersion the version that found it
 * @param logs the logs, in order
 * @param messages their messages, explained, in the order of logs and lines
 * @param snapshots what the snapshots say; null where none was given
 */
public record OutOfMemoryResult(
        String toolVersion,
        List<OutOfMemoryLog> logs,
        List<OutOfMemoryExplanation> messages,
        @Nullable AnalysisResult snapshots) {
    /** Whether a request failed for good, by the logs or by the snapshots. */
    public boolean hasErrors() {
        boolean inSnapshots = snapshots != null
                && snapshots.devices().stream()
                        .anyMatch(device -> !device.outOfMemory().isEmpty());
        return inSnapshots
                || messages.stream().anyMatch(message -> message.kind() != OutOfMemoryExplanation.Kind.RECOVERED);
    }
}
