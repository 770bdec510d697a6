package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The variables of a module, a class or a function. */
final class FlowScope extends FlowFrame<FlowValue> {
    final Node node;
    final SourceFile file;
    final @Nullable FlowScope parent;
    final Set<String> bound = new HashSet<>();
    private final Set<String> outer = new HashSet<>();
    /** The names in it that are no variables of its own. */
    final Set<String> free = new HashSet<>();

    /** All values that variables ever have. */
    final Map<String, FlowValue> ever = new HashMap<>();
    /** Values that the function returns and yields. */
    FlowValue returned = FlowValue.NOTHING;

    FlowValue yielded = FlowValue.NOTHING;
    /** Arguments by parameter. */
    final Map<String, FlowValue> given = new HashMap<>();

    FlowScope(Node node, SourceFile file, @Nullable FlowScope parent) {
        super(Certainty.SURE, FlowValue::join);
        this.node = node;
        this.file = file;
        this.parent = parent;
        node.forEachChild(this::bind);
        bound.removeAll(outer);
        node.forEachChild(this::use);
        free.removeAll(bound);
    }

    private FlowScope(SourceFile file, Node first) {
        super(Certainty.SURE, FlowValue::join);
        this.node = first;
        this.file = file;
        this.parent = null;
        file.python().body().forEach(this::bind);
    }

    static FlowScope ofModule(SourceFile file) {
        return new FlowScope(file, new Stmt.Pass(0, 0));
    }

    private void bind(Node child) {
        switch (child) {
            case Node.Arg it -> bound.add(it.arg());
            case Stmt.FunctionDef it -> bound.add(it.name());
            case Stmt.ClassDef it -> bound.add(it.name());
            case Stmt.Import it -> it.names().forEach(this::bindAlias);
            case Stmt.ImportFrom it -> it.names().forEach(this::bindAlias);
            case Stmt.Global it -> outer.addAll(it.names());
            case Stmt.Nonlocal it -> outer.addAll(it.names());
            case Stmt.Assign it -> it.targets().forEach(this::bindTarget);
            case Stmt.AnnAssign it -> bindTarget(it.target());
            case Stmt.AugAssign it -> bindTarget(it.target());
            case Stmt.For it -> bindTarget(it.target());
            case Expr.NamedExpr it -> bindTarget(it.target());
            case Node.Comprehension it -> bindTarget(it.target());
            case Node.WithItem it when it.optionalVars() != null -> bindTarget(it.optionalVars());
            case Node.ExceptHandler it when it.name() != null -> bound.add(it.name());
            default -> {}
        }
        if (!(child instanceof Stmt.FunctionDef)
                && !(child instanceof Stmt.ClassDef)
                && !(child instanceof Expr.Lambda)) {
            child.forEachChild(this::bind);
        }
    }

    private void use(Node child) {
        if (child instanceof Expr.Name it) {
            free.add(it.id());
        }
        child.forEachChild(this::use);
    }

    private void bindAlias(Node.Alias alias) {
        String as = alias.asname();
        bound.add(as != null ? as : alias.name().split("\\.", 2)[0]);
    }

    private void bindTarget(Expr target) {
        switch (target) {
            case Expr.Name it -> bound.add(it.id());
            case Expr.Tuple it -> it.elts().forEach(this::bindTarget);
            case Expr.ListDisplay it -> it.elts().forEach(this::bindTarget);
            case Expr.Starred it -> bindTarget(it.value());
            default -> {}
        }
    }

    boolean isOfFunction() {
        return node instanceof Stmt.FunctionDef || node instanceof Expr.Lambda;
    }

    /** The scope whose variable a name is; null where nothing of the file binds it. */
    @Nullable
    FlowScope of(String name) {
        if (bound.contains(name)) {
            return this;
        }
        FlowScope around = parent;
        while (around != null && (around.node instanceof Stmt.ClassDef || !around.bound.contains(name))) {
            around = around.parent;
        }
        return around;
    }
}
