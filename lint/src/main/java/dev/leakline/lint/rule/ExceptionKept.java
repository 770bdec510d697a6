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
import java.util.Optional;
import java.util.stream.Stream;

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
                    && slot != null
                    && slot.owner == store.function()
                    && !store.function().isModuleLevel();
            boolean ends = local && slot != null && (flow.isDeleted(slot) || isCleared(slot, store.node()));
            if (!ends && touchesTensors(clause, flow)) {
                hits.add(
                        store.node(),
                        local ? Hits.POSSIBLE : Hits.LIKELY,
                        "the exception is kept beyond its handler: its traceback holds the frames, and the frames"
                                + " their tensors");
            }
        }
    }

    private static boolean holdsException(FlowEvent.Store store, Flow flow) {
        boolean exception = store.value().parts().stream().anyMatch(part -> part.isOnly(Kind.EXCEPTION));
        String stored = flow.file().qualified(flow.file().text(store.stored()));
        return (exception || stored.startsWith("sys.exc_info()")) && store.way() != Way.COMPREHEND;
    }

    private static boolean isCleared(Slot slot, Node stored) {
        return slot.assignments().stream()
                .anyMatch(each -> Nodes.isConstant(each.right(), Expr.Constant.Kind.NONE)
                        && each.node().start() > stored.start());
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
        return Stream.concat(Stream.of(call.result()), call.node().given().map(flow::valueOf))
                .anyMatch(value -> value.may(Kind.TENSOR | Kind.MODULE));
    }

    /** Returns whether what is called, or given to be called by another thread, uses tensors. */
    private static boolean reaches(FlowEvent.Call call, Flow flow) {
        Stream<Node> given =
                Stream.concat(Stream.of(call.node().func()), call.node().given());
        Stream<FunctionModel> run = Stream.concat(
                        given.map(flow::valueOf), Optional.ofNullable(call.receiver()).stream())
                .filter(value -> value.may(Kind.FUNCTION | Kind.FUTURE))
                .map(Value::target)
                .filter(FunctionModel.class::isInstance)
                .map(FunctionModel.class::cast);
        return Stream.concat(run, flow.called(call)).flatMap(flow::calls).anyMatch(inner -> usesTensors(inner, flow));
    }
}
