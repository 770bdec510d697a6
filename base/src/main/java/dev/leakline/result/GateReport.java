package dev.leakline.result;

import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Comparison.Change;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Returns whether a result may pass: a check for each finding and each budget.
 *
 * @param schema {@link #SCHEMA}
 * @param tool what checked it
 * @param inputs the files that were checked
 * @param baseline the name of what they were compared with, null where that is nothing
 * @param change what has changed since, in a sentence that begins with one word for it; null where there is no baseline
 * @param verdict of the files that were checked
 * @param isPassed whether no check failed
 * @param summary how many checks there were and failed, in a few words
 * @param checks those that failed first
 * @param caveats what makes the comparison hard, and which entries of the settings are of no use any more, in sentences
 */
public record GateReport(
        String schema,
        Tool tool,
        List<String> inputs,
        @Nullable String baseline,
        @Nullable String change,
        Verdict verdict,
        boolean isPassed,
        String summary,
        List<Check> checks,
        List<String> caveats) {
    /** The schema of a gate's report as JSON. */
    public static final String SCHEMA = "leakline.gate/1";

    /** Outcomes of a check, those that matter most first. */
    public enum Outcome {
        FAILED,
        /** It failed, and somebody has said until when that is fine. */
        ACCEPTED,
        /** The recording cannot tell. */
        SKIPPED,
        PASSED
    }

    /** Subjects of a check. */
    public enum Subject {
        FINDING,
        BUDGET,
        VERDICT
    }

    /**
     * A check.
     *
     * @param id a finding's id, or a budget as it was written, such as {@code peak} and {@code growth@train.py:42}
     * @param change of a finding since the baseline, null where there is none
     * @param site the line that it is about, null where it is about none
     * @param sentence what was found, and what is allowed
     * @param why somebody accepted it, null where nobody has
     */
    public record Check(
            String id,
            Subject subject,
            Outcome outcome,
            @Nullable Change change,
            @Nullable Site site,
            String sentence,
            @Nullable String why) {
        /** A copy with another outcome, for which somebody gave a reason. */
        public Check with(Outcome other, String said, @Nullable String reason) {
            return new Check(id, subject, other, change, site, said, reason);
        }
    }
}
