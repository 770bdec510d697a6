package dev.leakline.compare;

import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.Change;
import dev.leakline.result.Comparison.FindingChange;
import dev.leakline.result.Comparison.Outcome;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.text.ByteSize;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a change of a program: the change of the first finding before, and what else is wrong after. Leaks count however slow they are;
 * of other findings those that are only worth knowing do not.
 *
 * @param word the outcome
 * @param sentence what became of what, without a full stop
 */
record ChangeOutcome(Outcome word, String sentence) {
    /** From here on a ratio of rates is told in whole numbers. */
    private static final double WHOLE = 10;

    static ChangeOutcome of(Comparison comparison) {
        List<FindingChange> wrong = comparison.findings().stream()
                .filter(change -> isWrong(change.before()) || isWrong(change.after()))
                .toList();
        Optional<FindingChange> first = wrong.stream()
                .filter(change -> isWrong(change.before()))
                .min((one, other) -> order(comparison, one, other));
        Optional<FindingChange> added = wrong.stream()
                .filter(change -> !isWrong(change.before()) && isWrong(change.after()))
                .findFirst();
        if (first.isEmpty()) {
            return added.map(change -> new ChangeOutcome(Outcome.WORSE, "worse: " + name(change.after()) + " is new"))
                    .orElseGet(() -> new ChangeOutcome(Outcome.SAME, "the same: nothing was wrong before"));
        }
        return of(comparison, first.get(), added);
    }

    private static ChangeOutcome of(Comparison comparison, FindingChange first, Optional<FindingChange> added) {
        String name = name(first.before());
        if (!isWrong(first.after())) {
            return added.map(change -> new ChangeOutcome(
                            Outcome.ANOTHER, "another: " + name + " is gone, but " + name(change.after()) + " is new"))
                    .orElseGet(() -> gone(comparison, first, name));
        }
        return switch (first.change()) {
            case WORSE -> new ChangeOutcome(Outcome.WORSE, "worse: " + name + rates(first));
            case BETTER ->
                added.map(change -> new ChangeOutcome(
                                Outcome.WORSE, "worse: " + name(change.after()) + " is new, beside " + name))
                        .orElseGet(() -> new ChangeOutcome(
                                Outcome.REDUCED, "reduced" + fold(first) + ": " + name + rates(first)));
            case SAME -> new ChangeOutcome(Outcome.SAME, "the same: " + name + rates(first));
            case UNCLEAR, NEW, GONE ->
                new ChangeOutcome(
                        Outcome.UNDETERMINED,
                        "undetermined: " + name + " is still there, and steps mean something else");
        };
    }

    /** The outcome where a finding is gone: it is fixed if the recording is one that would have found it. */
    private static ChangeOutcome gone(Comparison comparison, FindingChange first, String name) {
        Optional<FindingChange> left = comparison.findings().stream()
                .filter(change -> isWrong(change.before()) && isWrong(change.after()))
                .findFirst();
        if (left.isPresent()) {
            return new ChangeOutcome(
                    Outcome.REDUCED,
                    "reduced: " + name + " is gone, " + name(left.get().after()) + " is not");
        }
        return comparison.after().result().verdict() == Verdict.UNDETERMINED
                ? new ChangeOutcome(
                        Outcome.UNDETERMINED,
                        "undetermined: " + name + " is not found, but "
                                + comparison.after().result().reason())
                : new ChangeOutcome(
                        Outcome.FIXED, "fixed: " + name + (first.after() == null ? " is gone" : rates(first)));
    }

    /** The order in which findings stand in the result before, the most serious first. */
    private static int order(Comparison comparison, FindingChange one, FindingChange other) {
        List<Finding> before = comparison.before().result().findings();
        return Integer.compare(before.indexOf(one.before()), before.indexOf(other.before()));
    }

    private static boolean isWrong(@Nullable Finding finding) {
        return finding != null && (finding.severity() != Severity.INFO || finding.kind() == Kind.LEAK);
    }

    private static String name(@Nullable Finding finding) {
        Finding known = Objects.requireNonNull(finding);
        String grows = known.bytesPerStep() > 0 ? ByteSize.format(known.bytesPerStep()) + " per step" : known.title();
        return known.site().isLine() ? grows + " at " + known.site().brief() : grows;
    }

    private static String fold(FindingChange change) {
        double fold = 1 / change.ratio();
        return !Double.isFinite(fold)
                ? ""
                : fold >= WHOLE ? " " + Math.round(fold) + "-fold" : " " + Math.round(10 * fold) / 10.0 + "-fold";
    }

    private static String rates(FindingChange change) {
        Finding after = change.after();
        return change.change() == Change.SAME || after == null || !(after.bytesPerStep() > 0)
                ? ""
                : ", now " + ByteSize.format(after.bytesPerStep()) + " per step";
    }
}
