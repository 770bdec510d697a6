package dev.leakline.lint;

import dev.leakline.python.PythonText;
import java.util.List;

/** Lints a text. */
final class Linted {
    private Linted() {}

    static List<LintFinding> findings(String text) {
        return new Linter(_ -> true).lint("x.py", PythonText.of(text)).findings();
    }

    /** Rule and line of each finding, in the order of lines. */
    static List<String> of(String text) {
        return findings(text).stream()
                .map(finding -> finding.rule().id() + ":" + finding.line())
                .sorted()
                .toList();
    }
}
