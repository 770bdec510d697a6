package dev.leakline.lint;

import dev.leakline.Analysis;
import dev.leakline.Case;
import dev.leakline.result.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where a recording saw memory stay: findings of lint at those lines come first. */
public final class Recorded {
    private final List<Finding> grown;

    private Recorded(List<Finding> grown) {
        this.grown = grown;
    }

    public static Recorded read(Path recording) throws IOException {
        Case examined = new Case();
        examined.add(recording);
        return new Recorded(examined.judge(Analysis.Options.ALL).findings());
    }

    /** The same result with the bytes that stayed at each finding's lines, those with most first. */
    public LintResult rank(LintResult result) {
        List<LintFinding> ranked = new ArrayList<>();
        for (LintFinding finding : result.findings()) {
            ranked.add(finding.grown(bytesAt(finding)));
        }
        ranked.sort(Linter.ORDER);
        return new LintResult(ranked, result.errors(), result.files(), result.lines());
    }

    /** The most bytes found at the line itself, or at one where what it keeps is made. */
    private long bytesAt(LintFinding finding) {
        return grown.stream()
                .filter(other -> RecordedPlaces.frames(other).anyMatch(frame -> RecordedPlaces.isAt(frame, finding))
                        || RecordedPlaces.isHeldAt(other, finding))
                .mapToLong(Finding::bytes)
                .max()
                .orElse(0);
    }
}
