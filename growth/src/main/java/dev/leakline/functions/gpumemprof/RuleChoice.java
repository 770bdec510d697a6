package dev.leakline.functions.gpumemprof;

import dev.leakline.functions.FunctionAnalysis;
import dev.leakline.functions.LeaklineRules;
import dev.leakline.result.FunctionReport.RuleSet;
import java.util.Map;

/** The rules that a user asks for by name. */
public final class RuleChoice {
    private RuleChoice() {}

    /**
     * An analysis by a set of rules; throws {@link IllegalArgumentException} for a threshold that there is not, or a number that makes no sense.
     *
     * @param given numbers that the rules go by instead of their own, by the names of {@link dev.leakline.functions.Threshold}
     */
    public static FunctionAnalysis of(RuleSet set, Map<String, Double> given) {
        return switch (set) {
            case LEAKLINE -> new FunctionAnalysis(set, given, LeaklineRules::new);
            case GPUMEMPROF -> new FunctionAnalysis(set, given, GpumemprofRules::new);
        };
    }
}
