package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.finding.GrowthSeverity;
import dev.leakline.floor.GrowthGroups;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.join.DumpMatch;
import dev.leakline.known.Diagnosis;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Growth;
import dev.leakline.result.Growth.FloorPoint;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Slope;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the lines whose memory grows, step after step. */
public final class LeakDetector implements Detector {
    /** The name of its check. */
    public static final String NAME = "leak";

    private final @Nullable DumpMatch match;

    /** A detector that knows nothing but the recording. */
    public LeakDetector() {
        this(null);
    }

    /** A detector that tells leaks apart by their holders; {@code match} is null where no dump is of the same process. */
    public LeakDetector(@Nullable DumpMatch match) {
        this.match = match != null && match.fits() ? match : null;
    }

    @Override
    public Examination examine(Evidence evidence) {
        int steps = evidence.steps().count();
        if (!evidence.canJudgeGrowth()) {
            Examination none = Examination.notApplicable(NAME, evidence.needsSteps(Thresholds.FEWEST_STEPS));
            return FinalGrowth.of(evidence, none.check()).orElse(none);
        }
        GrowthGroups groups = evidence.groups();
        Collector collector = new Collector(evidence);
        List<Grower> growers = new ArrayList<>();
        for (Group group : groups.all()) {
            Ratchet test = groups.test(group);
            if (test != null
                    && groups.grows(group)
                    && !isOver(evidence, group)
                    && !isCycle(evidence, collector, group)) {
                growers.add(Grower.of(group, test));
            }
        }
        Loading loading = new Loading(evidence);
        Rolling rolling = new Rolling(evidence);
        growers.removeIf(grower -> loading.explains(grower) || rolling.explains(grower));
        Replacing replacing = new Replacing(evidence, growers);
        List<Grower> others = growers.stream()
                .filter(grower -> replacing.answer(grower) != Replacing.Answer.ADDED)
                .toList();
        growers.removeAll(others);
        List<Finding> findings = new ArrayList<>();
        List<IntArrayList> culprits = new ArrayList<>();
        List<Leak> leaks = LeakSites.find(evidence, growers);
        if (match != null) {
            leaks = new LeaksByHolder(evidence, match).apart(leaks);
        }
        List<LeakFinding> found = leaks.stream()
                .map(leak -> new LeakFinding(evidence, leak, replacing))
                .toList();
        leaks.forEach(leak -> culprits.add(leak.allocations(evidence)));
        double taken = takenPerStep(evidence, found, culprits);
        found.forEach(leak -> findings.add(leak.build(taken)));
        String unexplained = findings.isEmpty() ? open(evidence, replacing, others) : "";
        String note = unexplained.isEmpty() ? "looked at " + steps + " steps" : unexplained;
        return new Examination(
                new Check(NAME, unexplained.isEmpty(), note),
                findings,
                new Acquittals(evidence, loading, rolling, replacing).list(!findings.isEmpty()),
                culprits);
    }

    private static double takenPerStep(Evidence evidence, List<LeakFinding> leaks, List<IntArrayList> allocations) {
        IntArrayList growing = new IntArrayList();
        allocations.forEach(growing::addAll);
        Arrays.sort(growing.buffer, 0, growing.size());
        double bytesPerStep =
                leaks.stream().mapToDouble(leak -> leak.slope.value()).sum();
        return DeviceForecast.takenPerStep(evidence, growing, bytesPerStep);
    }

    private static String open(Evidence evidence, Replacing replacing, List<Grower> others) {
        OpenQuestions questions = new OpenQuestions(evidence);
        return others.stream()
                .filter(grower -> replacing.answer(grower) == Replacing.Answer.OPEN)
                .map(questions::addedOrReplaced)
                .findFirst()
                .orElseGet(questions::first);
    }

    /** Returns whether all that a group kept was freed before a request failed: the function that collected it had ended. */
    private static boolean isOver(Evidence evidence, Group group) {
        IntArrayList failed = evidence.lifetimes().events().failed();
        for (int i = 0; i < group.survivors().size(); i++) {
            int allocation = evidence.survivors().allocation(group.survivors().get(i));
            if (failed.isEmpty() || evidence.lifetimes().died(allocation) > failed.get(failed.size() - 1)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isCycle(Evidence evidence, Collector collector, Group group) {
        Releases releases = new Releases(evidence, group.survivors());
        return CycleDetector.isWaiting(evidence, group, releases) && collector.made(releases);
    }

    /** Makes the finding of a leak. */
    private static final class LeakFinding {

        private static final double MICROS = 1e6;
        /** A rate per second out of a shorter time, in seconds, is a forecast: what a loop does at its start, it need not go on with. */
        private static final double SHORTEST = 1;
        /** A forecast by time reaches at most so many times as far as what was seen: a job pauses, validates and saves, of which a short recording shows nothing. */
        private static final double FARTHEST = 100;

        private final Evidence evidence;
        private final Leak leak;
        private final Ratchet test;
        private final IntArrayList survivors;
        /** Bytes of all that stays there, step by step. */
        private final long[] gross;
        /** Bytes of what is added by it and replaces nothing, step by step. */
        private final long[] floor;

        /** Blocks of it from before the recording that were freed. */
        private final int freedOlder;

        private final int first;
        private final int last;
        private final Slope slope;

        LeakFinding(Evidence evidence, Leak leak, Replacing replacing) {
            this.evidence = evidence;
            this.leak = leak;
            this.survivors = leak.survivors();
            this.gross = evidence.groups().floor(survivors);
            this.floor = replacing.floor(leak.groups());
            this.test = Arrays.equals(floor, gross)
                    ? Objects.requireNonNull(
                            evidence.groups().test(leak.groups().getFirst().group()))
                    : new Ratchet(floor);
            this.freedOlder = replacing.freedOlder(leak.groups());
            this.first = test.firstStep();
            this.last = test.lastStep();
            this.slope = test.slope(floor);
        }

        /** The finding; {@code takenPerStep} is what all leaks of the device take from the driver for each step. */
        Finding build(double takenPerStep) {
            Diagnosis diagnosis = new CauseFinder(evidence, leak).find();
            FindingSite site = new FindingSite(evidence, leak);
            return rates(
                            takenPerStep,
                            new FindingBuilder(Kind.LEAK, Fingerprint.of(Kind.LEAK, site.path()))
                                    .severity(severity())
                                    .confidence(
                                            new LeakConfidence(evidence, test, survivors, slope, freedOlder).doubts())
                                    .cause(diagnosis.told())
                                    .summary(summary())
                                    .on(evidence.input(), evidence.lifetimes().device())
                                    .site(site.site())
                                    .stack(site.stack())
                                    .held(held(), blocks())
                                    .atFailure(atFailure())
                                    .growth(growth(takenPerStep))
                                    .proofs(proofs())
                                    .advice(diagnosis.advice(
                                            held(), evidence.lifetimes().device() < 0)))
                    .build();
        }

        private List<Proof> proofs() {
            List<Proof> proofs = new ArrayList<>(new LeakEvidence(evidence, leak, test, survivors).list());
            long replaced = gross[last] - gross[first] - held();
            if (replaced > 0) {
                proofs.add(Proof.of(
                        freedOlder > 0
                                ? "meanwhile " + ByteSize.format(replaced)
                                        + " of the same sizes were freed that had been allocated before the recording begins"
                                : "the rest, " + ByteSize.format(replaced) + ", replaced blocks of the same sizes"));
            }
            return proofs;
        }

        private Severity severity() {
            long room = evidence.deviceBytes() - evidence.course().end().reserved();
            return GrowthSeverity.of(
                    slope.value(),
                    slope.value() * stepsPerSecond(),
                    evidence.deviceBytes() > 0 ? Math.max(room, 1) : 0);
        }

        private String summary() {
            StringBuilder text = new StringBuilder(
                    "Memory allocated here " + growth(Double.NaN).rate(slope.value(), held()));
            if (first > evidence.steps().count() / 10) {
                text.append(", from step ").append(first).append(" on");
            }
            text.append(": ")
                    .append(ByteSize.format(held()))
                    .append(" by step ")
                    .append(last);
            if (test.isGivenBack()) {
                text.append(", freed only at the end");
            }
            return text.append(".")
                    .append(new LeakLabels(evidence, leak.allocations(evidence)).sentences())
                    .toString();
        }

        private Growth growth(double takenPerStep) {
            return new Growth(
                    slope.low(),
                    slope.high(),
                    share(),
                    takenPerStep,
                    first,
                    last,
                    test.clicks().size(),
                    evidence.steps().count(),
                    evidence.steps().meaning(),
                    FloorPoint.of(floor));
        }

        private FindingBuilder rates(double takenPerStep, FindingBuilder finding) {
            double seconds = seconds();
            double stepsPerSecond = stepsPerSecond();
            double stepsLeft = DeviceForecast.steps(
                    evidence.deviceBytes(),
                    evidence.peakBytes(),
                    evidence.course().end().reserved(),
                    takenPerStep);
            double secondsLeft = stepsLeft / stepsPerSecond;
            return finding.rates(
                    slope.value(),
                    slope.value() * stepsPerSecond,
                    stepsLeft,
                    secondsLeft <= FARTHEST * seconds ? secondsLeft : Double.NaN);
        }

        /** NaN where too little time was recorded. */
        private double stepsPerSecond() {
            double seconds = seconds();
            return seconds >= SHORTEST ? (last - firstTimed()) / seconds : Double.NaN;
        }

        /** The first step whose time counts: that of the very first is also the time before its loop began, or in which it was compiled. */
        private int firstTimed() {
            return Math.min(Math.max(first, 1), last);
        }

        private double seconds() {
            DeviceEvents events = evidence.lifetimes().events();
            long from = events.timeMicros(Math.min(evidence.steps().start(firstTimed()), events.count() - 1));
            long to = events.timeMicros(Math.min(evidence.steps().start(last), events.count() - 1));
            return (to - from) / MICROS;
        }

        /** The share of these lines in the growth of all lines over the same steps. */
        private double share() {
            long[] others = evidence.groups().floorOfAll().clone();
            Arrays.setAll(others, step -> others[step] - gross[step] + floor[step]);
            double all = test.slope(others).value();
            return Math.clamp(slope.value() / Math.max(all, slope.value()), 0, 1);
        }

        private long atFailure() {
            IntArrayList failed = evidence.lifetimes().events().failed();
            return failed.isEmpty() ? 0 : live(failed.get(failed.size() - 1));
        }

        private long live(int event) {
            long sum = 0;
            for (int i = 0; i < survivors.size(); i++) {
                int survivor = survivors.get(i);
                boolean isGrown = evidence.survivors().first(survivor) > first;
                boolean isLive =
                        evidence.lifetimes().isLive(evidence.survivors().allocation(survivor), event);
                sum += isGrown && isLive ? evidence.survivors().bytes(survivor) : 0;
            }
            return sum;
        }

        /** Bytes that came and were there for good. */
        private long held() {
            return lowestFrom(last) - lowestFrom(first);
        }

        private long lowestFrom(int step) {
            return Arrays.stream(floor, step, Math.max(test.end(), step) + 1)
                    .min()
                    .orElse(0);
        }

        /** Blocks that came; where most replace others, as many as hold what was added. */
        private int blocks() {
            int blocks = 0;
            for (int i = 0; i < survivors.size(); i++) {
                int survivor = survivors.get(i);
                boolean isThere = evidence.survivors().first(survivor) <= last
                        && evidence.survivors().end(survivor) > last;
                blocks += isThere && evidence.survivors().first(survivor) > first ? 1 : 0;
            }
            return (int) Math.round((double) blocks * held() / Math.max(gross[last] - gross[first], 1));
        }
    }
}
