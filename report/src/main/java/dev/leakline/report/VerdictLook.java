package dev.leakline.report;

import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult.Verdict;
import java.util.function.UnaryOperator;

/** The colours of verdicts. */
final class VerdictLook {
    private VerdictLook() {}

    /** The look of a verdict: green where nothing leaks, red where something is wrong. */
    static UnaryOperator<String> of(Verdict verdict, Style style) {
        return text -> switch (verdict) {
            case NO_LEAK -> style.bold(style.good(text));
            case UNDETERMINED -> style.bold(text);
            default -> style.bold(style.alarm(text));
        };
    }
}
