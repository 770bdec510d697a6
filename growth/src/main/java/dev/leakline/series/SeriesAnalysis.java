package dev.leakline.series;

import dev.leakline.finding.Opinion;
import dev.leakline.finding.Order;
import dev.leakline.result.Acquittal;
import dev.leakline.result.Agreement;
import dev.leakline.result.AnalysisResult.Source;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Check;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MemoryGap;
import dev.leakline.result.MemoryGap.Alignment;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Judges figures over time or steps: which of them grow, and what a device holds beyond the allocator. */
public final class SeriesAnalysis {
    private static final String NAME = "figures";

    private final List<JudgedCurve> all;
    private final ResidualFinder gaps;
    private final List<Finding> findings;
    private final List<Acquittal> acquittals;
    private final int left;

    /** Judges figures; {@code devices} are what snapshots say that were given along. */
    public SeriesAnalysis(CurveSet set, List<DeviceResult> devices) {
        HostNeeds needs = HostNeeds.of(devices);
        this.all = set.all().stream()
                .map(figure -> JudgedCurve.of(figure, set, needs))
                .toList();
        this.left = set.left();
        CurveDetector detector = new CurveDetector(all);
        List<Finding> grown = new ArrayList<>(detector.findings());
        this.acquittals = detector.acquittals();
        this.gaps = new ResidualFinder(all, devices);
        gaps.gaps().forEach(gap -> addGrowthOf(gap, grown));
        this.findings = Order.of(grown, List.of());
    }

    /** Each figure. */
    public List<MeasuredSeries> series() {
        return all.stream().map(JudgedCurve::describe).toList();
    }

    /** The memory that devices' figures show beyond the allocator's. */
    public List<MemoryGap> gaps() {
        return gaps.described();
    }

    /** Returns whether sources that measured the same say the same; {@code found} is what recordings found. */
    public List<Agreement> agreements(List<Finding> found, List<DeviceResult> devices) {
        List<Agreement> agreements = new ArrayList<>(gaps.contradictions());
        agreements.addAll(new CurveAgreements(all, devices, found).list());
        return agreements;
    }

    /**
     * The opinion from figures; null if there are none.
     *
     * @param found what recordings found; growth that it explains is not told again
     * @param held a finding with who holds what grows, where that is known
     */
    public @Nullable Opinion opinion(List<Finding> found, UnaryOperator<Finding> held) {
        Verdict verdict = verdict();
        ExplainedCurves explained = new ExplainedCurves(all, found);
        List<Finding> rest = findings.stream()
                .filter(finding -> !explained.contain(finding))
                .map(held)
                .toList();
        return all.isEmpty()
                ? null
                : new Opinion(Source.FIGURES, verdict, reason(verdict, held), rest, acquittals, List.of(check()));
    }

    private Check check() {
        String more = left == 0 ? "" : "; " + left + " more were left out";
        return new Check(NAME, true, "looked at " + Numbers.counted(all.size(), "figure") + more);
    }

    /** Growth of the difference between two figures that both grow is seen in neither of them. */
    private static void addGrowthOf(Residual gap, List<Finding> found) {
        boolean isKnown = found.stream()
                .anyMatch(finding -> finding.kind() == Kind.RESIDUAL
                        && finding.device() == gap.outer().subject().device());
        if (gap.difference().grows() && gap.alignment() != Alignment.SHAPE && !isKnown) {
            found.add(new CurveFinding(gap.difference(), Kind.RESIDUAL, null).build());
        }
    }

    private Verdict verdict() {
        Verdict found = Order.verdict(findings);
        return found != null ? found : leading().isPresent() ? Verdict.NO_LEAK : Verdict.UNDETERMINED;
    }

    /** The innermost figure that is known not to grow; what the probe measures of the host says nothing of a device. */
    private Optional<JudgedCurve> leading() {
        return all.stream()
                .filter(figure -> figure.layer() != Layer.NONE && figure.holds())
                .filter(figure -> !figure.subject().isOfProbe())
                .min(Comparator.comparing(JudgedCurve::layer)
                        .thenComparing(figure -> Layer.isPeak(figure.subject().quantity())));
    }

    private String reason(Verdict verdict, UnaryOperator<Finding> held) {
        return switch (verdict) {
            case NO_LEAK -> leading().map(this::noLeak).orElse("");
            case UNDETERMINED -> undetermined();
            default -> findings.getFirst().title() + by(held.apply(findings.getFirst()));
        };
    }

    private static String by(Finding finding) {
        String who = finding.holders().stream()
                .findFirst()
                .map(holder -> "held by " + holder.title())
                .orElse("figures name no line");
        return finding.bytes() > 0 ? ", " + ByteSize.format(finding.bytes()) + " so far; " + who : "";
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
        Optional<Finding> slow =
                findings.stream().filter(finding -> finding.kind() == Kind.LEAK).findFirst();
        if (slow.isPresent()) {
            return slow.get().title() + ", so slowly that it may be a log of numbers as well as a leak";
        }
        return all.stream()
                .filter(figure -> figure.layer() != Layer.NONE)
                .findFirst()
                .map(figure -> "the figures do not show whether memory leaks: " + figure.name() + " " + figure.reason())
                .orElse("no figure shows how much device memory is in use");
    }
}
