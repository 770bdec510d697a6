package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.SourceFile;
import dev.leakline.python.keep.Keeper.Kind;
import java.util.List;
import java.util.Optional;

/** Finds gradients that stay: with their graphs, or kept themselves. */
public final class Gradients {
    private final KeptSearch search;
    private final SeenProgram seen;

    /** Looks in the program of a search. */
    public Gradients(KeptSearch search) {
        this.search = search;
        this.seen = search.seen();
    }

    /** Gradients that keep graphs, of a backward pass of the calls' functions or of what they call. */
    public Optional<Keeper> withGraphs() {
        boolean isCleared = seen.all(Node.class)
                .filter(node -> switch (node) {
                    case Expr.Call call -> call.method().equals("zero_grad");
                    case Stmt.Assign it ->
                        it.targets().getFirst() instanceof Expr.Attribute target
                                && target.attr().equals("grad")
                                && seen.file(node).text(it.value()).equals("None");
                    default -> false;
                })
                .anyMatch(node -> search.code().isRun(node) && !seen.isConditional(node));
        return isCleared
                ? Optional.empty()
                : seen.all(Expr.Call.class)
                        .filter(search.code()::isRun)
                        .filter(call -> call.method().equals("backward")
                                && call.given("create_graph") instanceof Expr.Constant it
                                && it.kind() == Expr.Constant.Kind.TRUE)
                        .findFirst()
                        .map(call -> seen.keeper(
                                Kind.GRADIENT_CYCLES, call, differentiated(call), seen.isConditional(call)));
    }

    /** The gradients as results, where nothing reads them from the parameters. */
    private Optional<Cure> differentiated(Expr.Call backward) {
        SourceFile file = seen.file(backward);
        boolean isRead = seen.all(Expr.Attribute.class).anyMatch(it -> it.attr().equals("grad"));
        Optional<Expr.Attribute> owner = file.all(Expr.Attribute.class)
                .filter(it -> it.attr().equals("parameters") && file.isBeside(it, backward))
                .findFirst();
        return isRead || !(file.parent(backward) instanceof Stmt.Expression)
                ? Optional.empty()
                : owner.map(it -> Cure.review(
                        Cure.Kind.DETACH,
                        List.of(Edit.replace(
                                file,
                                backward,
                                "gradients = torch.autograd.grad("
                                        + file.text(((Expr.Attribute) backward.func()).value()) + ", list("
                                        + file.text(it) + "()), create_graph=True)")),
                        "Nothing of the source reads .grad; an optimizer would."));
    }

    /** The statement that keeps the gradients which the calls make. */
    public Optional<Kept> kept() {
        return seen.facts().adds().stream()
                .filter(add -> search.calls().functions().stream()
                        .anyMatch(function -> add.file().isIn(add.at(), function)))
                .filter(add -> add.value()
                        .has(node ->
                                node instanceof Expr.Attribute it && it.attr().equals("grad")))
                .flatMap(add -> search.kept(add, seen.facts()).stream())
                .findFirst();
    }
}
