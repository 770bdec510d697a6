package dev.leakline.lint;

import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Slot;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The lines where what a statement keeps is made: there a recording sees the memory, not where it is kept. */
final class MadeAt {
    private final FileModel file;
    private final FunctionModel function;
    private final Set<Integer> lines = new TreeSet<>();
    private final Deque<Node> open = new ArrayDeque<>();
    private final Set<Slot> seen = new HashSet<>();

    private MadeAt(FileModel file, FunctionModel function) {
        this.file = file;
        this.function = function;
    }

    /**
     * The lines that assign what the names in a statement stand for, and so on backwards, within the function: of an exception, whose
     * traceback keeps all that the function has, those of the loop or function around; of a decorator those that it decorates.
     */
    static List<Integer> lines(Node node, FileModel file) {
        MadeAt made = new MadeAt(file, file.functionAround(node));
        if (file.source().parent(node) instanceof Stmt.FunctionDef definition
                && definition.decoratorList().contains(node)) {
            made.add(definition);
        }
        made.open.add(node);
        while (!made.open.isEmpty()) {
            made.open.remove().walk(made::follow);
        }
        return List.copyOf(made.lines);
    }

    private void follow(Node inner) {
        Slot slot = inner instanceof Expr.Name it ? function.variables.get(it.id()) : null;
        if (slot == null || !seen.add(slot)) {
            return;
        }
        for (Slot.Assignment each : slot.assignments()) {
            Node assignment = each.node();
            if (Nodes.isAssignment(assignment) || assignment instanceof Expr.NamedExpr) {
                lines.add(file.source().line(assignment));
                open.add(assignment);
            } else if (assignment instanceof Node.ExceptHandler) {
                Node around = file.enclosing(
                        assignment,
                        up -> up instanceof Stmt.For || up instanceof Stmt.While || up instanceof Stmt.FunctionDef);
                if (around != null) {
                    add(around);
                }
            }
        }
    }

    private void add(Node whole) {
        IntStream.rangeClosed(file.source().line(whole), file.source().text().line(whole.end()))
                .forEach(lines::add);
    }
}
