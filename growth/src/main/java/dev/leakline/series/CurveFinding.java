package dev.leakline.series;

import dev.leakline.finding.Doubts;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.finding.Fingerprint;
import dev.leakline.finding.GrowthSeverity;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Frame;
import dev.leakline.result.Growth;
import dev.leakline.result.MeasuredSeries.Axis;
import dev.leakline.result.Site;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Makes the finding of a figure that grows. Figures do not name a line; the advice says which recording would. */
final class CurveFinding {
    /** Confidence in the allocator's counts: all that can be wrong is which of several jobs wrote the file. */
    private static final double COUNTED = 0.99;

    private final JudgedCurve figure;
    private final Kind kind;
    private final @Nullable JudgedCurve inner;
    private final CurveTrend trend;
    private final Axis axis;

    /** A figure that grows; {@code inner} is the next figure further in that does not, null where there is none. */
    CurveFinding(JudgedCurve figure, Kind kind, @Nullable JudgedCurve inner) {
        this.figure = figure;
        this.kind = kind;
        this.inner = inner;
        this.trend = figure.test().trend();
        this.axis = figure.figure().axis();
    }

    /** Where a figure is: on no line. */
    static Site site(JudgedCurve figure) {
        return new Site(Site.Kind.FIGURE, new Frame("", 0, figure.name()));
    }

    /** Requests that failed, as a counter says. */
    static Finding ofFailures(JudgedCurve counter) {
        return new FindingBuilder(Kind.OOM, id(Kind.OOM, counter))
                .severity(Severity.CRITICAL)
                .confidence(COUNTED, List.of("the allocator counted them"))
                .title(Numbers.counted(counter.rise(), "request") + " for memory failed")
                .summary(counter.name() + ": " + counter.reason() + ". A counter does not show why.")
                .on(counter.figure().input(), counter.subject().device())
                .site(site(counter))
                .advice(List.of(CurveAdvice.explainFailure()))
                .build();
    }

    Finding build() {
        return rates(new FindingBuilder(kind, id(kind, figure))
                        .severity(severity())
                        .confidence(doubts())
                        .title(title())
                        .summary(summary())
                        .on(figure.figure().input(), figure.subject().device())
                        .site(site(figure))
                        .held(figure.test().grown(), 0)
                        .growth(growth())
                        .proofs(evidence())
                        .advice(CurveAdvice.of(kind, figure, figure.test().grown())))
                .build();
    }

    /** The evidence for growth, and what else may grow in the figure. */
    private Doubts doubts() {
        Doubts doubts = Doubts.ofGrowth(
                figure.test().level().evidence(),
                Numbers.counted(figure.figure().size(), "measurement"));
        if (Layer.isPeak(figure.subject().quantity())) {
            doubts.note("a running maximum also rises with the largest step");
        }
        if (figure.layer() == Layer.DEVICE) {
            doubts.note("the figure covers the whole device, with all its processes");
        } else if (kind == Kind.LEAK && figure.layer() == Layer.PROCESS) {
            doubts.note("a process holds more than tensors");
        } else if (kind == Kind.LEAK && figure.layer() == Layer.ALLOCATOR) {
            doubts.note("reserved memory also grows with the allocator's cache");
        }
        return doubts;
    }

    /** The same figure has the same id in every run, whoever measured it. */
    private static String id(Kind kind, JudgedCurve figure) {
        return Fingerprint.of(
                kind,
                List.of(new Frame("", 0, figure.subject().quantity().name().toLowerCase(Locale.ROOT))));
    }

    private Severity severity() {
        if (isElsewhere()) {
            return Severity.INFO;
        }
        double rate = trend.slope();
        long room = figure.deviceBytes() > 0 ? Math.max(figure.room(), 1) : 0;
        return kind == Kind.FRAGMENTATION
                ? Severity.WARNING
                : axis.isTime()
                        ? GrowthSeverity.of(Double.NaN, rate, room)
                        : GrowthSeverity.of(
                                axis == Axis.EPOCH ? rate / GrowthSeverity.STEPS_OF_AN_EPOCH : rate, Double.NaN, room);
    }

    /** Returns whether the process itself was measured, and does not grow. */
    private boolean isElsewhere() {
        return inner != null && inner.layer() == Layer.PROCESS;
    }

    private String title() {
        String rate = CurveWords.rate(trend.slope(), axis);
        return switch (kind) {
            case FRAGMENTATION -> "the allocator's cache grows by " + rate + "; tensors do not grow";
            case RESIDUAL ->
                inner != null && inner.layer() == Layer.TENSORS
                        ? "memory that no tensor holds grows by " + rate
                        : "memory outside of PyTorch's allocator grows by " + rate;
            default -> CurveWords.quantity(figure.subject().quantity()) + " grows by " + rate;
        };
    }

    private String summary() {
        return figure.name() + " " + figure.reason() + ": "
                + ByteSize.format(figure.test().grown()) + " so far. " + whose();
    }

    private String whose() {
        return switch (kind) {
            case FRAGMENTATION ->
                "Tensors do not grow, so none is kept: probably blocks of changing sizes leave more and more gaps, or"
                        + " steps need more at their highest.";
            case RESIDUAL -> residual();
            default -> leak();
        };
    }

    private String residual() {
        if (isElsewhere()) {
            return "It does not belong to the measured process, but to another one.";
        }
        String who = figure.layer() == Layer.DEVICE
                ? "a library outside of PyTorch's allocator, or to another process"
                : "a library outside of PyTorch's allocator, such as NCCL or cuDNN";
        return inner != null && inner.layer() == Layer.TENSORS
                ? "Tensors do not hold it: it belongs to the allocator's cache, to " + who
                        + "; reserved memory was not measured."
                : "PyTorch's allocator does not hold it: it belongs to " + who + ".";
    }

    private String leak() {
        return switch (figure.layer()) {
            case HOST ->
                "Figures alone cannot name a line. Python objects, CPU tensors, pinned buffers, DataLoader workers and"
                        + " libraries all use host memory.";
            case TENSORS -> "Figures alone cannot name a line.";
            case ALLOCATOR ->
                "Figures alone cannot name a line. Allocated memory was not measured, so it may be tensors or the"
                        + " allocator's cache that grows.";
            default ->
                "Figures alone cannot name a line. Allocated and reserved memory were not measured, so tensors, the"
                        + " allocator's cache or something outside of PyTorch may grow.";
        };
    }

    private Growth growth() {
        boolean isTime = axis.isTime();
        return new Growth(
                trend.rate().low(),
                trend.rate().high(),
                Double.NaN,
                Double.NaN,
                isTime ? 0 : step(figure.test().from()),
                isTime ? 0 : step(figure.figure().place(figure.figure().size() - 1)),
                0,
                0,
                "",
                List.of());
    }

    private FindingBuilder rates(FindingBuilder finding) {
        double rate = trend.slope();
        double full = figure.unitsToFull();
        return axis.isTime()
                ? finding.rates(Double.NaN, rate, Double.NaN, full)
                : finding.rates(rate, Double.NaN, full, Double.NaN);
    }

    private int step(double place) {
        return (int) figure.figure().position(place);
    }

    private List<Proof> evidence() {
        List<Proof> evidence = new ArrayList<>();
        evidence.add(Proof.of(String.format(
                Locale.ROOT,
                "its floor rises %.1f standard deviations more than by chance; %s",
                trend.deviations(),
                dependence())));
        if (inner != null) {
            evidence.add(Proof.of(inner.name() + " " + inner.reason()));
        }
        if (!Double.isNaN(figure.unitsToFull())) {
            evidence.add(Proof.of(ByteSize.format(figure.room()) + " of " + ByteSize.format(figure.deviceBytes())
                    + " were never in use; at this rate the device is full in "
                    + CurveWords.span(figure.unitsToFull(), axis)));
        }
        return evidence;
    }

    private String dependence() {
        return trend.dependence() <= 1
                ? "its measurements are independent"
                : String.format(
                        Locale.ROOT,
                        "its measurements are correlated, so %.1f of them count as one",
                        trend.dependence());
    }
}
