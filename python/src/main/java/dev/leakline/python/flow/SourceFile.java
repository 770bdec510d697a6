package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.PythonFile;
import dev.leakline.python.PythonText;
import dev.leakline.python.Stmt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A file of a program: its tree, with what is around each node. */
public final class SourceFile {
    /** Characters of a file for each node of its tree, about, so that tables have their size at once; measured over site-packages. */
    private static final int CHARACTERS_A_NODE = 10;

    private final String name;
    private final PythonFile python;
    private final IdentityHashMap<Node, Node> parents;
    private final List<Node> nodes = new ArrayList<>();
    private @Nullable Map<String, String> imports;

    /** A file by its name in patches. */
    public SourceFile(String name, String text) {
        this(name, PythonFile.parse(PythonText.of(text)));
    }

    /** A file that has been parsed. */
    public SourceFile(String name, PythonFile python) {
        this.name = name;
        this.python = python;
        this.parents = new IdentityHashMap<>(python.text().text().length() / CHARACTERS_A_NODE);
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

    public PythonFile python() {
        return python;
    }

    public PythonText text() {
        return python.text();
    }

    /** The full name of what an import binds to a name, with dots in front where it is relative; null where none binds it. */
    public @Nullable String imported(String name) {
        return imports().get(name);
    }

    /** Returns whether an import that is not relative binds a name. */
    boolean isImported(String name) {
        return !imports().getOrDefault(name, ".").startsWith(".");
    }

    /** The full names of what imports bind, by the names that they bind. */
    private Map<String, String> imports() {
        if (imports == null) {
            Map<String, String> found = new HashMap<>();
            for (Node node : nodes) {
                if (node instanceof Stmt.Import it) {
                    it.names().forEach(alias -> bind(found, alias));
                } else if (node instanceof Stmt.ImportFrom it && !"__future__".equals(it.module())) {
                    String module = ".".repeat(it.level()) + Objects.requireNonNullElse(it.module(), "");
                    it.names()
                            .forEach(alias -> found.put(
                                    alias.asname() != null ? alias.asname() : alias.name(),
                                    module + "." + alias.name()));
                }
            }
            imports = found;
        }
        return imports;
    }

    private static void bind(Map<String, String> found, Node.Alias alias) {
        String first = alias.name().split("\\.", 2)[0];
        found.put(alias.asname() != null ? alias.asname() : first, alias.asname() != null ? alias.name() : first);
    }

    /** The name of what an expression refers to, by the imports of the file, as it is written where nothing is imported; empty for no name. */
    public String fullName(Node expression) {
        return switch (expression) {
            case Expr.Name it -> isImported(it.id()) ? imports().getOrDefault(it.id(), it.id()) : it.id();
            case Expr.Attribute it -> {
                String of = fullName(it.value());
                yield of.isEmpty() ? "" : of + "." + it.attr();
            }
            default -> "";
        };
    }

    /** Returns whether a line does nothing but call Python's garbage collector. */
    public boolean isCollection(int line) {
        List<Stmt> there = all(Stmt.class)
                .filter(SourceFile::isSimple)
                .filter(node -> line(node) <= line && text().line(node.end()) >= line)
                .toList();
        return !there.isEmpty()
                && there.stream().allMatch(node -> switch (node) {
                    case Stmt.Expression it -> isCollection(it.value());
                    case Stmt.Assign it -> isCollection(it.value());
                    default -> false;
                });
    }

    /** Returns whether an expression calls Python's garbage collector, and nothing else. */
    public boolean isCollection(Node node) {
        return node instanceof Expr.Call call
                && fullName(call.func()).equals("gc.collect")
                && call.args().stream().noneMatch(Expr.Call.class::isInstance);
    }

    /** All nodes, each before those in it. */
    public List<Node> nodes() {
        return nodes;
    }

    /** The nodes of a class, each before those in it. */
    public <N extends Node> Stream<N> all(Class<N> type) {
        return nodes.stream().filter(type::isInstance).map(type::cast);
    }

    public @Nullable Node parent(Node node) {
        return parents.get(node);
    }

    /** The text of a node. */
    public String text(Node node) {
        return text().text().substring(node.start(), node.end());
    }

    /** Returns whether something of a node is written like this. */
    public boolean has(Node node, String text) {
        return node.has(each -> text(each).equals(text));
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

    /** The {@code def} whose own lines a node is in; empty in a lambda, and in a module's or a class's own lines. */
    public Optional<Stmt.FunctionDef> definition(Node node) {
        return function(node).filter(Stmt.FunctionDef.class::isInstance).map(Stmt.FunctionDef.class::cast);
    }

    /** The class that a node is in, or is. */
    public Optional<Stmt.ClassDef> type(Node node) {
        return around(node, Stmt.ClassDef.class::isInstance).map(Stmt.ClassDef.class::cast);
    }

    /** Returns whether two nodes are in the same function, or both in none. */
    public boolean isBeside(Node one, Node other) {
        return function(one).orElse(null) == function(other).orElse(null);
    }

    /** Returns whether an expression is what a call calls. */
    public boolean isCalled(Node expression) {
        return parents.get(expression) instanceof Expr.Call call && call.func() == expression;
    }

    /** Returns whether an expression is given a value by an assignment. */
    public boolean isTarget(Node expression) {
        return parents.get(expression) instanceof Stmt.Assign it
                && it.targets().stream().anyMatch(target -> target == expression);
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

    /** Returns whether a node is in another, or is that. */
    public boolean isIn(Node node, Node whole) {
        return around(node, each -> each == whole).isPresent();
    }
}
