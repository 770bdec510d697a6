package dev.leakline;

import dev.leakline.ranks.JobComparer;
import dev.leakline.ranks.RankNames;
import dev.leakline.ranks.Summarizer;
import dev.leakline.read.Formats;
import dev.leakline.result.JobComparison;
import dev.leakline.result.JobSummary;
import dev.leakline.result.JobSummary.UnreadableFile;
import dev.leakline.result.ProcessSummary;
import dev.leakline.source.ReadLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares the ranks of a job: each recording becomes a summary, any number of summaries an answer. */
public final class Ranks {
    private Ranks() {}

    /** Returns whether a file seems to hold something of a rank, by its first bytes alone, never by its name. */
    public static boolean isOfRank(Path path) throws IOException {
        return new Formats(ReadLimits.DEFAULT, _ -> {}).isOfRank(path);
    }

    /** The folder of the job that a recording is of, by its path with slashes: that above the folders of ranks, machines and iterations. */
    public static String jobFolder(String path) {
        return RankNames.jobFolder(path);
    }

    /** The machine that a path names, such as {@code node3}; null where it names none. */
    public static @Nullable String host(String path) {
        return RankNames.host(path);
    }

    /** The summary of a recording; {@code path} is what it is told apart by, with slashes. */
    public static ProcessSummary summarize(Snapshot snapshot, String path) {
        return Summarizer.of(path, snapshot.describe().torch(), snapshot.columns());
    }

    /** The summary of a job, of processes in any order. */
    public static JobSummary job(List<ProcessSummary> processes, List<UnreadableFile> unreadable) {
        return JobSummary.of(Analysis.version(), processes, unreadable);
    }

    /** Compares the processes of a job; {@code deviceBytes} is the memory of each device, 0 where only the recordings may tell. */
    public static JobComparison compare(JobSummary job, long deviceBytes) {
        return JobComparer.compare(job, deviceBytes);
    }
}
