package dev.leakline.result;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processes of a job, each in so few figures that those of a thousand fit into one comparison. Summaries can be merged in any
 * order and nesting, with the same result to the byte: it is the sorted union of their processes.
 *
 * @param schema {@link #SCHEMA}
 * @param tool what summarized them
 * @param processes the recordings, in the order of their paths
 * @param unreadable files that could not be read, or not to their end, in the order of their paths
 */
public record JobSummary(String schema, Tool tool, List<ProcessSummary> processes, List<UnreadableFile> unreadable) {
    /** The schema of this as JSON. */
    public static final String SCHEMA = "leakline.summary/1";

    /** Two files of one path are of two machines, and kept both; all that they hold decides which comes first. */
    private static final Comparator<ProcessSummary> ORDER =
            Comparator.comparing(ProcessSummary::path).thenComparing(ProcessSummary::toString);

    private static final Comparator<UnreadableFile> UNREADABLE_ORDER =
            Comparator.comparing(UnreadableFile::path).thenComparing(UnreadableFile::reason);

    /**
     * A file that nothing could be told from.
     *
     * @param path its path, with slashes
     * @param reason why not
     */
    public record UnreadableFile(String path, String reason) {}

    /** A summary of processes in any order, each of which may be there several times. */
    public static JobSummary of(String toolVersion, List<ProcessSummary> processes, List<UnreadableFile> unreadable) {
        return new JobSummary(
                SCHEMA,
                Tool.leakline(toolVersion),
                processes.stream().distinct().sorted(ORDER).toList(),
                unreadable.stream().distinct().sorted(UNREADABLE_ORDER).toList());
    }

    /** The summary of all that is in either. */
    public JobSummary merged(JobSummary other) {
        return of(
                tool.version(),
                Stream.concat(processes.stream(), other.processes.stream()).toList(),
                Stream.concat(unreadable.stream(), other.unreadable.stream()).toList());
    }
}
