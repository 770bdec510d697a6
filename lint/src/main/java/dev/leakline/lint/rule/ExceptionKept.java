package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FlowEvent.Way;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.List;

/** LK011: an exception outlives its handler, and with its traceback all frames and their tensors. */
public final class ExceptionKept implements RuleCheck {
    @Override
    public String rule() {
        return "LK011";
    }

    @Override
    public List<String> words() {
        return List.of("except");
    }

    @Override
    public void check(Flow flow, Hits hits) {
        for (FlowEvent.Store store : flow.events(FlowEvent.Store.class)) {
            Syntax clause = store.node().enclosing("except_clause");
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
            if (local && ((slot != null && flow.isDeleted(slot)) || isCleared(store))) {
                continue;
            }
            if (touchesTensors(clause, flow)) {
                hits.add(
                        this,
                        store.node(),
                        local ? Hits.POSSIBLE : Hits.LIKELY,
                        "the exception is kept beyond its handler: its traceback holds the frames, and the frames their tensors");
            }
        }
    }

    private static boolean holdsException(FlowEvent.Store store, Flow flow) {
        boolean exception = Tensors.parts(store.value()).stream().anyMatch(part -> part.isOnly(Kind.EXCEPTION));
        boolean info = flow.file().qualified(store.stored().text()).startsWith("sys.exc_info()");
        return (exception
                        || info
                        || (store.stored().is("call")
                                && flow.file()
                                        .qualified(store.stored().text("function"))
                                        .equals("sys.exc_info")))
                && store.way() != Way.COMPREHEND;
    }

    private static boolean isCleared(FlowEvent.Store store) {
        String name = store.slot() == null ? "" : store.slot().name;
        boolean[] found = new boolean[1];
        store.function()
                .node
                .walk(node -> found[0] |= node.is("assignment")
                        && node.text("left").equals(name)
                        && node.text("right").equals("None")
                        && node.start() > store.node().start());
        return found[0];
    }

    /** Returns whether what was tried has to do with tensors: what it calls takes, makes or returns them, as far as can be seen. */
    private static boolean touchesTensors(Syntax clause, Flow flow) {
        Syntax attempt = clause.parent() == null ? null : clause.parent().child("body");
        if (attempt == null) {
            return false;
        }
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            if (attempt.contains(call.node()) && (usesTensors(call, flow) || reaches(call, flow))) {
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
        if (call.node().child("arguments") instanceof Syntax arguments) {
            return arguments.children().stream().map(flow::valueOf).anyMatch(v -> v.may(Kind.TENSOR | Kind.MODULE));
        }
        return false;
    }

    /** Returns whether what is called, or given to be called by another thread, uses tensors. */
    private static boolean reaches(FlowEvent.Call call, Flow flow) {
        List<Value> run = new ArrayList<>();
        if (call.node().child("function") instanceof Syntax callee) {
            run.add(flow.valueOf(callee));
        }
        if (call.node().child("arguments") instanceof Syntax arguments) {
            arguments.children().forEach(argument -> run.add(flow.valueOf(argument)));
        }
        if (call.receiver() != null) {
            run.add(call.receiver());
        }
        for (Value value : run) {
            if (value.target() instanceof FunctionModel function && value.may(Kind.FUNCTION | Kind.FUTURE)) {
                return flow.events(FlowEvent.Call.class).stream()
                        .anyMatch(inner -> inner.function() == function && usesTensors(inner, flow));
            }
        }
        return flow.file().functions().stream()
                .anyMatch(function -> function.callers.stream().anyMatch(site -> site.call() == call.node())
                        && flow.events(FlowEvent.Call.class).stream()
                                .anyMatch(inner -> inner.function() == function && usesTensors(inner, flow)));
    }
}
