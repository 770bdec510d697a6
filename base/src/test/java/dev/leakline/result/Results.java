package dev.leakline.result;

import dev.leakline.finding.FindingBuilder;
import dev.leakline.result.Acquittal.Reason;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Coverage.Ring;
import dev.leakline.result.DeviceResult.TimelinePoint;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Finding.SourceLines;
import dev.leakline.result.Growth.FloorPoint;
import dev.leakline.result.StepSummary.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Results made by hand: what detectors say is theirs to test. Every text in them carries a suffix, which may be hostile. */
public final class Results {
    static final long MB = 1 << 20;
    private static final int STEPS = 200;
    private static final long START = 1_790_000_000_000_000L;

    private final String suffix;

    /** Results whose texts all end in {@code suffix}. */
    public Results(String suffix) {
        this.suffix = suffix;
    }

    /** A loss kept in a list, 3 MiB a step from step 3 on, and something small beside it. */
    public static AnalysisResult leak() {
        return new Results("").leaking();
    }

    /** The same at another line. */
    public static AnalysisResult leakAt(Frame frame) {
        AnalysisResult result = leak();
        Finding leak =
                new Results("").finding(new Site(Site.Kind.USER, frame), Kind.LEAK, Severity.CRITICAL, null, null);
        return with(result, List.of(leak), List.of());
    }

    /** A cache that filled up. */
    public static AnalysisResult noLeak() {
        return new Results("").leakless();
    }

    public AnalysisResult leaking() {
        List<Finding> findings = List.of(
                finding(Kind.LEAK, Severity.CRITICAL, grown(45.5 * MB, 1_234.5, 2_526.7), source()),
                finding(Kind.REPEATED_ALLOCATION, Severity.INFO, null, null));
        return result(Verdict.LEAK, "3.00 MiB per step stays, every step, at train.py:41 (training_step)", findings);
    }

    public AnalysisResult leakless() {
        List<Acquittal> acquittals = new ArrayList<>();
        acquittals.add(Acquittal.at(
                site(19),
                Reason.BOUNDED_CACHE,
                text("it filled up to 96.0 MiB within 32 steps, and has replaced its entries since"),
                96 * MB));
        acquittals.add(Acquittal.at(
                site(52), Reason.WARM_UP, text("412 MiB came in the first 3 steps and none later"), 412 * MB));
        IntStream.range(0, 5)
                .forEach(i -> acquittals.add(
                        Acquittal.at(site(60 + i), Reason.MODEL_STATE, text("parameters " + i), (60 - i) * MB)));
        AnalysisResult result = result(Verdict.NO_LEAK, "all that grew has stopped growing", List.of());
        return with(result, result.findings(), acquittals);
    }

    /** As many warnings as requested, the first the most serious. */
    public AnalysisResult findings(int count) {
        Grown grown = grown(Double.NaN, Double.NaN, Double.NaN);
        List<Finding> findings = IntStream.range(0, count)
                .mapToObj(i -> finding(site(100 + i), Kind.LEAK, Severity.WARNING, grown, null))
                .toList();
        return result(Verdict.LEAK, "", findings);
    }

    static AnalysisResult with(AnalysisResult result, List<Finding> findings, List<Acquittal> acquittals) {
        return new AnalysisResult(
                result.toolVersion(),
                result.inputs(),
                result.verdict(),
                result.reason(),
                findings,
                acquittals,
                result.checks(),
                result.devices(),
                result.settings());
    }

    private AnalysisResult result(Verdict verdict, String reason, List<Finding> findings) {
        InputFile input =
                new InputFile(text("snapshot.pickle"), text("torch memory snapshot"), 4 * MB + 1, text("2.14"), null);
        return new AnalysisResult(
                "1.2.3",
                List.of(input),
                verdict,
                reason.isEmpty() ? "" : text(reason),
                findings,
                List.of(),
                List.of(
                        new Check(text("leak"), true, text("looked at 200 steps")),
                        new Check(text("holders"), false, text("needs an object graph: leakline run records one"))),
                List.of(device()),
                Map.of());
    }

    /** How something grows, and its rates. */
    public record Grown(Growth growth, double perStep, double perSecond, double stepsToOom, double secondsToOom) {}

    public Finding finding(Kind kind, Severity severity, @Nullable Grown grown, @Nullable SourceLines source) {
        return finding(site(41), kind, severity, grown, source);
    }

    private Finding finding(
            Site site, Kind kind, Severity severity, @Nullable Grown grown, @Nullable SourceLines source) {
        FindingBuilder finding = new FindingBuilder(kind, text("leak-5f0c2a9d"))
                .severity(severity)
                .confidence(0.97, List.of(text("it grew in 196 of 197 steps"), text("no times")))
                .title(text(
                        kind == Kind.LEAK ? "losses keep their autograd graphs" : "a buffer is made anew in each step"))
                .summary(text("Each step appends its loss to a list, with the graph that made it."))
                .on(0, 0)
                .site(site)
                .stack(List.of(
                        new Frame("", 0, text("at::empty")), site.frame(), new Frame(text("main.py"), 7, "main")))
                .held(591 * MB, 197)
                .proofs(List.of(
                        Proof.at(site(17), text("all of it was allocated in the forward pass"), 591 * MB, 197),
                        Proof.of(text("nothing of it was ever freed"))))
                .advice(List.of(Advice.of(
                        text("Append the number, not the tensor."),
                        text("The tensor holds the graph of its step."),
                        590 * MB,
                        text("losses.append(loss)"),
                        text("losses.append(loss.item())"),
                        text("https://example.org/loss"))));
        if (grown != null) {
            finding.growth(grown.growth).rates(grown.perStep, grown.perSecond, grown.stepsToOom, grown.secondsToOom);
        }
        return finding.build().withSource(source);
    }

    /** 3 MiB a step. */
    public Grown grown(double perSecond, double stepsToOom, double secondsToOom) {
        List<FloorPoint> floor = IntStream.range(0, STEPS)
                .mapToObj(step -> new FloorPoint(step, 3 * MB * Math.max(step - 2, 0)))
                .toList();
        Growth growth = new Growth(
                2.97 * MB, 3.03 * MB, 0.97, 3.0 * MB, 3, STEPS - 1, STEPS - 4, STEPS, "one optimizer step", floor);
        return new Grown(growth, 3.0 * MB, perSecond, stepsToOom, secondsToOom);
    }

    public SourceLines source() {
        return new SourceLines(
                text("/app/train.py"),
                39,
                List.of(
                        text("    for batch in loader:"),
                        text("\tloss = model(batch).sum()"),
                        text("        losses.append(loss)"),
                        text("        loss.backward()")));
    }

    private DeviceResult device() {
        Peak peak = new Peak(
                0,
                0,
                700 * MB,
                699 * MB,
                800 * MB,
                9_999,
                START + 13_000_000,
                1,
                List.of(SiteUse.of(site(41), 700 * MB, 699 * MB, 250, 1, List.of())),
                List.of(),
                List.of(),
                List.of(),
                List.of());
        Coverage coverage =
                new Coverage(10_000, false, true, false, Ring.WHOLE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1.0, Map.of());
        List<TimelinePoint> timeline = List.of(
                new TimelinePoint(0, START, 100 * MB, 120 * MB),
                new TimelinePoint(9_999, START + 13_000_000, 700 * MB, 800 * MB));
        return new DeviceResult(
                0,
                0,
                10_000,
                0,
                0,
                690 * MB,
                800 * MB,
                699 * MB,
                peak,
                timeline,
                List.of(),
                List.of(new Lever(
                        Lever.Kind.CHECKPOINT,
                        site(12),
                        200 * MB,
                        499 * MB,
                        180 * MB,
                        210 * MB,
                        text("recompute"),
                        text("inputs"))),
                new Fit(800 * MB, 740 * MB, 699 * MB, 720 * MB, 770 * MB, 1.1, false, 0),
                steps(),
                coverage);
    }

    private StepSummary steps() {
        return new StepSummary(
                STEPS,
                StepSummary.Kind.ANNOTATION,
                text("one optimizer step"),
                3,
                List.of(new Phase(text("training"), 0, 149), new Phase(text("validation"), 150, 199)));
    }

    private Site site(int line) {
        return new Site(Site.Kind.USER, new Frame("/app/" + text("train") + ".py", line, text("training_step")));
    }

    private String text(String text) {
        return text + suffix;
    }
}
