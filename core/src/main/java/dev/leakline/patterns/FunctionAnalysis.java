package dev.leakline.patterns;

import dev.leakline.columns.Measurements;
import dev.leakline.columns.ProfiledCall;
import dev.leakline.result.FunctionReport.FunctionUse;
import dev.leakline.result.FunctionReport.Gap;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.MemoryPattern;
import dev.leakline.result.FunctionReport.Profile;
import dev.leakline.result.FunctionReport.RuleSet;
import dev.leakline.result.FunctionReport.Summary;
import java.util.ArrayList;
import java.util.List;

/** Judges the calls of profiled functions by a set of rules. */
public final class FunctionAnalysis {
    private final Rules rules;

    /** An analysis by rules that go by thresholds. */
    public FunctionAnalysis(RuleSet set, Thresholds thresholds) {
        this.rules = new GpumemprofRules(thresholds);
    }

    /** What the figures of an input say of functions; {@code input} is its index. */
    public Profile profile(int input, Measurements measurements) {
        Profiled profiled = Profiled.of(measurements.calls());
        List<MemoryPattern> patterns = rules.patterns(profiled);
        List<Insight> insights = rules.insights(profiled, patterns);
        List<Gap> gaps = new ArrayList<>();
        GapSeries.of(measurements.series()).forEach(samples -> gaps.addAll(rules.gaps(samples)));
        return new Profile(
                input,
                summary(profiled),
                uses(profiled),
                patterns,
                insights,
                Recommendations.of(patterns, insights),
                rules.score(profiled, patterns, insights),
                gaps);
    }

    private static Summary summary(Profiled profiled) {
        List<ProfiledCall> calls = profiled.calls();
        return new Summary(
                profiled.functions().size(),
                calls.size(),
                calls.stream().mapToLong(ProfiledCall::allocated).sum(),
                calls.stream().mapToDouble(ProfiledCall::seconds).sum(),
                calls.isEmpty() ? Double.NaN : calls.getLast().after().time());
    }

    private static List<FunctionUse> uses(Profiled profiled) {
        List<FunctionUse> uses = new ArrayList<>();
        profiled.functions()
                .forEach((function, calls) -> uses.add(new FunctionUse(
                        function,
                        calls.size(),
                        calls.stream().mapToDouble(ProfiledCall::seconds).sum(),
                        calls.stream().mapToLong(ProfiledCall::allocated).sum(),
                        calls.stream().mapToLong(ProfiledCall::freed).sum(),
                        calls.stream()
                                .mapToLong(call -> call.peak().allocated())
                                .max()
                                .orElse(0),
                        calls.stream()
                                .mapToLong(FunctionAnalysis::transientBytes)
                                .max()
                                .orElse(0))));
        return uses;
    }

    private static long transientBytes(ProfiledCall call) {
        long ends = Math.max(call.before().allocated(), call.after().allocated());
        return Math.max(call.peak().allocated() - ends, 0);
    }
}
