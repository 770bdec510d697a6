package dev.leakline.finding;

import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult.Source;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Check;
import dev.leakline.result.Finding;
import java.util.ArrayList;
import java.util.List;

/**
 * The conclusion from one kind of evidence, or from several that were joined.
 *
 * @param source the evidence that the verdict rests on
 * @param verdict one word for it
 * @param reason why, in a sentence
 * @param findings what is wrong, most serious first
 * @param acquittals what looks like a leak but is not
 * @param checks what was looked at, and what could not be
 */
public record Opinion(
        Source source,
        Verdict verdict,
        String reason,
        List<Finding> findings,
        List<Acquittal> acquittals,
        List<Check> checks) {
    /** The opinion of evidence that has neither findings nor checks. */
    public Opinion(Source source, Verdict verdict, String reason) {
        this(source, verdict, reason, List.of(), List.of(), List.of());
    }

    /** Another verdict, or the same for another reason, on the same findings. */
    public Opinion because(Source other, Verdict otherVerdict, String otherReason) {
        return new Opinion(other, otherVerdict, otherReason, findings, acquittals, checks);
    }

    /** The same with what another opinion has found beside it. */
    public Opinion with(Opinion more) {
        return new Opinion(
                source,
                verdict,
                reason,
                joined(findings, more.findings),
                joined(acquittals, more.acquittals),
                joined(checks, more.checks));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        List<T> joined = new ArrayList<>(first);
        joined.addAll(second);
        return joined;
    }
}
