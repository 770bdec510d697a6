package dev.leakline.functions;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.result.Acquittal;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport.Gap;
import dev.leakline.result.FunctionReport.Impact;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.MemoryPattern;
import dev.leakline.result.FunctionReport.Score;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rules of this project. Calls are judged device by device, each pattern function by function, and only what matters is named; so a
 * healthy loop is clean.
 *
 * <p>A score is lost by kinds of trouble: one that many functions show costs no more than its worst. Growth that a leak explains is no
 * trend besides, and what cannot be judged has no score. Device memory that the allocator does not explain is judged with all other
 * figures over time, not here.
 */
public final class LeaklineRules implements Rules {
    private static final int BEST = 100;

    private final ThresholdSet thresholds;
    private final TimeInsights times;
    private final MemoryInsights memory;

    public LeaklineRules(ThresholdSet thresholds) {
        this.thresholds = thresholds;
        this.times = new TimeInsights(thresholds);
        this.memory = new MemoryInsights(thresholds);
    }

    @Override
    public Judged judge(Profiled profiled) {
        List<FoundPattern> found = new ArrayList<>();
        List<Insight> seen = new ArrayList<>(times.find(profiled));
        List<Acquittal> acquittals = new ArrayList<>();
        int rounds = 0;
        for (Map.Entry<Integer, Profiled> device : devices(profiled).entrySet()) {
            DeviceRules rules = new DeviceRules(device.getKey(), device.getValue(), thresholds);
            found.addAll(rules.found());
            seen.addAll(rules.insights(memory));
            acquittals.addAll(rules.acquittals());
            rounds = Math.max(rounds, rules.rounds());
        }
        found.sort(Comparator.comparing(one -> one.pattern().kind()));
        return new Judged(found, seen, score(profiled, found, seen), acquittals, rounds);
    }

    private static Map<Integer, Profiled> devices(Profiled profiled) {
        Map<Integer, List<ProfiledCall>> calls = new TreeMap<>();
        for (ProfiledCall call : profiled.calls()) {
            calls.computeIfAbsent(call.after().device(), _ -> new ArrayList<>()).add(call);
        }
        Map<Integer, Profiled> devices = new TreeMap<>();
        calls.forEach((device, own) -> devices.put(device, Profiled.of(CallTimeline.inOrder(own))));
        return devices;
    }

    @Override
    public List<Gap> gaps(List<GapSample> samples) {
        return List.of();
    }

    private Score score(Profiled profiled, List<FoundPattern> found, List<Insight> seen) {
        if (profiled.calledAtLeast(Math.max(thresholds.fewestCalls(), 1)).isEmpty()) {
            return Grades.none();
        }
        Map<MemoryPattern.Kind, Integer> patterns = new EnumMap<>(MemoryPattern.Kind.class);
        found.forEach(
                one -> patterns.merge(one.pattern().kind(), cost(one.pattern().severity()), Math::max));
        Map<String, Integer> titles = new HashMap<>();
        seen.forEach(insight -> titles.merge(insight.title(), cost(insight.impact()), Math::max));
        int lost = sum(patterns) + sum(titles);
        return Grades.score(Math.max(BEST - lost, 0), found.size() + seen.size());
    }

    private static int sum(Map<?, Integer> costs) {
        return costs.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** What ends the job is worth a grade of F, alone; what somebody should look at, a C. */
    private static int cost(Severity severity) {
        return switch (severity) {
            case CRITICAL -> 45;
            case WARNING -> 25;
            case INFO -> 5;
        };
    }

    private static int cost(Impact impact) {
        return switch (impact) {
            case HIGH -> 15;
            case MEDIUM -> 8;
            case LOW -> 2;
        };
    }
}
