package dev.leakline.compare;

import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.Basis;
import dev.leakline.result.Comparison.FindingChange;
import dev.leakline.result.Comparison.Outcome;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Growth;
import dev.leakline.text.ByteSize;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a change of a program: the change of all that was wrong, added up. What leaks count is what they add per step together, however slow they are;
 * of other findings those that are only worth knowing do not count. What leaks on the host is weighed beside it ({@link HostChange}).
 *
 * @param word the outcome
 * @param sentence what became of what, without a full stop; it begins with the word
 */
record ChangeOutcome(Outcome word, String sentence) {
    /** From here on a ratio of rates is told in whole numbers. */
    private static final double WHOLE = 10;

    static ChangeOutcome of(Comparison comparison) {
        Wrong wrong = new Wrong(comparison);
        HostChange host = new HostChange(comparison);
        return wrong.isNothing() ? host.alone().orElseGet(wrong::outcome) : host.beside(wrong.outcome());
    }

    static ChangeOutcome of(Outcome word, String sentence) {
        return new ChangeOutcome(word, word.word() + ": " + sentence);
    }

    /** How often a rate goes into another, such as " 1.7-fold"; empty where that is unknown. */
    static String fold(double fold) {
        return !Double.isFinite(fold)
                ? ""
                : fold >= WHOLE ? " " + Math.round(fold) + "-fold" : " " + Math.round(10 * fold) / 10.0 + "-fold";
    }

    /** A sum of findings: bytes per step, or bytes, with the ends of its interval. */
    private record Total(double value, double low, double high) {
        static Total ofRates(List<Finding> findings) {
            Total total = new Total(0, 0, 0);
            for (Finding finding : findings) {
                Growth growth = finding.growth();
                total = growth == null
                        ? total
                        : total.plus(new Total(finding.bytesPerStep(), growth.low(), growth.high()));
            }
            return total;
        }

        static Total ofBytes(List<Finding> findings) {
            double sum = findings.stream().mapToDouble(Finding::bytes).sum();
            return new Total(sum, sum * (1 - FindingChanges.SIZE_ERROR / 2), sum * (1 + FindingChanges.SIZE_ERROR / 2));
        }

        private Total plus(Total other) {
            return new Total(value + other.value, low + other.low, high + other.high);
        }

        /** Returns whether the intervals meet, or both read alike with three digits. */
        boolean isLike(Total other) {
            return (low <= other.high && other.low <= high)
                    || ByteSize.format(value).equals(ByteSize.format(other.value));
        }
    }

    /** All that was wrong, and all that is. */
    private static final class Wrong {
        private final Comparison comparison;
        private final List<Finding> were;
        private final List<Finding> are;
        private final List<FindingChange> left;
        private final List<Finding> gone;
        private final List<Finding> added;

        Wrong(Comparison comparison) {
            this.comparison = comparison;
            List<Finding> order = comparison.before().result().findings();
            were = order.stream().filter(Wrong::is).toList();
            List<FindingChange> changes = comparison.findings();
            are = changes.stream().map(FindingChange::after).filter(Wrong::is).toList();
            left = changes.stream()
                    .filter(change -> is(change.before()) && is(change.after()))
                    .toList();
            gone = changes.stream()
                    .filter(change -> is(change.before()) && !is(change.after()))
                    .map(FindingChange::before)
                    .sorted(Comparator.comparingInt(order::indexOf))
                    .toList();
            added = changes.stream()
                    .filter(change -> !is(change.before()) && is(change.after()))
                    .map(FindingChange::after)
                    .filter(Predicate.not(this::wasHeld))
                    .toList();
        }

        private static boolean is(@Nullable Finding finding) {
            return finding != null && (finding.severity() != Severity.INFO || finding.kind() == Kind.LEAK);
        }

        /** Returns whether an owner of it was among the owners of what leaked before. */
        private boolean wasHeld(Finding finding) {
            return FindingChanges.owners(finding)
                    .anyMatch(owner ->
                            were.stream().flatMap(FindingChanges::owners).anyMatch(owner::equals));
        }

        boolean isNothing() {
            return were.isEmpty() && are.isEmpty();
        }

        ChangeOutcome outcome() {
            if (were.isEmpty()) {
                return are.isEmpty()
                        ? of(Outcome.SAME, comparison.isSame() ? "nothing differs" : "nothing was wrong before")
                        : of(Outcome.WORSE, names(are) + isOrAre(are) + " new");
            }
            if (are.isEmpty()) {
                return isOpen()
                        ? of(
                                Outcome.UNDETERMINED,
                                name(were.getFirst()) + " is not found, but "
                                        + comparison.after().result().reason())
                        : of(Outcome.FIXED, names(were) + isOrAre(were) + " gone");
            }
            if (added.size() == are.size()) {
                return of(
                        Outcome.ANOTHER,
                        names(were) + isOrAre(were) + " gone, but " + names(added) + isOrAre(added) + " new");
            }
            return left.stream().anyMatch(change -> change.basis() == Basis.STEPS_DIFFER)
                    ? of(Outcome.UNDETERMINED, name(were.getFirst()) + " is still there, and steps mean something else")
                    : weighed();
        }

        /** Returns whether the recording after is one that would not have found it. */
        private boolean isOpen() {
            return comparison.after().result().verdict() == Verdict.UNDETERMINED;
        }

        private ChangeOutcome weighed() {
            boolean isRate = left.isEmpty() || left.stream().anyMatch(change -> change.basis() == Basis.RATE);
            Total was = isRate ? Total.ofRates(were) : Total.ofBytes(were);
            Total is = isRate ? Total.ofRates(are) : Total.ofBytes(are);
            String now = isRate ? ", now " + ByteSize.format(is.value) + " per step" : "";
            boolean isBeside = added.stream().anyMatch(finding -> isRate == (finding.growth() == null));
            if (isBeside || (is.value > was.value && !was.isLike(is))) {
                return of(Outcome.WORSE, all(was, isRate) + now + changes());
            }
            return was.isLike(is)
                    ? of(Outcome.SAME, all(was, isRate) + changes())
                    : new ChangeOutcome(
                            Outcome.REDUCED,
                            "reduced" + fold(was.value / is.value) + ": " + all(was, isRate) + now + changes());
        }

        private String all(Total was, boolean isRate) {
            List<Finding> weighed = were.stream()
                    .filter(finding -> !isRate || finding.growth() != null)
                    .toList();
            return weighed.size() == 1 || !isRate
                    ? names(weighed)
                    : ByteSize.format(was.value) + " per step in " + weighed.size() + " leaks";
        }

        private String changes() {
            return Stream.of(
                            gone.isEmpty() || were.size() == 1 ? "" : names(gone) + isOrAre(gone) + " gone",
                            added.isEmpty() ? "" : names(added) + isOrAre(added) + " new")
                    .filter(Predicate.not(String::isEmpty))
                    .map(text -> "; " + text)
                    .reduce("", String::concat);
        }

        private static String names(List<Finding> findings) {
            int more = findings.size() - 1;
            return name(findings.getFirst()) + (more > 0 ? " and " + more + " more" : "");
        }

        private static String isOrAre(List<Finding> findings) {
            return findings.size() > 1 ? " are" : " is";
        }

        private static String name(Finding finding) {
            String grows = finding.bytesPerStep() > 0
                    ? ByteSize.format(finding.bytesPerStep()) + " per step"
                    : finding.title();
            return finding.site().isLine() ? grows + " at " + finding.site().brief() : grows;
        }
    }
}
