package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.PythonFile;
import dev.leakline.python.PythonText;
import dev.leakline.python.Stmt;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A file of a program: its tree, with what is around each node. */
@SuppressWarnings("ReferenceEquality") // nodes have the equality of records: two files may have equal ones
public final class SourceFile {
    private final String name;
    private final PythonFile python;
    private final IdentityHashMap<Node, Node> parents = new IdentityHashMap<>();
    private final List<Node> nodes = new ArrayList<>();

    /** A file by its name in patches. */
    public SourceFile(String name, String text) {
        this.name = name;
        this.python = PythonFile.parse(PythonText.of(text));
        python.body().forEach(this::add);
    }

    private void add(Node node) {
        nodes.add(node);
        node.forEachChild(child -> {
            parents.put(child, node);
            add(child);
        });
    }

    public String name() {
        return name;
    }

    PythonFile python() {
        return python;
    }

    public PythonText text() {
        return python.text();
    }

    /** All nodes, each before those in it. */
    public List<Node> nodes() {
        return nodes;
    }

    public @Nullable Node parent(Node node) {
        return parents.get(node);
    }

    /** The text of a node. */
    public String text(Node node) {
        return text().text().substring(node.start(), node.end());
    }

    /** The number of the line where a node begins. */
    public int line(Node node) {
        return text().line(node.start());
    }

    /** The innermost node around one, or that itself, which is as wanted. */
    public Optional<Node> around(Node node, Predicate<Node> wanted) {
        Node next = node;
        while (next != null && !wanted.test(next)) {
            next = parents.get(next);
        }
        return Optional.ofNullable(next);
    }

    /** The statement that a node is or is in. */
    public Stmt statement(Node node) {
        return (Stmt) around(node, Stmt.class::isInstance).orElseThrow();
    }

    /** The function, method or lambda that a node is in; empty in a module's or a class's own lines. */
    public Optional<Node> function(Node node) {
        Node parent = parents.get(node);
        return parent == null
                ? Optional.empty()
                : around(parent, each -> each instanceof Stmt.FunctionDef || each instanceof Expr.Lambda);
    }

    /** The innermost statement at a line, the first that begins there; else that which goes over it. */
    public Optional<Stmt> statementAt(int line) {
        Stmt found = null;
        for (Node node : nodes) {
            if (node instanceof Stmt it && line(it) <= line && text().line(it.end()) >= line) {
                boolean isWithin = found == null || line(it) > line(found) || !isSimple(found);
                found = isWithin ? it : found;
            }
        }
        return Optional.ofNullable(found);
    }

    static boolean isSimple(Stmt statement) {
        return switch (statement) {
            case Stmt.FunctionDef _,
                    Stmt.ClassDef _,
                    Stmt.For _,
                    Stmt.While _,
                    Stmt.If _,
                    Stmt.With _,
                    Stmt.Match _,
                    Stmt.Try _ -> false;
            default -> true;
        };
    }

    /** Whether a node is in another, or is that. */
    public boolean isIn(Node node, Node whole) {
        return around(node, each -> each == whole).isPresent();
    }
}
