package dev.leakline.lint.fix;

import dev.leakline.lint.fix.Patch.Edit;
import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.python.Syntax;
import dev.leakline.python.PythonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Small edits of Python source that keep formatting and comments. */
public final class Rewriting {
    /** Expressions that a suffix such as .item() binds to without parentheses. */
    private static final Set<String> TIGHT = Set.of(
            "identifier", "attribute", "call", "subscript", "parenthesized_expression", "list", "tuple", "dictionary");

    private Rewriting() {}

    /** Puts a suffix behind an expression, with parentheses where it needs them. */
    public static List<Edit> append(Syntax expression, String suffix) {
        if (TIGHT.contains(expression.type())) {
            return List.of(new Edit(expression.end(), expression.end(), suffix));
        }
        return List.of(
                new Edit(expression.start(), expression.start(), "("),
                new Edit(expression.end(), expression.end(), ")" + suffix));
    }

    public static Edit replace(Syntax node, String text) {
        return new Edit(node.start(), node.end(), text);
    }

    /** A line before the statement that a node is in, indented like it. */
    public static Edit lineBefore(Syntax node, String text) {
        Syntax statement = node.statement();
        PythonText source = node.source();
        return new Edit(
                statement.start(), statement.start(), text + source.lineBreak() + source.indentation(statement.line()));
    }

    /** A line behind the statement that a node is in, behind its comment too. */
    public static Edit lineAfter(Syntax node, String text) {
        Syntax statement = node.statement();
        PythonText source = node.source();
        int end = source.lineEnd(source.line(Math.max(statement.start(), statement.end() - 1)));
        return new Edit(end, end, source.lineBreak() + source.indentation(statement.line()) + text);
    }

    /** Takes out a statement with its line, or leaves pass where it is the only one of its block. */
    public static Edit delete(Syntax node) {
        Syntax statement = node.statement();
        PythonText source = node.source();
        int line = statement.line();
        boolean only =
                statement.parent() != null && statement.parent().children().size() == 1;
        boolean alone = source.text()
                        .substring(source.lineStart(line), statement.start())
                        .isBlank()
                && source.line(statement.end()) < source.lines()
                && source.text()
                        .substring(statement.end(), source.lineEnd(source.line(statement.end())))
                        .isBlank();
        if (only || !alone) {
            return replace(statement, "pass");
        }
        return new Edit(source.lineStart(line), source.lineStart(source.line(statement.end()) + 1), "");
    }

    /** Takes out an argument and the comma that goes with it. */
    public static Edit deleteArgument(Syntax value) {
        Syntax argument = value.parent() != null && value.parent().is("keyword_argument") ? value.parent() : value;
        String text = argument.source().text();
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
            return new Edit(before, end, "");
        }
        if (after < text.length() && text.charAt(after) == ',') {
            do {
                after++;
            } while (after < text.length() && text.charAt(after) == ' ');
            return new Edit(start, after, "");
        }
        return new Edit(start, end, "");
    }

    /** Puts one simple statement under a with; what goes on in brackets on further lines may stay as it is. */
    public static Edit wrap(Syntax node, String context) {
        Syntax statement = node.statement();
        PythonText source = node.source();
        String indentation = source.indentation(statement.line());
        String unit = indentation.contains("\t") ? "\t" : "    ";
        return new Edit(
                statement.start(),
                statement.start(),
                "with " + context + ":" + source.lineBreak() + indentation + unit);
    }

    /** Returns whether a statement has no block of its own and stands on lines of its own. */
    public static boolean isSimple(Syntax statement) {
        PythonText source = statement.source();
        boolean first = source.text()
                .substring(source.lineStart(statement.line()), statement.start())
                .isBlank();
        return first
                && (statement.is("expression_statement")
                        || statement.is("return_statement")
                        || statement.is("assert_statement"))
                && !source.text()
                        .substring(statement.end(), source.lineEnd(source.line(statement.end())))
                        .strip()
                        .startsWith(";");
    }

    /** Imports a module where the file does not yet; empty where it does. */
    public static List<Edit> importing(FileModel file, String module) {
        if (module.equals(file.imported(module))) {
            return List.of();
        }
        for (Syntax statement : file.tree().root().children()) {
            boolean future = statement.is("future_import_statement");
            boolean documentation = statement.is("expression_statement") && statement.first("string") != null;
            if (!future && !documentation) {
                return List.of(lineBefore(statement, "import " + module));
            }
        }
        return List.of();
    }

    @SafeVarargs
    public static List<Edit> all(List<Edit>... parts) {
        List<Edit> all = new ArrayList<>();
        for (List<Edit> part : parts) {
            all.addAll(part);
        }
        return all;
    }
}
