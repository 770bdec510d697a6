package dev.leakline.lint;

import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The lines where what a statement keeps is made: there a recording sees the memory, not where it is kept. */
final class MadeAt {
    private final FunctionModel function;
    private final Set<Integer> lines = new TreeSet<>();
    private final Deque<Syntax> open = new ArrayDeque<>();
    private final Set<Slot> seen = new HashSet<>();

    private MadeAt(FunctionModel function) {
        this.function = function;
    }

    /**
     * The lines that assign what the names in a statement stand for, and so on backwards, within the function: of an exception, whose
     * traceback keeps all that the function has, those of the loop or function around; of a decorator those that it decorates.
     */
    static List<Integer> lines(Syntax node, Flow flow) {
        MadeAt made = new MadeAt(flow.file().functionAround(node));
        Syntax decorator = node.is("decorator") ? node : node.enclosing("decorator");
        if (decorator != null && decorator.parent() instanceof Syntax definition) {
            made.add(definition);
        }
        made.open.add(node);
        while (!made.open.isEmpty()) {
            made.open.remove().walk(made::follow);
        }
        return List.copyOf(made.lines);
    }

    private void follow(Syntax inner) {
        Slot slot = inner.is("identifier") ? function.variables.get(inner.text()) : null;
        if (slot == null || !seen.add(slot)) {
            return;
        }
        for (Syntax assignment : slot.assigned.keySet()) {
            if (assignment.is("assignment") || assignment.is("named_expression")) {
                lines.add(assignment.line());
                open.add(assignment);
            } else if (assignment.is("except_clause")
                    && assignment.enclosing("for_statement", "while_statement", "function_definition")
                            instanceof Syntax around) {
                add(around);
            }
        }
    }

    private void add(Syntax whole) {
        IntStream.rangeClosed(whole.line(), whole.source().line(whole.end())).forEach(lines::add);
    }
}
