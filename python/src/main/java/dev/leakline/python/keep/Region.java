package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.FlowFacts;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Code that runs again and again: the body of a loop, and the functions that it calls. */
public final class Region {
    private final Set<Node> bodies = Collections.newSetFromMap(new IdentityHashMap<>());

    private Region() {}

    /** That of statements or functions. */
    static Region of(Collection<? extends Node> bodies, FlowFacts facts) {
        Region region = new Region();
        Deque<Node> open = new ArrayDeque<>(bodies);
        while (!open.isEmpty()) {
            Node body = open.remove();
            if (region.bodies.add(body)) {
                body.walk(node -> open.addAll(facts.callees(node)));
            }
        }
        return region;
    }

    /** Returns whether a node is in it. */
    boolean contains(SourceFile file, Node node) {
        return file.around(node, each -> bodies.contains(each) && !isHead(node, each))
                .isPresent();
    }

    /** Returns whether a node is a default or a decorator of a function, which the call of that does not make. */
    private static boolean isHead(Node node, Node function) {
        return function instanceof Stmt.FunctionDef it
                && node != it
                && node.start() < it.body().getFirst().start();
    }

    /** Returns whether it has the function itself. */
    boolean isCalled(Node function) {
        return bodies.contains(function);
    }

    static boolean isLoop(Node node) {
        return node instanceof Stmt.For || node instanceof Stmt.While;
    }

    static List<Stmt> body(Node loop) {
        return loop instanceof Stmt.For it ? it.body() : loop instanceof Stmt.While it ? it.body() : List.of();
    }

    /** The next loop around a node within its function. */
    static Optional<Node> loop(SourceFile file, Node node) {
        Node parent = file.parent(node);
        return parent == null
                ? Optional.empty()
                : file.around(
                                parent,
                                each -> isLoop(each) || each instanceof Stmt.FunctionDef || each instanceof Expr.Lambda)
                        .filter(Region::isLoop);
    }
}
