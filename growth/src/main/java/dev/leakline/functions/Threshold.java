package dev.leakline.functions;

import dev.leakline.result.FunctionReport.RuleSet;
import java.util.Locale;

/**
 * A number that the rules go by and that users may set. Names and meanings are those of gpumemprof's {@code MemoryAnalyzer.thresholds}; so are
 * its defaults for its own rules. Where this project's rules mean something else by a name, that is said.
 */
public enum Threshold {
    /** The part of the calls that must grow to make a leak; with our rules of the rounds, where seldom is no excuse. */
    MEMORY_LEAK_RATIO(0.1, 0, 1),
    /** The part of reserved memory that is unused; with our rules of no use, since in pieces, in blocks that are partly in use. */
    FRAGMENTATION_RATIO(0.3, 0.3, 1),
    /** The memory that a call takes at its peak, as a part of what it keeps; with our rules the inverse. */
    INEFFICIENT_ALLOCATION_RATIO(0.5, 0.5, 1),
    /** Functions whose mean time is above this quantile of all functions' are slow. */
    SLOW_FUNCTION_PERCENTILE(0.9, 0.9, 1),
    /** Functions above this quantile of all are memory-intensive. */
    HIGH_MEMORY_PERCENTILE(0.9, 0.9, 1),
    /** Calls of a function below which nothing is said of it. */
    MIN_CALLS_FOR_ANALYSIS(3, 3, 1_000_000),
    /** The part of the device that a gap must reach to be looked at. */
    GAP_RATIO_THRESHOLD(0.05, 0.05, 1),
    /** Standard deviations above the mean that make a gap a spike. */
    GAP_SPIKE_ZSCORE(2, 2, 1_000),
    /** How much of a gap's variance a straight line must explain. */
    GAP_DRIFT_R_SQUARED(0.6, 0.6, 1),
    /** The part of reserved memory that is unused, on average, while there is a gap. */
    GAP_FRAGMENTATION_RATIO(0.3, 0.3, 1);

    private final double classic;
    private final double own;
    private final double most;

    Threshold(double classic, double own, double most) {
        this.classic = classic;
        this.own = own;
        this.most = most;
    }

    /** The name that users set it by. */
    public String userName() {
        return name().toLowerCase(Locale.ROOT);
    }

    double standard(RuleSet rules) {
        return rules == RuleSet.GPUMEMPROF ? classic : own;
    }

    /** The greatest value that makes sense; the least is 0. */
    double most() {
        return most;
    }
}
