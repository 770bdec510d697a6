package dev.leakline.functions;

import dev.leakline.columns.Measurements;
import dev.leakline.columns.ProfiledCall;
import dev.leakline.finding.Opinion;
import dev.leakline.finding.Order;
import dev.leakline.functions.Rules.Judged;
import dev.leakline.result.AnalysisResult.Source;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport;
import dev.leakline.result.FunctionReport.FunctionUse;
import dev.leakline.result.FunctionReport.Gap;
import dev.leakline.result.FunctionReport.Impact;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.MemoryPattern;
import dev.leakline.result.FunctionReport.Profile;
import dev.leakline.result.FunctionReport.Recommendation;
import dev.leakline.result.FunctionReport.RuleSet;
import dev.leakline.result.FunctionReport.Summary;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Judges the calls of profiled functions by a set of rules. */
public final class FunctionAnalysis {
    /** The customary length of a good profile. */
    private static final String ENOUGH = "profile at least 8 rounds of the loop, ideally 50";

    /** The analysis by the rules of this project with their default thresholds. */
    public static final FunctionAnalysis STANDARD =
            new FunctionAnalysis(RuleSet.LEAKLINE, Map.of(), LeaklineRules::new);

    private final RuleSet set;
    private final ThresholdSet thresholds;
    private final Rules rules;

    /**
     * The result for the functions of an input.
     *
     * @param profile what was found
     * @param opinion what follows from it
     */
    public record Outcome(Profile profile, Opinion opinion) {
        /** Returns whether the input has neither calls nor anything to say of trackers. */
        public boolean isEmpty() {
            return profile.summary().calls() == 0 && profile.gapAnalysis().isEmpty();
        }
    }

    /**
     * An analysis by a set of rules; throws {@link IllegalArgumentException} for a threshold that there is not, or a number that makes no
     * sense.
     *
     * @param given numbers that the rules go by instead of their own, by the names of {@link Threshold}
     */
    public FunctionAnalysis(RuleSet set, Map<String, Double> given, Function<ThresholdSet, Rules> rules) {
        this.set = set;
        this.thresholds = ThresholdSet.of(set, given);
        this.rules = rules.apply(thresholds);
    }

    /** Makes the report of outcomes. */
    public FunctionReport report(List<Outcome> outcomes) {
        return new FunctionReport(
                set,
                thresholds.byName(),
                outcomes.stream().map(Outcome::profile).toList());
    }

    /**
     * Judges what an input has of calls and of trackers.
     *
     * @param input its index
     * @param deviceBytes the memory of each device, 0 where nobody said
     */
    public Outcome examine(int input, Measurements measurements, long deviceBytes) {
        Profiled profiled = Profiled.of(measurements.calls());
        List<Gap> gaps = new ArrayList<>();
        GapSeries.of(measurements.series()).forEach(samples -> gaps.addAll(rules.gaps(samples)));
        return outcome(input, profiled, gaps, deviceBytes);
    }

    private Outcome outcome(int input, Profiled profiled, List<Gap> gaps, long deviceBytes) {
        Judged judged = rules.judge(profiled);
        List<Finding> findings = Order.of(
                judged.found().stream()
                        .map(found -> new FunctionFinding(input, found, set, deviceBytes).build())
                        .filter(Objects::nonNull)
                        .toList(),
                List.of());
        Verdict verdict = verdict(judged, findings);
        return new Outcome(
                profile(input, profiled, judged, gaps),
                new Opinion(
                        Source.FUNCTIONS,
                        verdict,
                        reason(verdict, judged, findings),
                        findings,
                        judged.acquittals(),
                        List.of(check(judged, profiled))));
    }

    private static Profile profile(int input, Profiled profiled, Judged judged, List<Gap> gaps) {
        List<MemoryPattern> patterns =
                judged.found().stream().map(FoundPattern::pattern).toList();
        return new Profile(
                input,
                FunctionUses.summary(profiled),
                FunctionUses.of(profiled),
                patterns,
                judged.insights(),
                Recommendations.of(patterns, judged.insights()),
                judged.score(),
                gaps);
    }

    private static Verdict verdict(Judged judged, List<Finding> findings) {
        Verdict found = Order.verdict(findings);
        return found != null ? found : judged.calls() > 0 && !judged.isOpen() ? Verdict.NO_LEAK : Verdict.UNDETERMINED;
    }

    private static String reason(Verdict verdict, Judged judged, List<Finding> findings) {
        return switch (verdict) {
            case NO_LEAK ->
                judged.acquittals().isEmpty()
                        ? "every round of calls frees what it allocates"
                        : "nothing grows from round to round: "
                                + judged.acquittals().getFirst().text();
            case UNDETERMINED ->
                judged.isOpen()
                        ? "what rounds of calls begin with varies too much to tell whether it grows: profile more rounds"
                        : "the profile has too few rounds of calls to distinguish growth from normal use: " + ENOUGH;
            default -> headline(findings.getFirst());
        };
    }

    private static String headline(Finding leak) {
        return leak.growth() == null
                ? leak.title()
                : "memory grows by " + ByteSize.format(leak.bytesPerStep()) + " per round of calls: " + leak.title();
    }

    private static Check check(Judged judged, Profiled profiled) {
        boolean isJudged = judged.calls() > 0;
        return new Check(
                "functions",
                isJudged,
                isJudged
                        ? "looked at " + Numbers.counted(profiled.calls().size(), "call")
                        : "needs more calls than " + profiled.calls().size() + ": " + ENOUGH);
    }

    /** The memory that functions used and kept, without judgement. */
    private static final class FunctionUses {
        private FunctionUses() {}

        /** All calls together. */
        static Summary summary(Profiled profiled) {
            List<ProfiledCall> calls = profiled.calls();
            return new Summary(
                    profiled.functions().size(),
                    calls.size(),
                    calls.stream().mapToLong(ProfiledCall::allocated).sum(),
                    calls.stream().mapToDouble(ProfiledCall::seconds).sum(),
                    calls.isEmpty() ? Double.NaN : calls.getLast().after().time());
        }

        /** Each function, in the order of their first calls. */
        static List<FunctionUse> of(Profiled profiled) {
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
                            calls.stream().mapToLong(Peaks::ownOf).max().orElse(0))));
            return uses;
        }
    }

    /** The recommendations for all patterns and insights, the most urgent first. */
    private static final class Recommendations {
        /** Nobody does more at once. */
        private static final int MOST = 10;

        private Recommendations() {}

        static List<Recommendation> of(List<MemoryPattern> patterns, List<Insight> insights) {
            List<Recommendation> all = new ArrayList<>();
            patterns(patterns, Severity.CRITICAL, Impact.HIGH, all);
            insights.stream()
                    .filter(insight -> insight.impact() == Impact.HIGH)
                    .forEach(insight -> all.add(new Recommendation(
                            Impact.HIGH, name(insight.category()), insight.description(), insight.recommendations())));
            patterns(patterns, Severity.WARNING, Impact.MEDIUM, all);
            return List.copyOf(all.subList(0, Math.min(all.size(), MOST)));
        }

        private static void patterns(
                List<MemoryPattern> patterns, Severity severity, Impact priority, List<Recommendation> all) {
            patterns.stream()
                    .filter(pattern -> pattern.severity() == severity)
                    .forEach(pattern -> all.add(new Recommendation(
                            priority, name(pattern.kind()), pattern.description(), pattern.suggestions())));
        }

        private static String name(Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
    }
}
