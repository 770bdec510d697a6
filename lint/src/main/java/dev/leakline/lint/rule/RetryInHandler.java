package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.PythonText;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import java.util.LinkedHashSet;
import java.util.Set;

/** LK008: what ran out of memory is tried again while the handler's traceback still holds the frames of the failed try. */
final class RetryInHandler {
    private RetryInHandler() {}

    static void check(Flow flow, Hits hits) {
        FileModel file = flow.file();
        for (Node node : file.source().nodes()) {
            if (node instanceof Stmt.Try attempt) {
                attempt.handlers().stream()
                        .filter(handler -> isOutOfMemory(handler, file))
                        .forEach(handler -> checkHandler(attempt, handler, file, hits));
            }
        }
    }

    private static boolean isOutOfMemory(Node.ExceptHandler handler, FileModel file) {
        String type = handler.type() == null ? "" : file.text(handler.type());
        return type.contains("OutOfMemoryError")
                || (type.matches("(?s).*(RuntimeError|Exception).*")
                        && file.text(handler).matches("(?si).*out of memory.*"));
    }

    private static void checkHandler(Stmt.Try attempt, Node.ExceptHandler handler, FileModel file, Hits hits) {
        FunctionModel function = file.functionAround(handler);
        Set<String> tried = new LinkedHashSet<>();
        attempt.body()
                .forEach(statement -> statement.walk(node -> {
                    if (node instanceof Expr.Call it && isWork(file.text(it.func()))) {
                        tried.add(file.text(it.func()));
                    }
                }));
        tried.add(function.name);
        if (function.self() != null) {
            tried.add(function.self() + "." + function.name);
        }
        handler.body()
                .forEach(statement -> statement.walk(node -> {
                    if (node instanceof Expr.Call it
                            && tried.contains(file.text(it.func()))
                            && file.functionAround(it) == function
                            && file.enclosing(it, Node.ExceptHandler.class::isInstance) == handler) {
                        hits.add(
                                it,
                                Hits.LIKELY,
                                "%s is tried again inside the handler, where the exception still holds the tensors of the failed try"
                                        .formatted(file.text(it.func())),
                                moved(attempt, handler, file));
                    }
                }));
    }

    /** Where the try ends in a return, what the handler does can come after it. */
    private static Patch moved(Stmt.Try attempt, Node.ExceptHandler handler, FileModel file) {
        boolean plain = attempt.body().getLast() instanceof Stmt.Return
                && attempt.handlers().size() == 1
                && attempt.orelse().isEmpty()
                && attempt.finalbody().isEmpty()
                && handler.name() == null
                && !usesException(handler, file);
        if (!plain) {
            return Patch.NONE;
        }
        PythonText source = file.source().text();
        int start = handler.body().getFirst().start();
        int end = handler.body().getLast().end();
        String inner = source.indentation(source.line(start));
        String outer = source.indentation(source.line(attempt.start()));
        String dedented =
                source.text().substring(start, end).replace(source.lineBreak() + inner, source.lineBreak() + outer);
        return Patch.unsafe(new Edit(file.source(), start, end, "pass" + source.lineBreak() + outer + dedented));
    }

    /** Returns whether it does what only a handler can: raise again, or log what was raised. */
    private static boolean usesException(Node.ExceptHandler handler, FileModel file) {
        return handler.has(node -> switch (node) {
            case Stmt.Raise it ->
                it.exc() == null && file.enclosing(it, Node.ExceptHandler.class::isInstance) == handler;
            case Expr.Call it -> file.text(it).matches("(?s)(.*exc_info.*|traceback\\..*|[\\w.]*\\.exception\\(.*)");
            default -> false;
        });
    }

    private static boolean isWork(String callee) {
        return !callee.matches(
                "(?s).*(empty_cache|gc\\.collect|print|len|range|str|int|float|min|max|\\.(to|cuda|cpu|append|item|info|warning|debug|error|format|join|step|zero_grad|get|keys|synchronize|time|size|sum|mean|detach)|log\\w*)");
    }
}
