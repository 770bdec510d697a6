package dev.leakline.lint.fix;

import dev.leakline.lint.flow.FileModel;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.PythonText;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.SourceFile;

/** Small edits of Python source that keep formatting and comments. */
public final class Rewriting {
    private Rewriting() {}

    /** Takes out a statement with its line, or leaves pass where it is the only one of its block. */
    public static Edit delete(Node node, FileModel file) {
        Stmt statement = file.source().statement(node);
        PythonText source = file.source().text();
        int line = source.line(statement.start());
        int last = source.line(statement.end());
        boolean only = file.block(statement).size() == 1;
        boolean alone = source.text()
                        .substring(source.lineStart(line), statement.start())
                        .isBlank()
                && last < source.lines()
                && source.text()
                        .substring(statement.end(), source.lineEnd(last))
                        .isBlank();
        if (only || !alone) {
            return Edit.replace(file.source(), statement, "pass");
        }
        return new Edit(file.source(), source.lineStart(line), source.lineStart(last + 1), "");
    }

    /** Takes out an argument and the comma that goes with it. */
    public static Edit deleteArgument(Expr value, SourceFile file) {
        Node argument = file.parent(value) instanceof Node.Keyword keyword ? keyword : value;
        String text = file.text().text();
        int start = argument.start();
        int end = argument.end();
        int after = end;
        while (after < text.length() && Character.isWhitespace(text.charAt(after))) {
            after++;
        }
        int before = start - 1;
        while (before > 0 && Character.isWhitespace(text.charAt(before))) {
            before--;
        }
        if (text.charAt(before) == ',') {
            return new Edit(file, before, end, "");
        }
        if (after < text.length() && text.charAt(after) == ',') {
            do {
                after++;
            } while (after < text.length() && text.charAt(after) == ' ');
            return new Edit(file, start, after, "");
        }
        return new Edit(file, start, end, "");
    }

    /** Puts one simple statement under a with; what goes on in brackets on further lines may stay as it is. */
    static Edit wrap(Stmt statement, String context, SourceFile file) {
        PythonText source = file.text();
        String indentation = source.indentation(source.line(statement.start()));
        String unit = indentation.contains("\t") ? "\t" : "    ";
        return new Edit(
                file,
                statement.start(),
                statement.start(),
                "with " + context + ":" + source.lineBreak() + indentation + unit);
    }

    /** Returns whether a statement has no block of its own and stands on lines of its own. */
    static boolean isSimple(Stmt statement, PythonText source) {
        boolean first = source.text()
                .substring(source.lineStart(source.line(statement.start())), statement.start())
                .isBlank();
        boolean simple = switch (statement) {
            case Stmt.Expression _, Stmt.Assign _, Stmt.AnnAssign _, Stmt.AugAssign _, Stmt.Return _, Stmt.Assert _ ->
                true;
            default -> false;
        };
        return first
                && simple
                && !source.text()
                        .substring(statement.end(), source.lineEnd(source.line(statement.end())))
                        .strip()
                        .startsWith(";");
    }
}
