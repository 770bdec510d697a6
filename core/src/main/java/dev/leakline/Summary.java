package dev.leakline;

import dev.leakline.result.JobSummary;

/** A summary of a job's processes that was read, to be compared with others ({@link Ranks}). */
public record Summary(JobSummary job) implements Input {}
