package dev.leakline.python.edit;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.PythonText;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.SourceFile;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A stretch of a file with the text in its place.
 *
 * @param start its first offset
 * @param end the offset behind it
 */
public record Edit(SourceFile file, int start, int end, String text) {
    /** An expression in the place of another. */
    public static Edit replace(SourceFile file, Node node, String text) {
        return new Edit(file, node.start(), node.end(), text);
    }

    /** An expression with a call behind it, in parentheses where others would take its last part. */
    public static Edit call(SourceFile file, Expr expression, String call) {
        return replace(file, expression, called(file, expression, call));
    }

    /** The text of an expression with a call behind it. */
    public static String called(SourceFile file, Expr expression, String call) {
        String text = file.text(expression);
        return switch (expression) {
            case Expr.Name _,
                    Expr.Attribute _,
                    Expr.Subscript _,
                    Expr.Call _,
                    Expr.ListDisplay _,
                    Expr.Dict _,
                    Expr.ListComp _,
                    Expr.Tuple _ ->
                text.startsWith("(") || !(expression instanceof Expr.Tuple) ? text + call : "(" + text + ")" + call;
            default -> "(" + text + ")" + call;
        };
    }

    /** Statements behind another, in its block; empty where its line goes on with something else. */
    public static Optional<Edit> after(SourceFile file, Stmt statement, List<String> lines) {
        PythonText text = file.text();
        int line = text.line(Math.max(statement.end() - 1, statement.start()));
        String rest = text.text().substring(statement.end(), text.lineEnd(line)).strip();
        boolean isAlone = isFirst(file, statement) && (rest.isEmpty() || rest.startsWith("#"));
        if (isAlone) {
            String indent = text.indentation(file.line(statement));
            int end = text.lineEnd(line);
            return Optional.of(new Edit(
                    file,
                    end,
                    end,
                    lines.stream()
                            .map(each -> text.lineBreak() + (each.isEmpty() ? "" : indent + each))
                            .collect(Collectors.joining())));
        }
        boolean isPlain = lines.stream().noneMatch(each -> each.endsWith(":") || each.startsWith(" "));
        return isPlain && (rest.isEmpty() || rest.startsWith("#"))
                ? Optional.of(new Edit(
                        file,
                        statement.end(),
                        statement.end(),
                        lines.stream().map("; "::concat).collect(Collectors.joining())))
                : Optional.empty();
    }

    /** Statements before another, in its block; empty where something stands before it in its line. */
    public static Optional<Edit> before(SourceFile file, Stmt statement, List<String> lines) {
        if (!isFirst(file, statement)) {
            return Optional.empty();
        }
        int line = file.line(statement);
        String indent = file.text().indentation(line);
        int start = file.text().lineStart(line);
        return Optional.of(new Edit(
                file,
                start,
                start,
                lines.stream()
                        .map(each -> indent + each + file.text().lineBreak())
                        .collect(Collectors.joining())));
    }

    /** The line that the edit is in, or follows, without its indentation. */
    public String line() {
        return file.text().lineText(file.text().line(start)).strip();
    }

    private static boolean isFirst(SourceFile file, Stmt statement) {
        PythonText text = file.text();
        int start = text.lineStart(file.line(statement));
        return text.text().substring(start, statement.start()).isBlank();
    }

    /** An import that a name needs, where the file has no such; before its first import, or its first statement that is no text. */
    public static Stream<Edit> importing(SourceFile file, String module) {
        boolean isThere = file.all(Stmt.Import.class)
                .flatMap(it -> it.names().stream())
                .anyMatch(alias -> alias.name().equals(module) && alias.asname() == null);
        return isThere
                ? Stream.empty()
                : first(file).flatMap(statement -> before(file, statement, List.of("import " + module))).stream();
    }

    private static Optional<Stmt> first(SourceFile file) {
        List<Stmt> top = file.all(Stmt.class)
                .filter(statement -> file.parent(statement) == null)
                .filter(statement -> !(statement instanceof Stmt.ImportFrom it && "__future__".equals(it.module())))
                .filter(statement -> !(statement instanceof Stmt.Expression it && it.value() instanceof Expr.Constant))
                .toList();
        return top.stream()
                .filter(statement -> statement instanceof Stmt.Import || statement instanceof Stmt.ImportFrom)
                .findFirst()
                .or(() -> top.stream().findFirst());
    }
}
