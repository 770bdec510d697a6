package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.fix.Rewriting;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.python.Syntax;
import dev.leakline.python.PythonText;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** LK008: what ran out of memory is tried again while the handler's traceback still holds the frames of the failed try. */
public final class RetryInHandler implements RuleCheck {
    @Override
    public String rule() {
        return "LK008";
    }

    @Override
    public List<String> words() {
        return List.of("except");
    }

    @Override
    public void check(Flow flow, Hits hits) {
        flow.file().tree().root().walk(node -> {
            if (node.is("except_clause") && isOutOfMemory(node)) {
                checkHandler(node, flow, hits);
            }
        });
    }

    private static boolean isOutOfMemory(Syntax clause) {
        StringBuilder head = new StringBuilder();
        Syntax body = null;
        for (Syntax child : clause.children()) {
            if (child.is("block")) {
                body = child;
            } else {
                head.append(child.text()).append(' ');
            }
        }
        if (head.toString().contains("OutOfMemoryError")) {
            return true;
        }
        String text = body == null ? "" : body.text();
        return head.toString().matches("(?s).*(RuntimeError|Exception).*") && text.matches("(?si).*out of memory.*");
    }

    private void checkHandler(Syntax clause, Flow flow, Hits hits) {
        Syntax attempt = clause.parent() == null ? null : clause.parent().child("body");
        if (attempt == null) {
            return;
        }
        FunctionModel function = flow.file().functionAround(clause);
        Set<String> tried = new LinkedHashSet<>();
        attempt.walk(node -> {
            if (node.is("call") && isWork(node)) {
                tried.add(node.text("function"));
            }
        });
        tried.add(function.name);
        if (function.self() != null) {
            tried.add(function.self() + "." + function.name);
        }
        for (Syntax child : clause.children()) {
            if (child.is("block")) {
                child.walk(node -> {
                    if (node.is("call")
                            && tried.contains(node.text("function"))
                            && flow.file().functionAround(node) == function
                            && !isNested(node, clause)) {
                        hits.add(
                                this,
                                node,
                                Hits.LIKELY,
                                "%s is tried again inside the handler, where the exception still holds the tensors of the failed try"
                                        .formatted(node.text("function")),
                                moved(clause, child));
                    }
                });
            }
        }
    }

    /** Where the try ends in a return, what the handler does can come after it. */
    private static Patch moved(Syntax clause, Syntax body) {
        Syntax attempt = clause.parent();
        Syntax tried = attempt == null ? null : attempt.child("body");
        if (attempt == null) {
            return Patch.NONE;
        }
        boolean plain = tried != null
                && !tried.children().isEmpty()
                && tried.children().getLast().is("return_statement")
                && attempt.children().size() == 2
                && clause.children().stream().noneMatch(child -> child.is("as_pattern"))
                && clause.child("alias") == null
                && !usesException(clause);
        if (!plain) {
            return Patch.NONE;
        }
        PythonText source = clause.source();
        String inner = source.indentation(body.line());
        String outer = source.indentation(attempt.line());
        String text = source.text().substring(body.start(), body.end());
        String dedented = text.replace(source.lineBreak() + inner, source.lineBreak() + outer);
        return Patch.unsafe(Rewriting.replace(body, "pass" + source.lineBreak() + outer + dedented));
    }

    /** Returns whether it does what only a handler can: raise again, or log what was raised. */
    private static boolean usesException(Syntax clause) {
        boolean[] found = new boolean[1];
        clause.walk(node -> found[0] |=
                (node.is("raise_statement") && node.children().isEmpty() && node.enclosing("except_clause") == clause)
                        || (node.is("call")
                                && node.text().matches("(?s)(.*exc_info.*|traceback\\..*|[\\w.]*\\.exception\\(.*)")));
        return found[0];
    }

    /** A handler in the handler is a try of its own. */
    private static boolean isNested(Syntax node, Syntax clause) {
        return node.enclosing("except_clause") != clause;
    }

    private static boolean isWork(Syntax call) {
        return !call.text("function")
                .matches(
                        "(?s).*(empty_cache|gc\\.collect|print|len|range|str|int|float|min|max|\\.(to|cuda|cpu|append|item|info|warning|debug|error|format|join|step|zero_grad|get|keys|synchronize|time|size|sum|mean|detach)|log\\w*)");
    }
}
