package dev.leakline.series;

import dev.leakline.finding.Opinion;
import dev.leakline.result.Acquittal;
import dev.leakline.result.Agreement;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Check;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MemoryGap;
import dev.leakline.result.MemoryGap.Alignment;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What figures over time or steps say, by themselves and beside snapshots.
 *
 * <p>A snapshot shows blocks and lines, so its verdict leads. Figures take its place where it cannot answer, and see what it cannot: memory
 * outside of PyTorch's allocator. Where they say something else of the allocator's memory, the reason says so.
 */
public final class SeriesAnalysis {
    private static final String NAME = "figures";

    private final List<JudgedCurve> all;
    private final ResidualFinder gaps;
    private final List<Finding> findings = new ArrayList<>();
    private final List<Acquittal> acquittals;
    private final int left;

    /** Judges figures; {@code devices} are what snapshots say that were given along. */
    public SeriesAnalysis(CurveSet set, List<DeviceResult> devices) {
        this.all = set.all().stream().map(figure -> JudgedCurve.of(figure, set)).toList();
        this.left = set.left();
        CurveDetector detector = new CurveDetector(all);
        findings.addAll(detector.findings());
        this.acquittals = detector.acquittals();
        this.gaps = new ResidualFinder(all, devices);
        gaps.gaps().forEach(this::addGrowthOf);
        findings.sort(Comparator.comparingInt(SeriesAnalysis::rank)
                .thenComparing(Finding::severity)
                .thenComparingLong(finding -> -finding.bytes()));
    }

    /** Each figure. */
    public List<MeasuredSeries> series() {
        return all.stream().map(JudgedCurve::describe).toList();
    }

    /** What devices' figures say more than the allocator's. */
    public List<MemoryGap> gaps() {
        return gaps.described();
    }

    /** Whether sources that measured the same say the same; {@code judgement} is that of the snapshots. */
    public List<Agreement> agreements(Opinion judgement, List<DeviceResult> devices) {
        List<Agreement> agreements = new ArrayList<>(gaps.contradictions());
        agreements.addAll(new CurveAgreements(all, devices, judgement.findings()).list());
        return agreements;
    }

    /** Adds what figures say to what snapshots say. */
    public Opinion judge(Opinion snapshots, boolean hasSnapshots) {
        if (all.isEmpty()) {
            return snapshots;
        }
        Verdict verdict = verdict();
        boolean isLed = hasSnapshots && snapshots.verdict() != Verdict.UNDETERMINED && !adds(snapshots.verdict());
        return new Opinion(
                isLed || (verdict == Verdict.UNDETERMINED && hasSnapshots) ? snapshots.verdict() : verdict,
                hasSnapshots ? joined(snapshots, verdict, isLed) : reason(verdict),
                joined(snapshots.findings(), findings),
                joined(snapshots.acquittals(), acquittals),
                joined(snapshots.checks(), List.of(check())));
    }

    /** Whether figures see what a snapshot that shows no leak cannot see. */
    private boolean adds(Verdict verdict) {
        return verdict == Verdict.NO_LEAK && findings.stream().anyMatch(SeriesAnalysis::isResidual);
    }

    private String joined(Opinion snapshots, Verdict verdict, boolean isLed) {
        if (!isLed) {
            return verdict == Verdict.UNDETERMINED
                    ? snapshots.reason()
                    : reason(verdict) + ". Of the snapshot: " + snapshots.reason();
        }
        boolean isLeak = snapshots.verdict() == Verdict.LEAK;
        if (verdict == Verdict.UNDETERMINED || isLeak == (verdict == Verdict.LEAK)) {
            return snapshots.reason();
        }
        return snapshots.verdict() == Verdict.NO_LEAK || isLeak
                ? snapshots.reason() + ". The figures say otherwise: " + reason(verdict)
                : snapshots.reason();
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        List<T> joined = new ArrayList<>(first);
        joined.addAll(second);
        return List.copyOf(joined);
    }

    private Check check() {
        String more = left == 0 ? "" : "; " + left + " more were left out";
        return new Check(NAME, true, "looked at " + Numbers.counted(all.size(), "figure") + more);
    }

    /** Growth of the difference between two figures that both grow is seen in neither of them. */
    private void addGrowthOf(Residual gap) {
        boolean isKnown = findings.stream()
                .anyMatch(finding -> finding.kind() == Kind.RESIDUAL
                        && finding.device() == gap.outer().subject().device());
        if (gap.difference().grows() && gap.alignment() != Alignment.SHAPE && !isKnown) {
            findings.add(new CurveFinding(gap.difference(), Kind.RESIDUAL, null).build());
        }
    }

    private static boolean isResidual(Finding finding) {
        return finding.kind() == Kind.RESIDUAL && finding.severity() != Severity.INFO;
    }

    private static int rank(Finding finding) {
        return switch (finding.kind()) {
            case LEAK -> 0;
            case RESIDUAL -> isResidual(finding) ? 1 : 4;
            case OOM -> 2;
            default -> 3;
        };
    }

    private Verdict verdict() {
        boolean isLeak = findings.stream().anyMatch(finding -> finding.kind() == Kind.LEAK || isResidual(finding));
        if (isLeak) {
            return Verdict.LEAK;
        }
        if (findings.stream().anyMatch(finding -> finding.kind() == Kind.OOM)) {
            return Verdict.OOM;
        }
        return leading().isPresent() ? Verdict.NO_LEAK : Verdict.UNDETERMINED;
    }

    /** The innermost figure that is known not to grow. */
    private Optional<JudgedCurve> leading() {
        return all.stream()
                .filter(figure -> figure.layer() != Layer.NONE && figure.holds())
                .min(Comparator.comparing(JudgedCurve::layer)
                        .thenComparing(figure -> Layer.isPeak(figure.subject().quantity())));
    }

    private String reason(Verdict verdict) {
        return switch (verdict) {
            case NO_LEAK -> leading().map(this::noLeak).orElse("");
            case UNDETERMINED -> undetermined();
            default -> findings.getFirst().title() + by(findings.getFirst());
        };
    }

    private static String by(Finding finding) {
        return finding.bytes() > 0 ? ", " + ByteSize.format(finding.bytes()) + " so far; figures name no line" : "";
    }

    private String noLeak(JudgedCurve leading) {
        String other = findings.stream()
                .filter(finding -> finding.kind() == Kind.FRAGMENTATION)
                .findFirst()
                .map(finding -> "; " + finding.title())
                .orElse("");
        return leading.name() + " " + leading.reason() + other;
    }

    private String undetermined() {
        return all.stream()
                .filter(figure -> figure.layer() != Layer.NONE)
                .findFirst()
                .map(figure -> "the figures cannot tell: " + figure.name() + " " + figure.reason())
                .orElse("no figure says how much of a device's memory is in use");
    }
}
