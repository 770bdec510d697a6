package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.Recorder;
import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.evidence.Evidence;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.finding.GrowthSeverity;
import dev.leakline.known.Cause;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Growth;
import dev.leakline.result.Growth.FloorPoint;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Slope;
import dev.leakline.text.ByteSize;
import java.util.Objects;

/** Puts a leak into figures and words. */
final class LeakFinding {

    private static final double MICROS = 1e6;

    private final Evidence evidence;
    private final Leak leak;
    private final Ratchet test;
    private final IntArrayList survivors;
    private final long[] floor;
    private final int first;
    private final int last;
    private final Slope slope;

    LeakFinding(Evidence evidence, Leak leak) {
        this.evidence = evidence;
        this.leak = leak;
        this.test = Objects.requireNonNull(
                evidence.groups().test(leak.groups().getFirst().group()));
        this.survivors = leak.survivors();
        this.floor = evidence.groups().floor(survivors);
        this.first = test.firstStep();
        this.last = test.lastStep();
        this.slope = new Slope(floor, first, last);
    }

    Finding build() {
        Cause cause = new CauseFinder(evidence, leak).find();
        FindingSite site = new FindingSite(evidence, leak);
        return rates(new FindingBuilder(Kind.LEAK, Fingerprint.of(Kind.LEAK, site.path()))
                        .severity(severity())
                        .confidence(new LeakConfidence(evidence, test, survivors).doubts())
                        .title(cause.title())
                        .summary(summary(cause))
                        .on(evidence.input(), evidence.lifetimes().device())
                        .site(site.site())
                        .stack(site.stack())
                        .held(held(), blocks())
                        .growth(growth())
                        .cause(cause.id())
                        .proofs(new LeakEvidence(evidence, leak, test, survivors).list())
                        .advice(FindingSite.advice(
                                cause, held(), evidence.lifetimes().device() < 0)))
                .build();
    }

    /** A profiler sees all that PyTorch has on the host, where every log of numbers grows; what never fills it is worth a word. */
    private Severity severity() {
        Severity severity = GrowthSeverity.of(slope.value(), GrowthSeverity.STEPS_OF_A_JOB, evidence.deviceBytes());
        boolean isOrdinary = evidence.lifetimes().device() < 0 && evidence.columns().recorder == Recorder.PROFILER;
        return isOrdinary && severity == Severity.WARNING ? Severity.INFO : severity;
    }

    private String summary(Cause cause) {
        StringBuilder text =
                new StringBuilder(ByteSize.format(slope.value()) + " allocated here stay after every step");
        if (first > evidence.steps().count() / 10) {
            text.append(", from step ").append(first).append(" on");
        }
        text.append(": ").append(ByteSize.format(held())).append(" by step ").append(last);
        if (test.isGivenBack()) {
            text.append(", given back only at the end");
        }
        return text.append(". ").append(cause.text()).toString();
    }

    private Growth growth() {
        return new Growth(slope.low(), slope.high(), share(), first, last, atFailure(), FloorPoint.of(floor));
    }

    private FindingBuilder rates(FindingBuilder finding) {
        double seconds = seconds();
        double room =
                evidence.deviceBytes() > 0 ? Math.max(evidence.deviceBytes() - evidence.peakBytes(), 0) : Double.NaN;
        double perSecond = seconds > 0 ? slope.value() * (last - first) / seconds : Double.NaN;
        return finding.rates(slope.value(), perSecond, room / slope.value(), room / perSecond);
    }

    private double seconds() {
        DeviceEvents events = evidence.lifetimes().events();
        long from = events.timeMicros(Math.min(evidence.steps().start(first), events.count() - 1));
        long to = events.timeMicros(Math.min(evidence.steps().start(last), events.count() - 1));
        return (to - from) / MICROS;
    }

    /** Of what all lines together gain over the same steps, the part that these do. */
    private double share() {
        double all = new Slope(evidence.groups().floorOfAll(), first, last).value();
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
            boolean isLive = evidence.lifetimes().isLive(evidence.survivors().allocation(survivor), event);
            sum += isGrown && isLive ? evidence.survivors().bytes(survivor) : 0;
        }
        return sum;
    }

    private long held() {
        return floor[last] - floor[first];
    }

    private int blocks() {
        int blocks = 0;
        for (int i = 0; i < survivors.size(); i++) {
            int survivor = survivors.get(i);
            boolean isThere = evidence.survivors().first(survivor) <= last
                    && evidence.survivors().end(survivor) > last;
            blocks += isThere && evidence.survivors().first(survivor) > first ? 1 : 0;
        }
        return blocks;
    }
}
