package dev.leakline.source;

import dev.leakline.columns.Measurements;
import dev.leakline.columns.ProcessSample;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.objects.HostLevel;
import dev.leakline.objects.HostLook;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.JobSummary;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The content of a file, by its format. */
public sealed interface Content {
    /**
     * A memory snapshot or a profiler's trace.
     *
     * @param columns what it says
     * @param format how it was written, such as {@code pickle protocol 4, gzip}
     * @param bytes its size after decompression
     * @param truncation why it is not whole, or null; what was whole is in the columns
     */
    record Recording(
            SnapshotColumns columns,
            String format,
            long bytes,
            @Nullable ReadException truncation) implements Content {}

    /** A holder dump; says itself whether it is whole. */
    record Dump(ObjectGraph graph) implements Content {}

    /**
     * Figures of memory, and calls of profiled functions.
     *
     * @param measurements what the file says
     * @param format what it turned out to be, such as {@code nvidia-smi CSV}
     * @param bytes its size after decompression
     * @param truncation why it is not whole, or null
     * @param messages what a text says about memory that ran out; null where it was no text
     * @param clues what else a text says about memory, in its first part
     * @param unread lines with sizes from which nothing was read, in its first part
     */
    record Figures(
            Measurements measurements,
            String format,
            long bytes,
            @Nullable ReadException truncation,
            @Nullable FoundMessages messages,
            List<Clue> clues,
            List<Long> unread)
            implements Content {
        /** Figures that are not from a text. */
        public Figures(Measurements measurements, String format, long bytes, @Nullable ReadException truncation) {
            this(measurements, format, bytes, truncation, null, List.of(), List.of());
        }

        /** Returns whether it says anything about memory. */
        public boolean isEvidence() {
            return !measurements.isEmpty()
                    || (messages != null && messages.count() > 0)
                    || clues.stream().anyMatch(Clue::isAboutMemory);
        }
    }

    /**
     * Samples of processes that a watch recorded.
     *
     * @param samples in the order of the file
     * @param bytes its size after decompression
     * @param unread lines that were none, such as one that was cut off
     */
    record Samples(List<ProcessSample> samples, long bytes, long unread) implements Content {}

    /**
     * Looks at the host's memory of a process.
     *
     * @param looks in the order of the file
     * @param levels figures between looks
     * @param bytes its size after decompression
     */
    record Looks(List<HostLook> looks, List<HostLevel> levels, long bytes) implements Content {}

    /** A report that Leakline wrote: the result that it was made of. */
    record Report(AnalysisResult result) implements Content {}

    /** Leakline's own summary of a job's processes, by which they are compared. */
    record Summary(JobSummary summary) implements Content {}
}
