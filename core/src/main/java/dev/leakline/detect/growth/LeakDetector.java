package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.Recorder;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.detect.growth.Loading.Answer;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.Doubts;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.finding.GrowthSeverity;
import dev.leakline.floor.GrowthGroups;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.known.AdvisedLimit;
import dev.leakline.known.Diagnosis;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Growth;
import dev.leakline.result.Growth.FloorPoint;
import dev.leakline.result.StepSummary;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Ratchet.Shape;
import dev.leakline.statistics.Slope;
import dev.leakline.statistics.Thresholds;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** Finds the lines whose memory grows, step after step. */
public final class LeakDetector implements Detector {
    /** The name of its check. */
    public static final String NAME = "leak";

    @Override
    public Examination examine(Evidence evidence, Thresholds thresholds) {
        int steps = evidence.steps().count();
        if (!evidence.canJudgeGrowth(thresholds)) {
            return Examination.notApplicable(NAME, evidence.needsSteps(thresholds.fewestSteps()));
        }
        GrowthGroups groups = evidence.groups();
        List<Grower> growers = new ArrayList<>();
        for (Group group : groups.all()) {
            Ratchet test = groups.test(group);
            if (test != null && test.shape() == Shape.GROWS && !test.wanders() && !isOver(evidence, group)) {
                growers.add(Grower.of(group, test));
            }
        }
        Thawing thawing = new Thawing(evidence);
        growers.removeIf(thawing::explains);
        Loading loading = new Loading(evidence);
        List<Grower> loaded = growers.stream()
                .filter(grower -> loading.answer(grower) != Answer.NOT_LOADED)
                .toList();
        growers.removeAll(loaded);
        Replacing replacing = new Replacing(evidence, growers);
        List<Grower> others = growers.stream()
                .filter(grower -> replacing.answer(grower) != Replacing.Answer.ADDED)
                .toList();
        growers.removeAll(others);
        List<Finding> findings = new ArrayList<>();
        List<IntArrayList> culprits = new ArrayList<>();
        for (Leak leak : LeakSites.find(evidence, growers, thresholds.fewestRises())) {
            findings.add(new LeakFinding(evidence, leak, replacing).build());
            culprits.add(leak.allocations(evidence));
        }
        String unexplained = findings.isEmpty() ? open(evidence, loading, loaded, replacing, others, thresholds) : "";
        String note = unexplained.isEmpty() ? "looked at " + steps + " steps" : unexplained;
        return new Examination(
                new Check(NAME, unexplained.isEmpty(), note),
                findings,
                new Acquittals(evidence, loading, thawing, replacing).list(),
                culprits);
    }

    private static String open(
            Evidence evidence,
            Loading loading,
            List<Grower> loaded,
            Replacing replacing,
            List<Grower> others,
            Thresholds thresholds) {
        OpenQuestions questions = new OpenQuestions(evidence);
        Stream<String> ofLoaded = loaded.stream()
                .filter(grower -> loading.answer(grower) == Answer.OPEN)
                .map(questions::loadedOrKept);
        Stream<String> ofOthers = others.stream()
                .filter(grower -> replacing.answer(grower) == Replacing.Answer.OPEN)
                .map(questions::addedOrReplaced);
        return Stream.concat(ofLoaded, ofOthers).findFirst().orElseGet(() -> questions.first(thresholds));
    }

    /** Whether all that a group kept was freed before a request failed: the function that collected it had ended. */
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
        /** Of all that stays there. */
        private final long[] gross;
        /** Of what is added by it, and replaces nothing. */
        private final long[] floor;

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
                    : new Ratchet(floor, Thresholds.DEFAULT.fewestRises());
            this.first = test.firstStep();
            this.last = test.lastStep();
            this.slope = new Slope(floor, first, last);
        }

        Finding build() {
            Diagnosis diagnosis = new CauseFinder(evidence, leak).find();
            FindingSite site = new FindingSite(evidence, leak);
            return rates(new FindingBuilder(Kind.LEAK, Fingerprint.of(Kind.LEAK, site.path()))
                            .severity(severity())
                            .confidence(new LeakConfidence(evidence, test, survivors, slope).doubts())
                            .cause(diagnosis.told())
                            .summary(summary())
                            .on(evidence.input(), evidence.lifetimes().device())
                            .site(site.site())
                            .stack(site.stack())
                            .held(held(), blocks())
                            .growth(growth())
                            .proofs(proofs())
                            .advice(diagnosis.advice(
                                    held(),
                                    AdvisedLimit.of(test.clicks().size()),
                                    evidence.lifetimes().device() < 0)))
                    .build();
        }

        private List<Proof> proofs() {
            List<Proof> proofs = new ArrayList<>(new LeakEvidence(evidence, leak, test, survivors).list());
            long replaced = gross[last] - gross[first] - held();
            if (replaced > 0) {
                proofs.add(Proof.of("the rest, " + ByteSize.format(replaced) + ", replaced blocks of the same sizes"));
            }
            return proofs;
        }

        /** A profiler sees all that PyTorch has on the host, where every log of numbers grows; what never fills it is worth a word. */
        private Severity severity() {
            Severity severity = GrowthSeverity.of(slope.value(), GrowthSeverity.STEPS_OF_A_JOB, evidence.deviceBytes());
            boolean isOrdinary = evidence.lifetimes().device() < 0 && evidence.columns().recorder == Recorder.PROFILER;
            return isOrdinary && severity == Severity.WARNING ? Severity.INFO : severity;
        }

        private String summary() {
            StringBuilder text = new StringBuilder("Memory allocated here " + growth().rate(slope.value(), held()));
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

        private Growth growth() {
            return new Growth(
                    slope.low(),
                    slope.high(),
                    share(),
                    first,
                    last,
                    test.clicks().size(),
                    evidence.steps().count(),
                    evidence.steps().meaning(),
                    atFailure(),
                    FloorPoint.of(floor));
        }

        private FindingBuilder rates(FindingBuilder finding) {
            double seconds = seconds();
            double room = evidence.deviceBytes() > 0
                    ? Math.max(evidence.deviceBytes() - evidence.peakBytes(), 0)
                    : Double.NaN;
            double perSecond = seconds >= SHORTEST ? slope.value() * (last - firstTimed()) / seconds : Double.NaN;
            double secondsLeft = room / perSecond;
            return finding.rates(
                    slope.value(),
                    perSecond,
                    room / slope.value(),
                    secondsLeft <= FARTHEST * seconds ? secondsLeft : Double.NaN);
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
            double all = new Slope(others, first, last).value();
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

        private long held() {
            return floor[last] - floor[first];
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

    /** Computes the confidence of a leak, from 0 to 1, and its reasons: a product of what each doubt leaves. */
    private static final class LeakConfidence {
        /** Surer than this nobody should be of anything that a recording of one run shows. */
        private static final double SUREST = 0.99;
        /** What steps that had to be found leave: now and then a loop is not what a user would call a step. */
        private static final double FOUND_STEPS = 0.97;
        /** What growth that stopped before the end leaves: it may have been a cache that was full then. */
        private static final double STOPPED = 0.8;
        /** What missing frees leave: some of what stays may have been freed unseen. */
        private static final double LOST = 0.8;
        /** What a rate leaves that may be zero: one that rises by chance looks the same. */
        private static final double UNSTEADY = 0.5;
        /** What growth without a release leaves: epochs that collect something are common, but then a recording of one is not. */
        private static final double WITHIN_EPOCH = 0.85;
        /** What a single release leaves that the collector may have made: then it is a cycle. */
        private static final double COLLECTED = 0.6;
        /** Growth that fills nearly all of the recording. */
        private static final double WHOLE = 0.9;
        /** Missing frees that matter, as a share of all allocations: a single one of a hundred does not make a floor rise. */
        private static final double FEW_LOST = 0.01;

        private final Doubts doubts = new Doubts(SUREST);

        LeakConfidence(Evidence evidence, Ratchet test, IntArrayList survivors, Slope slope) {
            int rises = test.clicks().size();
            doubts.leave(
                    1 - Math.pow(0.5, rises),
                    "the floor rose permanently in " + rises + " of "
                            + evidence.steps().count() + " steps");
            weighDeaths(evidence, test, survivors);
            if (slope.low() <= 0) {
                doubts.leave(UNSTEADY, "it comes so unevenly that its rate may be zero (95 % confidence)");
            }
            weighEpochs(evidence, test);
            if (test.isGivenBack() && new Collector(evidence).mayHaveMade(new Releases(evidence, survivors))) {
                doubts.leave(
                        COLLECTED,
                        "it was freed at once at a line that runs all the time, as the garbage collector does it");
            }
            if (evidence.steps().kind() == StepSummary.Kind.RECURRENCE) {
                doubts.leave(FOUND_STEPS, "steps were inferred from stacks, since no ranges mark them");
            }
            int quiet = test.end() - test.lastStep();
            if (quiet > 2 * Math.max(1, (test.lastStep() - test.firstStep()) / rises)) {
                doubts.leave(STOPPED, "it did not grow in the last " + quiet + " steps");
            }
            int lost = evidence.lifetimes().lostFrees();
            if (lost > FEW_LOST * evidence.lifetimes().count()) {
                doubts.leave(LOST, lost + " frees are missing from the recording");
            }
        }

        /** Where it grows from the beginning to the end, every step does the same and nothing was released, all may lie within one epoch. */
        private void weighEpochs(Evidence evidence, Ratchet test) {
            int steps = evidence.steps().count();
            int span = test.lastStep() - test.firstStep();
            if (test.releases().isEmpty()
                    && span >= WHOLE * steps
                    && test.clicks().size() >= WHOLE * steps
                    && StepSummaries.phases(evidence).size() == 1) {
                doubts.leave(
                        WITHIN_EPOCH,
                        "nothing was released in the whole recording: what collects for the end of an epoch looks the same");
            }
        }

        /** Blocks that are freed later leave half as much doubt: a slow cache frees everything in the end. */
        private void weighDeaths(Evidence evidence, Ratchet test, IntArrayList survivors) {
            int dead = 0;
            int replaced = 0;
            for (int i = 0; i < survivors.size(); i++) {
                int survivor = survivors.get(i);
                int end = evidence.survivors().end(survivor);
                boolean isDead =
                        evidence.lifetimes().died(evidence.survivors().allocation(survivor)) != Lifetimes.NEVER;
                boolean isReplaced = end == evidence.survivors().first(survivor) + 1;
                replaced += isReplaced ? 1 : 0;
                dead += isDead && !isReplaced && end <= test.end() ? 1 : 0;
            }
            double share = (double) dead / survivors.size();
            doubts.leave(
                    1 - share / 2,
                    dead == 0
                            ? "none of the " + survivors.size()
                                    + " blocks that outlived their step was freed while it grew"
                                    + (replaced > 0 ? ", unless the next one replaced it" : "")
                            : String.format(
                                    Locale.ROOT,
                                    "%.0f %% of the blocks that outlived their step were freed later",
                                    share * 100));
        }

        /** All doubts together. */
        Doubts doubts() {
            return doubts;
        }
    }
}
