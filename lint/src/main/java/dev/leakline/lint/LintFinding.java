package dev.leakline.lint;

import java.util.List;
import java.util.Locale;

/**
 * A place in a file that a rule matches.
 *
 * @param range of the file, in a notebook of its code cells one after another
 * @param severity of the rule, one step lower where the finding is only possible
 * @param confidence from 0 to 1: how sure it is that this leaks
 * @param related the lines where what it keeps is made
 * @param grownBytes what a recording saw stay at this line, 0 without one
 */
public record LintFinding(
        String file,
        Range range,
        Rule rule,
        Severity severity,
        double confidence,
        String message,
        Fix fix,
        List<Integer> related,
        long grownBytes) {

    /** How bad it is, the worst first. */
    public enum Severity {
        HIGH,
        MEDIUM,
        LOW;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** From the start to the end, which is exclusive; lines and columns count from 1. */
    public record Range(int line, int column, int endLine, int endColumn) {}

    /** Replaces what is in a range. */
    public record TextEdit(Range range, String text) {}

    /**
     * The edits that mend it; no edits where nothing does.
     *
     * @param isSafe whether the edits leave what the program does as it is, but for the memory
     */
    public record Fix(List<TextEdit> edits, boolean isSafe) {
        static final Fix NONE = new Fix(List.of(), false);
    }

    public int line() {
        return range.line();
    }

    /** Edits would have to be made in the cells, so none are offered. */
    LintFinding inNotebook(String place) {
        return new LintFinding(
                file, range, rule, severity, confidence, place + ": " + message, Fix.NONE, related, grownBytes);
    }

    LintFinding grown(long bytes) {
        return new LintFinding(file, range, rule, severity, confidence, message, fix, related, bytes);
    }
}
