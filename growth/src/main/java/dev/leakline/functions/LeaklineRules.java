package dev.leakline.functions;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.functions.Balance.Kept;
import dev.leakline.functions.LeakFinder.Leak;
import dev.leakline.functions.Rules.GapSample;
import dev.leakline.functions.Rules.Grades;
import dev.leakline.result.Acquittal;
import dev.leakline.result.Acquittal.Reason;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.FunctionReport.Gap;
import dev.leakline.result.FunctionReport.Impact;
import dev.leakline.result.FunctionReport.Insight;
import dev.leakline.result.FunctionReport.MemoryPattern;
import dev.leakline.result.FunctionReport.MemoryPattern.Kind;
import dev.leakline.result.FunctionReport.Score;
import dev.leakline.statistics.Ratchet;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
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
        boolean isOpen = false;
        for (Map.Entry<Integer, Profiled> device : devices(profiled).entrySet()) {
            DeviceRules rules = new DeviceRules(device.getKey(), device.getValue(), thresholds);
            found.addAll(rules.found());
            seen.addAll(rules.insights(memory));
            acquittals.addAll(rules.acquittals());
            rounds = Math.max(rounds, rules.rounds());
            isOpen |= rules.isOpen();
        }
        found.sort(Comparator.comparing(one -> one.pattern().kind()));
        return new Judged(found, seen, score(profiled, found, seen), acquittals, rounds, isOpen);
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

    /** Points off the score: a critical pattern alone costs a grade of F, a warning a C. */
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

    /** Judges the calls on one device by the rules of this project. */
    private static final class DeviceRules {
        private final int device;
        private final Profiled profiled;
        private final ThresholdSet thresholds;
        private final CallTimeline timeline;
        private final LeakFinder leaks;
        private final Peaks peaks;

        /** Judges calls in the order of time. */
        DeviceRules(int device, Profiled profiled, ThresholdSet thresholds) {
            this.device = device;
            this.profiled = profiled;
            this.thresholds = thresholds;
            this.timeline = new CallTimeline(profiled.calls());
            this.leaks = new LeakFinder(timeline, thresholds);
            this.peaks = new Peaks(profiled.functions());
        }

        /** The memory patterns found. */
        List<FoundPattern> found() {
            List<FoundPattern> found = new ArrayList<>();
            leaks.leaks().forEach(leak -> found.add(LeakPattern.of(device, leak, profiled)));
            FragmentationRule.find(device, profiled.calls(), thresholds, found);
            profiled.functions().forEach((function, calls) -> {
                WasteRule.find(device, function, calls, peaks.highest(), thresholds, found);
                SpikeRule.find(device, function, calls, peaks, found);
                RepetitionRule.find(device, function, calls, found);
            });
            return found;
        }

        /** Other insights about the device. */
        List<Insight> insights(MemoryInsights rules) {
            List<Insight> insights = new ArrayList<>();
            rules.intensive(profiled.functions(), peaks, insights);
            return insights;
        }

        /** Growth that is not a leak, with its reasons. */
        List<Acquittal> acquittals() {
            return new FunctionAcquittals(timeline, leaks).list();
        }

        /** Returns whether growth may hide in what the rounds of a loop differ by. */
        boolean isOpen() {
            return leaks.leaks().isEmpty() && leaks.isOpen();
        }

        /** How many rounds growth was judged by. */
        int rounds() {
            return leaks.judged();
        }
    }

    /** Makes the pattern of a leak. */
    private static final class LeakPattern {
        /** A gibibyte lost while somebody profiled will end a job that runs for long; as gpumemprof has it. */
        private static final long SERIOUS = ByteSize.GIB;

        private LeakPattern() {}

        static FoundPattern of(int device, Leak leak, Profiled profiled) {
            String function = leak.part().function();
            int calls = profiled.functions().getOrDefault(function, List.of()).size();
            List<Suggestion> suggestions =
                    leak.part().isBetween() ? Suggestion.leakBetween(function) : Suggestion.leak(function);
            Map<String, Object> metrics = NamedFigures.of(
                    "total_memory_growth",
                    leak.bytes(),
                    "average_growth_per_call",
                    (double) leak.bytes() / Math.max(calls, 1),
                    "positive_growth_ratio",
                    (double) leak.rises() / leak.rounds(),
                    "call_count",
                    (long) calls,
                    "growth_per_round",
                    leak.perRound(),
                    "rounds",
                    (long) leak.rounds(),
                    "is_between_calls",
                    leak.part().isBetween());
            MemoryPattern pattern = new MemoryPattern(
                    Kind.MEMORY_LEAK,
                    text(leak),
                    leak.bytes() >= SERIOUS ? Severity.CRITICAL : Severity.WARNING,
                    List.of(function),
                    metrics,
                    Suggestion.texts(suggestions));
            return new FoundPattern(pattern, suggestions, device, leak.bytes(), leak);
        }

        private static String text(Leak leak) {
            String function = FunctionNames.quoted(leak.part().function());
            String rate =
                    ByteSize.format(leak.perRound()) + " per round, " + ByteSize.format(leak.bytes()) + " in total";
            if (leak.part().isBetween()) {
                return "memory grows after calls of " + function + ": " + rate;
            }
            return leak.giver() == null
                    ? function + " keeps " + rate
                    : function + " allocates more than "
                            + FunctionNames.quoted(leak.giver().function()) + " frees: " + rate;
        }
    }

    /**
     * Finds growth in the calls on a device that is not a leak: memory that others free, that is built up once, or that grew only at first.
     */
    private static final class FunctionAcquittals {
        /** Functions that are named; those that take most say it all. */
        private static final int NAMED = 3;
        /** The part of what another took that a function must give back; the rest is a first call. */
        private static final double GIVEN_BACK = 0.9;
        /** Smaller growth nobody takes for a leak. */
        private static final long LEAST = ByteSize.MIB;

        private final CallTimeline timeline;
        private final LeakFinder leaks;

        FunctionAcquittals(CallTimeline timeline, LeakFinder leaks) {
            this.timeline = timeline;
            this.leaks = leaks;
        }

        List<Acquittal> list() {
            List<Acquittal> acquittals = new ArrayList<>();
            Balance.of(timeline.moved(0, timeline.size() - 1)).stream()
                    .filter(this::isGivenBack)
                    .limit(NAMED)
                    .forEach(kept -> acquittals.add(givenBack(kept)));
            leaks.buildUps().stream().limit(NAMED).forEach(rounds -> acquittals.add(builtUp(rounds)));
            Rounds longest = leaks.longest();
            if (longest != null && leaks.leaks().isEmpty()) {
                add(longest, acquittals);
            }
            return acquittals;
        }

        private boolean isGivenBack(Kept kept) {
            return leaks.leaks().stream().noneMatch(leak -> leak.part().equals(kept.part()))
                    && kept.giver() != null
                    && !kept.giver().equals(kept.part())
                    && kept.taken() >= LEAST
                    && kept.taken() - kept.kept() >= GIVEN_BACK * kept.taken();
        }

        private static Acquittal givenBack(Kept kept) {
            String giver = kept.giver() == null ? "" : kept.giver().name();
            String text = kept.part().name() + " allocates " + ByteSize.format(kept.taken()) + " in all, and " + giver
                    + " frees it";
            return Acquittal.at(kept.part().site(), Reason.PERIODIC, text, kept.taken());
        }

        private static Acquittal builtUp(Rounds rounds) {
            long[] floor = rounds.floor();
            long bytes = floor[floor.length - 1] - floor[0];
            String text = FunctionNames.quoted(rounds.function()) + " is called "
                    + Numbers.counted(rounds.count(), "time") + " in a row and only builds up memory: "
                    + ByteSize.format(bytes)
                    + " are kept, then other functions run";
            return Acquittal.at(
                    new CallTimeline.Part(rounds.function(), false).site(), Reason.MODEL_STATE, text, bytes);
        }

        /** Adds the reason why the longest loop does not leak. */
        private static void add(Rounds rounds, List<Acquittal> acquittals) {
            long[] floor = rounds.floor();
            Ratchet test = new Ratchet(floor);
            long bytes = floor[Math.min(test.lastStep(), floor.length - 1)] - floor[0];
            boolean isEarly = test.lastStep() <= floor.length / 2;
            if (bytes < LEAST || test.clicks().isEmpty() || !isEarly) {
                return;
            }
            CallTimeline.Part part = new CallTimeline.Part(rounds.function(), false);
            String text = "kept memory grew by " + ByteSize.format(bytes) + " in the first "
                    + Numbers.counted(test.lastStep(), "round") + " of " + part.name() + " and not after that";
            acquittals.add(Acquittal.at(part.site(), Reason.WARM_UP, text, bytes));
        }
    }
}
