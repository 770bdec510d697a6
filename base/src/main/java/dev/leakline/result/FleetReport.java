package dev.leakline.result;

import dev.leakline.result.JobSummary.UnreadableFile;
import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a fleet's tables to a question. Lists that the question is not about are empty. Times are in Unix microseconds.
 *
 * @param schema {@link #SCHEMA}
 * @param tool what answered
 * @param tables the folder of the tables
 * @param question what was asked
 * @param since the date or the version that the question names, null where it names none
 * @param size what the tables hold
 * @param leaks what grows, each bug once, the worst first
 * @param groups files that have something in common, those with most leaks first
 * @param outliers processes that differ from those of their job that they should equal
 * @param unreadable files that could not be read, or not to their end, in the order of their paths
 */
public record FleetReport(
        String schema,
        Tool tool,
        String tables,
        Question question,
        @Nullable String since,
        Size size,
        List<Leak> leaks,
        List<Group> groups,
        List<Outlier> outliers,
        List<UnreadableFile> unreadable) {
    /** The schema of this as JSON. */
    public static final String SCHEMA = "leakline.fleet/1";

    /** Questions that may be asked. */
    public enum Question {
        /** The sizes of the tables. */
        SIZE,
        /** Leaks, by hours of jobs that they cost, the most first. */
        LEAKS,
        /** Leaks, the fastest first. */
        RATES,
        /** Leaks first seen since a date. */
        NEW,
        /** Leaks that began or became faster with a version. */
        REGRESSED,
        /** The machines. */
        HOSTS,
        /** The versions of the program, or of PyTorch where nobody names the program's. */
        VERSIONS,
        /** The teams. */
        TEAMS,
        /** Processes that differ from those of their job. */
        OUTLIERS,
        /** Files that could not be read. */
        UNREADABLE
    }

    /**
     * The content of tables.
     *
     * @param files all files that were looked at
     * @param recordings of them, those that were analysed, though perhaps not to their end
     * @param unreadable those that hold a recording, or were meant to, and could not be read, or not to their end
     * @param jobs folders with recordings of one job
     * @param bytes of all files
     * @param added files that this run has added
     */
    public record Size(long files, long recordings, long unreadable, long jobs, long bytes, long added) {}

    /**
     * A bug that makes memory grow, in all files in which it was found.
     *
     * @param id its fingerprint, as reports print it
     * @param kind what is wrong
     * @param title in a few words
     * @param site the line in the file that is named here
     * @param files in how many files
     * @param jobs in how many jobs
     * @param hosts on how many machines, as far as paths name them
     * @param versions of which versions, in order
     * @param jobMicros how long these jobs were recorded, each by its longest recording
     * @param bytesPerStep the fastest growth by steps, NaN where nobody knows
     * @param bytesPerSecond the fastest growth in time, NaN where nobody knows
     * @param bytesPerStepBefore the fastest growth before the version that the question names, NaN where it was not seen there
     * @param bytes the most that it held
     * @param firstSeenUs when the first of the recordings ended
     * @param lastSeenUs when the last of them ended
     * @param path the file in which it held most
     */
    public record Leak(
            String id,
            Finding.Kind kind,
            String title,
            Site site,
            long files,
            long jobs,
            long hosts,
            List<String> versions,
            long jobMicros,
            double bytesPerStep,
            double bytesPerSecond,
            double bytesPerStepBefore,
            long bytes,
            @Json.Serializer(UnknownIfZero.class) long firstSeenUs,
            @Json.Serializer(UnknownIfZero.class) long lastSeenUs,
            String path) {}

    /**
     * Files that have something in common.
     *
     * @param name what that is, null where paths and recordings do not tell
     * @param files how many
     * @param jobs of how many jobs
     * @param unreadable those that could not be read, or not to their end
     * @param leaking those whose verdict is a leak or a reference cycle
     * @param outOfMemory those in which memory ran out
     * @param middlePeak the middle one of their peaks
     * @param largestPeak the largest of their peaks
     */
    public record Group(
            @Nullable String name,
            long files,
            long jobs,
            long unreadable,
            long leaking,
            long outOfMemory,
            long middlePeak,
            long largestPeak) {}

    /** A process that differs from those of its job: its rank and its file in the job's folder, and what {@code leakline ranks} says of it. */
    public record Outlier(String job, int rank, String file, String sentence) {}
}
