package dev.leakline.lint;

import java.util.List;

/**
 * A place in a file that a rule matches.
 *
 * @param line of the file, in a notebook of its code cells one after another; counts from 1, as the column does
 * @param severity of the rule, one step lower where the finding is only possible
 * @param confidence from 0 to 1: how sure it is that this leaks
 * @param isSafe whether the fix leaves what the program does as it is, but for the memory
 * @param related the lines where what it keeps is made
 * @param grownBytes what a recording saw stay at this line, 0 without one
 */
public record LintFinding(
        String file,
        int line,
        int column,
        int endLine,
        int endColumn,
        Rule rule,
        Severity severity,
        double confidence,
        String message,
        List<TextEdit> fix,
        boolean isSafe,
        List<Integer> related,
        long grownBytes) {

    /** How bad it is, the worst first. */
    public enum Severity {
        HIGH,
        MEDIUM,
        LOW;

        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Replaces what is from the start to the end, which is exclusive; lines and columns count from 1. */
    public record TextEdit(int startLine, int startColumn, int endLine, int endColumn, String text) {}

    /** Edits would have to be made in the cells, so none are offered. */
    LintFinding inNotebook(String place) {
        return new LintFinding(
                file,
                line,
                column,
                endLine,
                endColumn,
                rule,
                severity,
                confidence,
                place + ": " + message,
                List.of(),
                false,
                related,
                0);
    }

    LintFinding grown(long bytes) {
        return new LintFinding(
                file,
                line,
                column,
                endLine,
                endColumn,
                rule,
                severity,
                confidence,
                message,
                fix,
                isSafe,
                related,
                bytes);
    }
}
