package dev.leakline.gate;

import dev.leakline.compare.Comparer;
import dev.leakline.gate.Budget.Measure;
import dev.leakline.gate.GateRules.Acceptance;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.Change;
import dev.leakline.result.Comparison.FindingChange;
import dev.leakline.result.Comparison.Side;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.Finding;
import dev.leakline.result.GateReport;
import dev.leakline.result.GateReport.Check;
import dev.leakline.result.GateReport.Outcome;
import dev.leakline.result.GateReport.Subject;
import dev.leakline.result.InputFile;
import dev.leakline.result.Peak;
import dev.leakline.result.SiteUse;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds a result against {@link GateRules rules}. A finding that grows within a budget for its line passes, one beyond it fails. Where no budget is about
 * it, it fails if it is new or worse than in the baseline; without a baseline it fails as such.
 */
public final class Gate {
    private final AnalysisResult result;
    private final @Nullable Side baseline;
    private final GateRules rules;
    private final LocalDate today;
    private final List<Check> checks = new ArrayList<>();
    private final List<String> caveats = new ArrayList<>();
    private @Nullable String change;

    private Gate(AnalysisResult result, @Nullable Side baseline, GateRules rules, LocalDate today) {
        this.result = result;
        this.baseline = baseline;
        this.rules = rules;
        this.today = today;
    }

    /** Judges a result by what it may and may not; {@code baseline} is null where it is compared with nothing. */
    public static GateReport judge(AnalysisResult result, @Nullable Side baseline, GateRules rules, LocalDate today) {
        return new Gate(result, baseline, rules, today).judged();
    }

    private GateReport judged() {
        if (baseline == null) {
            result.findings().forEach(finding -> checks.add(check(finding, null)));
        } else {
            Comparison comparison = Comparer.compare(baseline, new Side("now", result));
            change = comparison.summary();
            compare(comparison);
        }
        rules.budgets().stream()
                .filter(budget -> budget.measure() != Measure.GROWTH)
                .forEach(budget -> checks.add(peak(budget)));
        verdict();
        host();
        checks.replaceAll(this::accepted);
        checks.sort(Comparator.comparing(Check::outcome));
        warnOfStale();
        return new GateReport(
                GateReport.SCHEMA,
                result.tool(),
                result.inputs().stream().map(InputFile::path).toList(),
                baseline == null ? null : baseline.name(),
                change,
                result.verdict(),
                count(Outcome.FAILED) == 0,
                summary(),
                checks,
                caveats);
    }

    private void compare(Comparison comparison) {
        comparison.findings().stream()
                .filter(change -> change.change() != Change.GONE)
                .forEach(change -> checks.add(check(change.finding(), change)));
        caveats.addAll(comparison.caveats());
    }

    private Check check(Finding finding, @Nullable FindingChange change) {
        Optional<Budget> budget = rules.budgets().stream()
                .filter(one -> one.measure() == Measure.GROWTH && one.isOf(finding.site()))
                .max(Comparator.comparingInt(Budget::precision));
        boolean isGrowing = finding.bytesPerStep() > 0;
        boolean isFailed = (isGrowing && budget.isPresent())
                ? finding.bytesPerStep() > budget.get().bytes()
                : (rules.counts().test(finding) && isNews(change));
        String allowed = budget.filter(_ -> isGrowing)
                .map(one -> "; the budget is " + one.words() + " per step")
                .orElse("");
        return new Check(
                finding.id(),
                Subject.FINDING,
                isFailed ? Outcome.FAILED : Outcome.PASSED,
                change == null ? null : change.change(),
                finding.site(),
                finding.site().locate(finding.title()) + rate(finding) + was(change) + allowed,
                null);
    }

    private static boolean isNews(@Nullable FindingChange change) {
        return change == null || change.change() == Change.NEW || change.change() == Change.WORSE;
    }

    private static String rate(Finding finding) {
        return finding.bytesPerStep() > 0
                ? ": grows by " + ByteSize.format(finding.bytesPerStep()) + " per step"
                : finding.bytes() > 0 ? ": " + ByteSize.format(finding.bytes()) : "";
    }

    private static String was(@Nullable FindingChange change) {
        if (change == null) {
            return "";
        }
        return switch (change.change()) {
            case NEW -> ", not in the baseline";
            case WORSE, BETTER -> ", the baseline has " + figure(change.before());
            case SAME -> ", as in the baseline";
            case UNCLEAR -> ", which cannot be weighed against the baseline";
            case GONE -> "";
        };
    }

    private static String figure(@Nullable Finding before) {
        return before == null
                ? "nothing"
                : before.bytesPerStep() > 0
                        ? ByteSize.format(before.bytesPerStep()) + " per step"
                        : ByteSize.format(before.bytes());
    }

    private Check peak(Budget budget) {
        long now = peak(result, budget);
        if (result.worst() == null) {
            return budget(
                    budget, Outcome.SKIPPED, "no recording shows a peak, for which the budget is " + budget.words());
        }
        if (budget.measure() == Measure.PEAK) {
            boolean isOver = now > budget.bytes();
            return budget(budget, isOver ? Outcome.FAILED : Outcome.PASSED, told(budget, now));
        }
        if (baseline == null || baseline.result().worst() == null) {
            return budget(
                    budget,
                    Outcome.SKIPPED,
                    "no baseline shows a peak, above which " + budget.words() + " are allowed");
        }
        long before = peak(baseline.result(), budget);
        boolean isOver = now - before > budget.limit(before);
        String said = "the peak is " + ByteSize.format(now) + ", the baseline has " + ByteSize.format(before) + " ("
                + Numbers.change(before, now) + "); the budget is " + budget.words() + " more";
        return budget(budget, isOver ? Outcome.FAILED : Outcome.PASSED, said);
    }

    private static String told(Budget budget, long now) {
        String where =
                budget.file().isEmpty() ? "" : " at " + budget.file() + (budget.line() == 0 ? "" : ":" + budget.line());
        return "the peak" + where + " is " + ByteSize.format(now) + "; the budget is " + budget.words();
    }

    private static Check budget(Budget budget, Outcome outcome, String sentence) {
        return new Check(budget.name(), Subject.BUDGET, outcome, null, null, sentence, null);
    }

    /** The highest of all devices: of all lines, or of those that a budget is about. */
    private static long peak(AnalysisResult result, Budget budget) {
        return result.devices().stream()
                .filter(device -> device.device() >= 0)
                .map(DeviceResult::peak)
                .mapToLong(peak -> budget.file().isEmpty() ? peak.bytes() : atLines(peak, budget))
                .max()
                .orElse(0);
    }

    private static long atLines(Peak peak, Budget budget) {
        return peak.bySite().stream()
                .filter(use -> budget.isOf(use.site()))
                .mapToLong(SiteUse::bytes)
                .sum();
    }

    /** A verdict that no finding stands for. */
    private void verdict() {
        Verdict verdict = result.verdict();
        if (verdict == Verdict.UNDETERMINED) {
            checks.add(verdict(Outcome.SKIPPED, "whether it leaks is undetermined: " + result.reason()));
        } else if (result.findings().isEmpty()) {
            checks.add(verdict(verdict == Verdict.NO_LEAK ? Outcome.PASSED : Outcome.FAILED, result.reason()));
        }
    }

    /** The host's memory, of which the verdict says nothing: it fails where it leaks, and did not in the baseline. */
    private void host() {
        String said = result.onHost();
        if (said != null && result.leaksOnHost()) {
            boolean isKnown = baseline != null && baseline.result().leaksOnHost();
            checks.add(verdict("host", isKnown ? Outcome.PASSED : Outcome.FAILED, said));
        }
    }

    private static Check verdict(Outcome outcome, String sentence) {
        return verdict("verdict", outcome, sentence);
    }

    private static Check verdict(String id, Outcome outcome, String sentence) {
        return new Check(id, Subject.VERDICT, outcome, null, null, sentence, null);
    }

    private Check accepted(Check check) {
        Optional<Acceptance> entry = rules.accepted().stream()
                .filter(one -> one.id().equals(check.id()))
                .max(Comparator.comparing(Acceptance::until));
        if (check.outcome() != Outcome.FAILED || entry.isEmpty()) {
            return check;
        }
        Acceptance accepted = entry.get();
        boolean holds = accepted.holds(today);
        String until =
                (holds ? "; accepted until " : "; it was accepted until ") + accepted.until() + ": " + accepted.why();
        return check.with(holds ? Outcome.ACCEPTED : Outcome.FAILED, check.sentence() + until, accepted.why());
    }

    private void warnOfStale() {
        rules.accepted().stream()
                .filter(entry -> checks.stream().noneMatch(check -> check.id().equals(entry.id())))
                .map(entry -> "nothing has the accepted id " + entry.id() + " any more; its entry can go")
                .forEach(caveats::add);
    }

    private long count(Outcome outcome) {
        return checks.stream().filter(check -> check.outcome() == outcome).count();
    }

    private String summary() {
        long failed = count(Outcome.FAILED);
        long skipped = count(Outcome.SKIPPED);
        String checked = Numbers.counted(checks.size() - skipped, "check")
                + (skipped == 0 ? "" : ", " + skipped + " could not be judged");
        String accepted = count(Outcome.ACCEPTED) == 0 ? "" : ", " + count(Outcome.ACCEPTED) + " accepted";
        return failed == 0 ? "passed: " + checked + accepted : "failed: " + failed + " of " + checked + accepted;
    }
}
