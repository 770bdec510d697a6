package dev.leakline.lint.server;

import dev.leakline.lint.LintFinding;
import dev.leakline.lint.LintFinding.Severity;
import dev.leakline.python.PythonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.lsp4j.CodeAction;
import org.eclipse.lsp4j.CodeActionKind;
import org.eclipse.lsp4j.Command;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.DiagnosticCodeDescription;
import org.eclipse.lsp4j.DiagnosticSeverity;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.MarkupContent;
import org.eclipse.lsp4j.MarkupKind;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.WorkspaceEdit;
import org.eclipse.lsp4j.jsonrpc.messages.Either;
import org.jspecify.annotations.Nullable;

/** A text and what was found in it, or the limit that kept it from being judged, in the words of the protocol: lines and characters count from 0, characters are UTF-16's. */
record Judged(
        String uri,
        PythonText text,
        List<LintFinding> findings,
        @Nullable String limit) {
    List<Diagnostic> diagnostics() {
        if (limit != null) {
            Position start = new Position(0, 0);
            return List.of(new Diagnostic(
                    new Range(start, start), "This file " + limit, DiagnosticSeverity.Information, "leakline"));
        }
        return findings.stream().map(this::diagnostic).toList();
    }

    private Diagnostic diagnostic(LintFinding finding) {
        Diagnostic diagnostic = new Diagnostic(range(finding.range()), finding.message());
        diagnostic.setSeverity(severity(finding.severity()));
        diagnostic.setCode(finding.rule().id());
        diagnostic.setCodeDescription(
                new DiagnosticCodeDescription(finding.rule().link()));
        diagnostic.setSource("leakline");
        return diagnostic;
    }

    private static DiagnosticSeverity severity(Severity severity) {
        return switch (severity) {
            case HIGH -> DiagnosticSeverity.Error;
            case MEDIUM -> DiagnosticSeverity.Warning;
            case LOW -> DiagnosticSeverity.Information;
        };
    }

    /** The fixes of findings in a range, and comments that switch their rules off. */
    List<Either<Command, CodeAction>> actions(Range where) {
        List<Either<Command, CodeAction>> actions = new ArrayList<>();
        for (LintFinding finding : findings) {
            if (touches(range(finding.range()), where)) {
                if (!finding.fix().edits().isEmpty()) {
                    actions.add(Either.forRight(fix(finding)));
                }
                actions.add(Either.forRight(ignore(finding)));
            }
        }
        return actions;
    }

    private CodeAction fix(LintFinding finding) {
        String doubt = finding.fix().isSafe() ? "" : " (look at what it changes)";
        CodeAction action = action(
                finding,
                "Fix %s%s: %s"
                        .formatted(finding.rule().id(), doubt, finding.rule().fix()),
                finding.fix().edits().stream()
                        .map(edit -> new TextEdit(range(edit.range()), edit.text()))
                        .toList());
        action.setIsPreferred(finding.fix().isSafe());
        return action;
    }

    private CodeAction ignore(LintFinding finding) {
        int end = text.lineEnd(finding.line());
        Position position = position(end);
        String comment = "  # leakline: ignore[%s]".formatted(finding.rule().id());
        return action(
                finding,
                "Ignore %s on this line".formatted(finding.rule().id()),
                List.of(new TextEdit(new Range(position, position), comment)));
    }

    private CodeAction action(LintFinding finding, String title, List<TextEdit> edits) {
        CodeAction action = new CodeAction(title);
        action.setKind(CodeActionKind.QuickFix);
        action.setDiagnostics(List.of(diagnostic(finding)));
        action.setEdit(new WorkspaceEdit(Map.of(uri, edits)));
        return action;
    }

    /** The reasons of the rule that matches here, or null. */
    @Nullable
    Hover hover(Position position) {
        Range where = new Range(position, position);
        return findings.stream()
                .filter(finding -> touches(range(finding.range()), where))
                .findFirst()
                .map(finding -> new Hover(
                        new MarkupContent(MarkupKind.PLAINTEXT, finding.rule().explanation()), range(finding.range())))
                .orElse(null);
    }

    private static boolean touches(Range one, Range other) {
        return !isBefore(one.getEnd(), other.getStart()) && !isBefore(other.getEnd(), one.getStart());
    }

    private static boolean isBefore(Position one, Position other) {
        return one.getLine() < other.getLine()
                || (one.getLine() == other.getLine() && one.getCharacter() < other.getCharacter());
    }

    private Range range(LintFinding.Range range) {
        return new Range(
                position(text.offset(range.line(), range.column())),
                position(text.offset(range.endLine(), range.endColumn())));
    }

    private Position position(int offset) {
        int line = text.line(offset);
        return new Position(line - 1, offset - text.lineStart(line));
    }
}
