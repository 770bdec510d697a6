package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.SourceFile;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Statements that are added where a function ends, on each way out of it. */
final class Exits {
    /** Calls that run nothing of the program's. */
    private static final Set<String> PASSIVE = Set.of("len", "tuple", "list", "str", "float", "int");

    private Exits() {}

    /**
     * Adds a statement where a function ends after one of its statements; false where it does not reach all of these.
     *
     * @param box what the statement takes something from; where something above an exit does that, none is added. Empty for none
     */
    static boolean end(
            SourceFile file, Stmt.FunctionDef function, Stmt from, String statement, String box, List<Edit> edits) {
        Optional<Node> loop = Region.loop(file, from);
        List<Stmt> body = loop.map(Region::body).orElse(function.body());
        if (file.parent(from) != loop.map(Node.class::cast).orElse(function)) {
            return false;
        }
        List<Stmt> exits = function.all(Stmt.class)
                .filter(node -> node instanceof Stmt.Return || node instanceof Stmt.Continue)
                .filter(node ->
                        node.start() > from.end() && file.definition(node).orElse(null) == function)
                .filter(node -> loop.isEmpty() || file.isIn(node, loop.get()))
                .filter(node -> box.isEmpty() || !isGone(file, node, box))
                .toList();
        for (Stmt exit : exits) {
            if (!leave(file, exit, statement, edits)) {
                return false;
            }
        }
        Stmt last = body.getLast();
        boolean isLeft = last instanceof Stmt.Return
                || last instanceof Stmt.Raise
                || last instanceof Stmt.Continue
                || last instanceof Stmt.Break
                || (!box.isEmpty() && isTaking(file, last, box));
        return isLeft
                || Edit.after(file, last, List.of(statement)).map(edits::add).orElse(false);
    }

    /** Returns whether the statement above an exit takes something from a box. */
    private static boolean isGone(SourceFile file, Stmt exit, String box) {
        return file.all(Stmt.class)
                .filter(node -> file.parent(node) == file.parent(exit))
                .filter(node -> node.end() <= exit.start())
                .reduce((_, last) -> last)
                .filter(above -> isTaking(file, above, box))
                .isPresent();
    }

    private static boolean isTaking(SourceFile file, Node statement, String box) {
        String text = file.text(statement);
        return text.startsWith("del " + box + "[")
                || Stream.of(".pop(", ".remove(", ".discard(").anyMatch(taking -> text.startsWith(box + taking));
    }

    /** Adds a statement behind another; where that returns, before it does, after what it computes. */
    static boolean follow(SourceFile file, Stmt statement, String next, List<Edit> edits) {
        return statement instanceof Stmt.Return
                ? leave(file, statement, next, edits)
                : Edit.after(file, statement, List.of(next)).map(edits::add).orElse(false);
    }

    /** Adds a statement before a return, after what that computes. */
    private static boolean leave(SourceFile file, Stmt exit, String statement, List<Edit> edits) {
        if (exit instanceof Stmt.Return it && it.value() != null && isActive(file, it.value())) {
            int end = it.value().start();
            edits.add(new Edit(file, it.start(), end, "result = "));
            return Edit.after(file, it, List.of(statement, "return result"))
                    .map(edits::add)
                    .orElse(false);
        }
        return Edit.before(file, exit, List.of(statement)).map(edits::add).orElse(false);
    }

    static boolean isActive(SourceFile file, Expr value) {
        return value.has(node -> node instanceof Expr.NamedExpr
                || (node instanceof Expr.Call call && !PASSIVE.contains(file.text(call.func()))));
    }
}
