package dev.leakline.profile;

import dev.leakline.columns.Measurements;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.ProfiledCall;
import dev.leakline.functions.FunctionAnalysis;
import dev.leakline.functions.FunctionAnalysis.Outcome;
import dev.leakline.functions.Threshold;
import dev.leakline.functions.gpumemprof.RuleChoice;
import dev.leakline.result.Finding;
import dev.leakline.result.FunctionReport;
import dev.leakline.result.FunctionReport.RuleSet;
import java.util.List;
import java.util.Map;

/** Looks for patterns in the calls of profiled functions: leaks, fragmentation, spikes and what else wastes memory or time. */
public final class MemoryAnalyzer {
    private final FunctionAnalysis analysis;

    /** An analyzer by the rules of this project. */
    public MemoryAnalyzer() {
        this(RuleSet.LEAKLINE, Map.of());
    }

    /**
     * An analyzer by a set of rules; throws {@link IllegalArgumentException} for a threshold that there is not, or a number that makes no
     * sense.
     *
     * @param thresholds numbers to go by instead of the rules' own, by name, such as {@code memory_leak_ratio}; see {@link Threshold}
     */
    public MemoryAnalyzer(RuleSet rules, Map<String, Double> thresholds) {
        analysis = RuleChoice.of(rules, thresholds);
    }

    /** The optimization report on calls of one process: a single profile. */
    public FunctionReport analyze(List<ProfiledCall> calls) {
        return analyze(calls, List.of());
    }

    /**
     * Analyses calls together with what a tracker of the process measured meanwhile, of which gpumemprof's rules use the device's memory.
     */
    public FunctionReport analyze(List<ProfiledCall> calls, List<MemorySeries> telemetry) {
        return analysis.report(List.of(examine(calls, telemetry)));
    }

    /** The findings in the calls of one process, the most serious first. */
    public List<Finding> findings(List<ProfiledCall> calls) {
        return examine(calls, List.of()).opinion().findings();
    }

    private Outcome examine(List<ProfiledCall> calls, List<MemorySeries> telemetry) {
        return analysis.examine(0, new Measurements(calls, telemetry, List.of()), 0);
    }
}
