package dev.leakline.lint;

import java.util.List;

/** The findings of lint in some files: findings, the worst first, and what could not be read. */
public record LintResult(List<LintFinding> findings, List<Unreadable> errors, int files, long lines) {
    /** A file that is no Python, or no text, or cannot be opened; what can be seen of it is judged all the same. */
    public record Unreadable(String file, int line, String message) {}
}
