package dev.leakline.report;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import java.util.Optional;

/** The command that answers what a result leaves open: who keeps what leaks; where that is known, whether a change has helped. */
public final class NextCommand {
    private NextCommand() {}

    /** The command; empty where nothing is wrong, or where the advice is all that there is to do. */
    public static Optional<String> of(AnalysisResult result) {
        if (result.findings().isEmpty() || result.spoken() != null || result.verdict() == Verdict.NO_LEAK) {
            return Optional.empty();
        }
        Finding first = result.findings().getFirst();
        boolean isKept = first.kind() == Kind.LEAK || first.kind() == Kind.REFERENCE_CYCLE;
        if (!isKept) {
            return Optional.empty();
        }
        boolean isHolderKnown = !first.holders().isEmpty() || !result.dumps().isEmpty();
        return Optional.of(
                isHolderKnown
                        ? "change it, then: leakline verify BEFORE -- python SCRIPT.py"
                        : "who keeps it: leakline run -- python SCRIPT.py");
    }
}
