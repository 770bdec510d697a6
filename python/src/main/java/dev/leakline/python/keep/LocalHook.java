package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A hook that does nothing but fill collections of the function that registers it. */
@SuppressWarnings("ReferenceEquality") // nodes have the equality of records: two files may have equal ones
final class LocalHook {
    private static final Set<String> FILLING = Set.of("append", "add", "extend", "appendleft");
    /** Methods of tensors that give another and change nothing. */
    private static final Set<String> CALM =
            Set.of("detach", "cpu", "clone", "item", "mean", "sum", "norm", "abs", "tolist");

    private final KeptSearch search;
    private final SourceFile file;
    private final Expr.Call registration;
    private final Stmt.FunctionDef function;

    LocalHook(KeptSearch search, Expr.Call registration, Stmt.FunctionDef function) {
        this.search = search;
        this.file = search.file(registration);
        this.registration = registration;
        this.function = function;
    }

    /** Returns whether it is one, and what it fills does not leave the function. */
    boolean isLocal() {
        List<Node> hooks =
                registration.args().stream().flatMap(search::functions).toList();
        return !hooks.isEmpty()
                && hooks.stream()
                        .allMatch(hook -> file.isIn(hook, function)
                                && switch (hook) {
                                    case Expr.Lambda it ->
                                        it.body() instanceof Expr.Call call && isFilling(call) && isCalm(it);
                                    case Stmt.FunctionDef it ->
                                        it.body().stream().allMatch(this::isFilling) && isCalm(it);
                                    default -> false;
                                });
    }

    private boolean isFilling(Stmt statement) {
        return switch (statement) {
            case Stmt.Expression it ->
                it.value() instanceof Expr.Constant || (it.value() instanceof Expr.Call call && isFilling(call));
            case Stmt.Assign it ->
                it.targets().stream().allMatch(target -> target instanceof Expr.Subscript item && isOwn(item.value()));
            case Stmt.Pass _ -> true;
            default -> false;
        };
    }

    private boolean isFilling(Expr.Call call) {
        return call.func() instanceof Expr.Attribute method && FILLING.contains(method.attr()) && isOwn(method.value());
    }

    /** Returns whether all that a hook calls fills such a collection, or changes nothing. */
    private boolean isCalm(Node node) {
        boolean[] isCalm = {
            !(node instanceof Expr.Call call)
                    || isFilling(call)
                    || (call.func() instanceof Expr.Attribute method && CALM.contains(method.attr()))
        };
        node.forEachChild(child -> isCalm[0] &= isCalm(child));
        return isCalm[0];
    }

    /** Returns whether an expression is a collection that the function makes, in the same turn of a loop, and keeps to itself. */
    private boolean isOwn(Expr collection) {
        Set<Heap> heaps = search.facts().value(collection).heap();
        Optional<Node> loop = Region.loop(file, registration);
        return collection instanceof Expr.Name
                && !heaps.isEmpty()
                && heaps.stream()
                        .allMatch(heap -> heap.kind().isDisplay()
                                && heap.file() == file
                                && file.function(heap.node()).orElse(null) == function
                                && Region.loop(file, heap.node()).equals(loop))
                && search.facts().uses(heaps).stream()
                        .allMatch(use -> search.file(use) == file && file.isIn(use, function) && isAsked(use));
    }

    /** Returns whether an expression that comes to the collection hands it to nobody. */
    private boolean isAsked(Node use) {
        return switch (file.parent(use)) {
            case Expr.Attribute it -> it.value() == use;
            case Expr.Subscript it -> it.value() == use;
            case Expr.Call call -> file.text(call.func()).equals("len");
            case Stmt.Assign it -> it.targets().stream().allMatch(Expr.Name.class::isInstance);
            case Expr.Compare _, Stmt.For _, Node.Comprehension _ -> true;
            case null, default -> false;
        };
    }
}
