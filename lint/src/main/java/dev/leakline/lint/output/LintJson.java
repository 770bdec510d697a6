package dev.leakline.lint.output;

import dev.leakline.lint.LintFinding;
import dev.leakline.lint.LintResult;
import dev.leakline.lint.LintResult.Unreadable;
import io.avaje.jsonb.Json;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A result as JSON of the schema {@code leakline.lint/1}. */
@Json(naming = Json.Naming.LowerUnderscore)
public record LintJson(String schema, int files, List<Found> findings, List<Problem> errors) {
    /** A finding; the bytes are null without a recording. */
    @Json(naming = Json.Naming.LowerUnderscore)
    public record Found(
            String file,
            int line,
            int column,
            int endLine,
            int endColumn,
            String rule,
            String name,
            String severity,
            double confidence,
            String message,
            @Nullable Long grownBytes,
            boolean safe,
            List<Edit> fix) {}

    /** Replaces what is from the start to the end, which is exclusive. */
    @Json(naming = Json.Naming.LowerUnderscore)
    public record Edit(int startLine, int startCol, int endLine, int endCol, String text) {}

    /** A file that is no Python as a whole. */
    @Json
    public record Problem(String file, int line, String message) {}

    public static void write(LintResult result, Writer out) {
        Documents.write(
                new LintJson(
                        "leakline.lint/1",
                        result.files(),
                        result.findings().stream().map(LintJson::found).toList(),
                        result.errors().stream().map(LintJson::problem).toList()),
                out);
    }

    private static Found found(LintFinding finding) {
        LintFinding.Range range = finding.range();
        return new Found(
                finding.file(),
                range.line(),
                range.column(),
                range.endLine(),
                range.endColumn(),
                finding.rule().id(),
                finding.rule().name(),
                finding.severity().word(),
                finding.confidence(),
                finding.message(),
                finding.grownBytes() > 0 ? finding.grownBytes() : null,
                finding.fix().isSafe(),
                finding.fix().edits().stream().map(LintJson::edit).toList());
    }

    private static Edit edit(LintFinding.TextEdit edit) {
        LintFinding.Range range = edit.range();
        return new Edit(range.line(), range.column(), range.endLine(), range.endColumn(), edit.text());
    }

    private static Problem problem(Unreadable error) {
        return new Problem(error.file(), error.line(), error.message());
    }
}
