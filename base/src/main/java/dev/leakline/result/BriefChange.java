package dev.leakline.result;

import dev.leakline.result.Comparison.Change;
import dev.leakline.result.Comparison.FindingChange;
import dev.leakline.result.Comparison.Outcome;
import dev.leakline.text.Printable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a comparison in little room. Texts that are longer than there is room for end with an ellipsis.
 *
 * @param schema {@link #SCHEMA}
 * @param outcome whether a change has helped, in one word
 * @param sentence what changed, in a sentence
 * @param findings the findings that changed most, three at most
 * @param caveat what makes the two hard to compare, null where nothing does
 * @param next the command that goes on from here
 */
public record BriefChange(
        String schema,
        Outcome outcome,
        String sentence,
        List<Row> findings,
        @Nullable String caveat,
        String next) {
    /** The schema of this as JSON. */
    public static final String SCHEMA = "leakline.change/1";

    private static final int FINDINGS = 3;

    /**
     * A finding of either side.
     *
     * @param id the id that it had before the change, where it was there, so that it can be followed from run to run
     * @param change what became of it
     * @param title the finding in a few words
     * @param at its line as it is, else as it was
     * @param bytesPerStepBefore its rate before; NaN for what was not there or does not grow by steps
     * @param bytesPerStep its rate after
     */
    public record Row(
            String id, Change change, String title, String at, double bytesPerStepBefore, double bytesPerStep) {
        private static Row of(FindingChange change, int room) {
            Finding finding = change.finding();
            return new Row(
                    change.id(),
                    change.change(),
                    Printable.cut(finding.title(), room),
                    Printable.cut(finding.site().brief(), room),
                    rate(change.before()),
                    rate(change.after()));
        }

        private static double rate(@Nullable Finding finding) {
            return finding == null ? Double.NaN : Math.rint(finding.bytesPerStep());
        }
    }

    /** A comparison in texts of so many characters at most. */
    public static BriefChange of(Comparison comparison, int room, String next) {
        return new BriefChange(
                SCHEMA,
                comparison.outcome(),
                Printable.cut(comparison.summary(), room),
                comparison.findings().stream()
                        .limit(FINDINGS)
                        .map(change -> Row.of(change, room))
                        .toList(),
                comparison.caveats().stream()
                        .findFirst()
                        .map(caveat -> Printable.cut(caveat, room))
                        .orElse(null),
                next);
    }
}
