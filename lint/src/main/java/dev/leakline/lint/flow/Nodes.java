package dev.leakline.lint.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parts of nodes by what they are for, whatever the kind of node. */
public final class Nodes {
    private static final String HEAP_PUSH = "heappush";

    private Nodes() {}

    /** The expression whose value a node gives to its target, or goes over; null of any other node. */
    public static @Nullable Expr value(Node node) {
        return switch (node) {
            case Stmt.Assign it -> it.value();
            case Stmt.AnnAssign it -> it.value();
            case Stmt.AugAssign it -> it.value();
            case Stmt.For it -> it.iter();
            case Node.Comprehension it -> it.iter();
            default -> null;
        };
    }

    /** The target of a node, of several the last, which stands beside the value; null of a node without one. */
    public static @Nullable Expr target(Node node) {
        return switch (node) {
            case Stmt.Assign it -> it.targets().getLast();
            case Stmt.AnnAssign it -> it.target();
            case Stmt.AugAssign it -> it.target();
            case Stmt.For it -> it.target();
            case Node.Comprehension it -> it.target();
            default -> null;
        };
    }

    /** Returns whether a statement sets something to a value, whatever it was before. */
    public static boolean isAssignment(Node node) {
        return node instanceof Stmt.Assign || node instanceof Stmt.AnnAssign;
    }

    /** The statements that a loop or function repeats. */
    public static List<Stmt> body(@Nullable Node node) {
        return switch (node) {
            case Stmt.FunctionDef it -> it.body();
            case Stmt.For it -> it.body();
            case Stmt.While it -> it.body();
            case null, default -> List.of();
        };
    }

    /** The elements of a tuple or list; none of anything else. */
    public static List<Expr> elements(@Nullable Expr expression) {
        return switch (expression) {
            case Expr.Tuple it -> it.elts();
            case Expr.ListDisplay it -> it.elts();
            case null, default -> List.of();
        };
    }

    /** The keys of a subscript: several where commas divide them without brackets around. */
    public static List<Expr> keys(Expr.Subscript subscript) {
        return subscript.slice() instanceof Expr.Tuple it
                        && !it.elts().isEmpty()
                        && it.start() == it.elts().getFirst().start()
                ? it.elts()
                : List.of(subscript.slice());
    }

    /** The expression of what a call puts its last argument into: the object of append, the first argument of heappush; or null. */
    public static @Nullable Expr filled(Expr.Call call) {
        boolean isHeap = call.name().equals(HEAP_PUSH);
        return isHeap && call.args().size() == 2 ? call.args().getFirst() : call.receiver();
    }

    public static boolean isConstant(@Nullable Node node, Expr.Constant.Kind kind) {
        return node instanceof Expr.Constant it && it.kind() == kind;
    }

    /** Returns whether a node reads or sets a variable of a name. */
    public static boolean isName(@Nullable Node node, String name) {
        return node instanceof Expr.Name it && it.id().equals(name);
    }

    /** Returns whether a node is a name, with names before it or not. */
    public static boolean isPlace(@Nullable Node node) {
        return node instanceof Expr.Name || node instanceof Expr.Attribute;
    }

    /** Returns whether an expression has a variable of a name in it. */
    public static boolean mentions(@Nullable Node node, String name) {
        return node != null && node.has(inner -> isName(inner, name));
    }
}
