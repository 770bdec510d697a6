package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.fix.Rewriting;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Origin;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Stmt;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** LK003: backward keeps a graph that nothing goes through again, or sparse gradients that nobody zeroes. */
final class GraphNotFreed {
    private GraphNotFreed() {}

    static void check(Flow flow, Hits hits) {
        Collection<FlowEvent.Backward> backwards = flow.events(FlowEvent.Backward.class);
        for (FlowEvent.Backward backward : backwards) {
            boolean retains = isTrue(backward.retain());
            boolean creates = isTrue(backward.create());
            if (backward.isMethod()
                    && !backward.function().name.contains("backward")
                    && (retains || creates)
                    && !goesAgain(backward, backwards)
                    && !isOfEach(backward, flow)) {
                if (creates && readsGradients(backward, flow)) {
                    hits.add(
                            backward.node(),
                            Hits.LIKELY,
                            "backward(create_graph=True) makes a cycle of each parameter and its gradient, which only the garbage collector frees;"
                                    + " torch.autograd.grad(..., create_graph=True) gives the gradients without it",
                            Patch.NONE);
                    continue;
                }
                CarriedState state = new CarriedState(backward, flow);
                String argument = retains ? "retain_graph=True" : "create_graph=True";
                String names = state.names();
                hits.add(
                        backward.node(),
                        Hits.LIKELY,
                        names == null
                                ? argument + " keeps the graph, but nothing goes backward through it again"
                                : "%s keeps the graphs of all steps where %s carries them into the next: detach it there"
                                        .formatted(argument, names),
                        released(backward, state, flow, !creates));
            }
        }
        checkSparse(flow, backwards, hits);
    }

    /** for out in outs: out.sum().backward(retain_graph=True) goes through what the outs have in common again and again. */
    private static boolean isOfEach(FlowEvent.Backward backward, Flow flow) {
        String root = flow.file().text(backward.node().func()).replaceFirst("(?s)[.\\[(].*", "");
        return backward.loop() != null && Nodes.mentions(Nodes.target(backward.loop().node), root);
    }

    private static boolean isTrue(@Nullable Expr value) {
        return Nodes.isConstant(value, Expr.Constant.Kind.TRUE);
    }

    /** Returns whether another backward uses the same graph, or the same one does in an inner loop over several losses. */
    private static boolean goesAgain(FlowEvent.Backward kept, Collection<FlowEvent.Backward> all) {
        for (FlowEvent.Backward other : all) {
            if (other.node() != kept.node() && other.function() == kept.function() && isAfter(kept, other)) {
                boolean unknown =
                        other.value().graph().isEmpty() || kept.value().graph().isEmpty();
                boolean shared =
                        other.value().graph().stream().anyMatch(kept.value().graph()::contains);
                if (shared || unknown || isTrue(kept.create())) {
                    return true;
                }
            }
        }
        LoopModel loop = kept.loop();
        boolean whole = kept.function().callers.stream().anyMatch(site -> site.loop() != null) && loop == null;
        return (loop != null
                        && kept.value().graph().stream().anyMatch(origin -> isOutside(origin, loop, kept.function())))
                || (loop == null && whole && kept.value().graph().isEmpty());
    }

    private static boolean isAfter(FlowEvent.Backward kept, FlowEvent.Backward other) {
        return other.node().start() > kept.node().start() || (other.loop() != null && other.loop() == kept.loop());
    }

    /** The forward pass ran before the loop: each round of the loop goes backward through it. */
    private static boolean isOutside(Origin origin, LoopModel loop, FunctionModel function) {
        return origin.type == Origin.Type.FORWARD
                && origin.function == function
                && !loop.node.covers(origin.node)
                && origin.node.end() <= loop.node.start();
    }

    /** Returns whether gradients, which have graphs of their own then, are used after a backward pass. */
    private static boolean readsGradients(FlowEvent.Backward backward, Flow flow) {
        SourceFile file = flow.file().source();
        return file.nodes().stream()
                .anyMatch(node -> node instanceof Expr.Attribute read
                        && read.attr().equals("grad")
                        && read.start() > backward.node().end()
                        && file.function(read).equals(file.function(backward.node()))
                        && !(file.statement(read) instanceof Stmt.Assign set
                                && set.targets().contains(read)));
    }

    /** Without the arguments, and with the state that is carried along detached; an optimizer may go through gradients that have graphs. */
    private static Patch released(FlowEvent.Backward backward, CarriedState state, Flow flow, boolean mayBeSafe) {
        if (state.names() == null && isKeptByModule(flow)) {
            return Patch.NONE;
        }
        List<Edit> edits = new ArrayList<>(state.detached());
        Stream.of(backward.retain(), backward.create())
                .filter(GraphNotFreed::isTrue)
                .forEach(argument ->
                        edits.add(Rewriting.deleteArgument(argument, flow.file().source())));
        return new Patch(edits, mayBeSafe && state.names() == null);
    }

    /** Returns whether a module of the file keeps something with its graph, which the next pass may use. */
    private static boolean isKeptByModule(Flow flow) {
        return flow.events(FlowEvent.Store.class).stream()
                .anyMatch(store -> store.way() == FlowEvent.Way.SET
                        && store.slot() != null
                        && store.slot().isAttribute
                        && store.function().owner != null
                        && store.function().owner.isModule()
                        && !store.function().isConstructor()
                        && Tensors.hasGraph(store.value()));
    }

    private static void checkSparse(Flow flow, Collection<FlowEvent.Backward> backwards, Hits hits) {
        String text = flow.file().code();
        if (!text.contains("sparse=True") && !text.contains("SparseAdam")) {
            return;
        }
        for (FlowEvent.Backward backward : backwards) {
            LoopModel loop = backward.loop();
            if (!backward.isMethod() || loop == null) {
                continue;
            }
            List<Expr> called = flow.calls(backward.function())
                    .filter(call -> call.loop() != null && call.loop().isInside(loop))
                    .map(call -> call.node().func())
                    .toList();
            List<String> stepped = objects(called, "step")
                    .filter(object -> isSparse(object, text, flow))
                    .map(flow.file()::text)
                    .toList();
            boolean zeroed = objects(called, "zero_grad")
                            .anyMatch(object -> stepped.contains(flow.file().text(object))
                                    || (!flow.valueOf(object).may(Kind.OPTIMIZER)
                                            && flow.file()
                                                    .isUsedAsModule(flow.file().text(object))))
                    || flow.file().text(loop.node).matches("(?s).*\\.grad\\s*=\\s*None.*");
            if (!stepped.isEmpty() && !zeroed) {
                hits.add(
                        backward.node(),
                        Hits.LIKELY,
                        "sparse gradients are added up and never zeroed: they grow by the rows of every step; %s.zero_grad() is missing"
                                .formatted(stepped.getFirst()),
                        zeroed(backward, stepped.getFirst(), flow.file().source()));
            }
        }
    }

    private static Patch zeroed(FlowEvent.Backward backward, String optimizer, SourceFile file) {
        return Edit.before(file, file.statement(backward.node()), List.of(optimizer + ".zero_grad()"))
                .map(Patch::safe)
                .orElse(Patch.NONE);
    }

    /** Returns whether it is the optimizer of a sparse table: SparseAdam, or the only one of a file that has such a table. */
    private static boolean isSparse(Expr optimizer, String text, Flow flow) {
        Slot slot = flow.valueOf(optimizer).slot();
        boolean isOfTable = slot != null
                && slot.assignments().stream()
                        .anyMatch(each -> each.right() instanceof Expr.Call it
                                && flow.file().text(it.func()).endsWith("SparseAdam"));
        return isOfTable
                || (!text.contains("SparseAdam") && flow.valueOf(optimizer).may(Kind.OPTIMIZER));
    }

    /** The objects of which some methods of a name are. */
    private static Stream<Expr> objects(List<Expr> methods, String name) {
        return methods.stream()
                .filter(method ->
                        method instanceof Expr.Attribute it && it.attr().equals(name))
                .map(method -> ((Expr.Attribute) method).value());
    }
}
