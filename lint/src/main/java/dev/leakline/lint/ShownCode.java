package dev.leakline.lint;

import dev.leakline.Sources.CodeReader;
import dev.leakline.lint.LintFinding.Severity;
import dev.leakline.python.PythonText;
import dev.leakline.result.Finding.Advice;
import java.util.Comparator;
import java.util.List;

/** Judges the code that texts show, as people paste it beside what their programs print. */
public final class ShownCode implements CodeReader {
    /** Changes that a reader looks at beside what was measured. */
    private static final int MOST = 3;

    @Override
    public List<Advice> read(String code) {
        return DeepStack.call(() -> advice(code), List.of());
    }

    private static List<Advice> advice(String code) {
        return new Linter(_ -> true)
                .lint("", PythonText.of(code)).findings().stream()
                        .filter(finding -> finding.severity() != Severity.LOW
                                && finding.confidence() >= Configuration.LEAST_CONFIDENCE)
                        .sorted(Comparator.comparingDouble(LintFinding::confidence)
                                .reversed())
                        .limit(MOST)
                        .map(ShownCode::advice)
                        .toList();
    }

    private static Advice advice(LintFinding finding) {
        String fix = finding.rule().fix();
        return Advice.of(
                "In line " + finding.line() + " of the code: " + Character.toLowerCase(fix.charAt(0))
                        + fix.substring(1, fix.endsWith(".") ? fix.length() - 1 : fix.length()),
                "By what is written there, " + finding.message() + " (leakline lint, "
                        + finding.rule().id() + "; read in the code, not measured).",
                0);
    }
}
