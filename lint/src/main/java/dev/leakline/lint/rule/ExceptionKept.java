package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FlowEvent.Way;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.ArrayList;
import java.util.List;

/** LK011: an exception outlives its handler, and with its traceback all frames and their tensors. */
final class ExceptionKept {
    private ExceptionKept() {}

    static void check(Flow flow, Hits hits) {
        for (FlowEvent.Store store : flow.events(FlowEvent.Store.class)) {
            Node clause = flow.file().enclosing(store.node(), Node.ExceptHandler.class::isInstance);
            if (clause == null
                    || flow.file().functionAround(clause) != store.function()
                    || !holdsException(store, flow)) {
                continue;
            }
            Slot slot = store.slot();
            boolean local = store.way() == Way.SET
                    && store.slot() != null
                    && store.slot().owner == store.function()
                    && !store.function().isModuleLevel();
            if (local && ((slot != null && flow.isDeleted(slot)) || isCleared(store, flow))) {
                continue;
            }
            if (touchesTensors(clause, flow)) {
                hits.add(
                        store.node(),
                        local ? Hits.POSSIBLE : Hits.LIKELY,
                        "the exception is kept beyond its handler: its traceback holds the frames, and the frames"
                                + " their tensors");
            }
        }
    }

    private static boolean holdsException(FlowEvent.Store store, Flow flow) {
        boolean exception = Tensors.parts(store.value()).stream().anyMatch(part -> part.isOnly(Kind.EXCEPTION));
        String stored = flow.file().qualified(flow.file().text(store.stored()));
        return (exception || stored.startsWith("sys.exc_info()")) && store.way() != Way.COMPREHEND;
    }

    private static boolean isCleared(FlowEvent.Store store, Flow flow) {
        String name = store.slot() == null ? "" : store.slot().name;
        return store.function()
                .has(node -> node instanceof Stmt.Assign it
                        && it.targets().stream()
                                .anyMatch(target -> flow.file().text(target).equals(name))
                        && Nodes.isConstant(it.value(), Expr.Constant.Kind.NONE)
                        && it.start() > store.node().start());
    }

    /** Returns whether what was tried has to do with tensors: what it calls takes, makes or returns them, as far as can be seen. */
    private static boolean touchesTensors(Node clause, Flow flow) {
        if (!(flow.file().source().parent(clause) instanceof Stmt.Try attempt)) {
            return false;
        }
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            if (attempt.body().stream().anyMatch(statement -> statement.covers(call.node()))
                    && (usesTensors(call, flow) || reaches(call, flow))) {
                return true;
            }
        }
        return false;
    }

    private static boolean usesTensors(FlowEvent.Call call, Flow flow) {
        String name = call.qualified() == null ? "" : call.qualified();
        if (call.result().may(Kind.TENSOR)
                || (name.startsWith("torch.")
                        && !name.matches(
                                "torch\\.(cuda\\.(is_available|device_count|empty_cache)|_C.*|version.*|load|save|backends.*|distributed.*|ops\\..*|__version__|jit.*|compile.*)"))) {
            return call.result().may(Kind.TENSOR | Kind.MODULE);
        }
        return Nodes.arguments(call.node()).map(flow::valueOf).anyMatch(v -> v.may(Kind.TENSOR | Kind.MODULE));
    }

    /** Returns whether what is called, or given to be called by another thread, uses tensors. */
    private static boolean reaches(FlowEvent.Call call, Flow flow) {
        List<Value> run = new ArrayList<>();
        run.add(flow.valueOf(call.node().func()));
        Nodes.arguments(call.node()).map(flow::valueOf).forEach(run::add);
        if (call.receiver() != null) {
            run.add(call.receiver());
        }
        for (Value value : run) {
            if (value.target() instanceof FunctionModel function && value.may(Kind.FUNCTION | Kind.FUTURE)) {
                return flow.calls(function).anyMatch(inner -> usesTensors(inner, flow));
            }
        }
        return flow.called(call).flatMap(flow::calls).anyMatch(inner -> usesTensors(inner, flow));
    }
}
