package dev.leakline.report;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.Growth;
import dev.leakline.text.ByteSize;

/** The verdict in one sentence. */
final class Headline {
    private Headline() {}

    /** The reason that the result gives; where it gives none, what follows from its first finding. */
    static String of(AnalysisResult result) {
        if (!result.reason().isBlank()) {
            return result.reason();
        }
        return result.findings().stream()
                .filter(finding -> finding.kind().name().equals(result.verdict().name()))
                .findFirst()
                .map(Headline::of)
                .orElseGet(() -> of(result.verdict()));
    }

    private static String of(Finding finding) {
        Growth growth = finding.growth();
        return growth == null || finding.kind() != Finding.Kind.LEAK
                ? Labels.located(finding.title(), finding.site())
                : ByteSize.format(Math.round(growth.bytesPerStep())) + " per step stays, step after step, at "
                        + Labels.brief(finding.site());
    }

    private static String of(Verdict verdict) {
        return switch (verdict) {
            case LEAK -> "memory stays, step after step";
            case REFERENCE_CYCLE -> "memory waits for the garbage collector";
            case OOM_FRAGMENTATION -> "a request failed although enough memory was free, in pieces";
            case OOM -> "a request failed because not enough memory was free";
            case NO_LEAK -> "nothing leaks in what was recorded";
            case UNDETERMINED -> "the recording cannot tell whether memory leaks";
        };
    }
}
