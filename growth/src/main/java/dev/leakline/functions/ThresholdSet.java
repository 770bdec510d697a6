package dev.leakline.functions;

import dev.leakline.result.FunctionReport.RuleSet;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The numbers that a set of rules goes by. */
public final class ThresholdSet {
    private final EnumMap<Threshold, Double> values = new EnumMap<>(Threshold.class);

    private ThresholdSet(RuleSet rules) {
        for (Threshold threshold : Threshold.values()) {
            values.put(threshold, threshold.standard(rules));
        }
    }

    /**
     * The standard values of a set of rules, but for those given by their names; throws {@link IllegalArgumentException} where a name
     * is none, or a value makes no sense.
     */
    static ThresholdSet of(RuleSet rules, Map<String, Double> given) {
        ThresholdSet thresholds = new ThresholdSet(rules);
        given.forEach((name, value) -> thresholds.values.put(named(name), checked(name, value)));
        return thresholds;
    }

    private static Threshold named(String name) {
        return Arrays.stream(Threshold.values())
                .filter(threshold -> threshold.userName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is not a threshold; expected one of "
                        + Arrays.stream(Threshold.values())
                                .map(Threshold::userName)
                                .collect(Collectors.joining(", "))));
    }

    private static double checked(String name, double value) {
        double most = named(name).most();
        if (!(value >= 0 && value <= most)) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; expected a number from 0 to " + (most == 1 ? "1" : (long) most));
        }
        return value;
    }

    public double value(Threshold threshold) {
        return values.getOrDefault(threshold, 0.0);
    }

    public int fewestCalls() {
        return (int) Math.ceil(value(Threshold.MIN_CALLS_FOR_ANALYSIS));
    }

    /** All values by their names. */
    Map<String, Double> byName() {
        Map<String, Double> named = new LinkedHashMap<>();
        values.forEach((threshold, value) -> named.put(threshold.userName(), value));
        return named;
    }
}
