package dev.leakline.lint.rule;

import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FlowEvent.Way;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Value;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import java.util.regex.Pattern;

/** LK004: a container that stays collects device memory and is never emptied. */
final class UnboundedStore {
    static final String GROWING = "%s is put where nothing takes it out again: device memory grows with every call";

    /** Words in names of keys of which there are only so many: {@code layer_name}, but neither {@code username} nor {@code model}. */
    private static final Pattern FEW = Pattern.compile(
            "(?<![a-z])(?i:layer|device|dtype|name|fqn|rank|split|mode|phase|idx|group|slot|bucket|priority)s?(?![a-z])");

    /** Common names of keys that tell layers and parameters apart. */
    private static final Pattern PART = Pattern.compile("(?i)name|prefix|suffix|layer|^(self|cls|fn)$");

    private UnboundedStore() {}

    static void check(Flow flow, Hits hits) {
        for (FlowEvent.Store store : flow.events(FlowEvent.Store.class)) {
            if (grows(store, flow)) {
                hits.add(
                        store,
                        store.value().may(Kind.OTHER) ? Hits.POSSIBLE : Hits.LIKELY,
                        GROWING.formatted(Hits.shortened(flow.file().text(store.stored()))));
            }
        }
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            checkCall(call, flow, hits);
        }
    }

    private static boolean grows(FlowEvent.Store store, Flow flow) {
        boolean adds = store.way() == Way.APPEND
                || store.way() == Way.CONCATENATE
                || (store.way() == Way.PUT && store.key() != null && !isFixed(store, flow.file()));
        if (!adds
                || Retention.isEmpty(store.stored(), flow.file())
                || Tensors.hasGraph(store.value())
                || !Tensors.isOnDevice(store.value())) {
            return false;
        }
        if (Retention.outlivesCall(store, flow)) {
            return Tensors.holds(store.value(), Kind.TENSOR | Kind.STATE | Kind.FUTURE)
                    && !Retention.isLimited(store, flow)
                    && !store.value().may(Kind.PARAMETER)
                    && !isReplacement(store, flow.file())
                    && !isWarmUp(store.function());
        }
        boolean whole = Tensors.holds(store.value(), Kind.MODULE | Kind.OPTIMIZER | Kind.STATE);
        boolean training = Retention.crossed(store).stream().anyMatch(loop -> loop.trains);
        boolean object = store.slot() != null
                && store.slot().isAttribute
                && Retention.crossed(store).stream().anyMatch(LoopModel::isSteps);
        return ((whole && training) || (object && !store.function().isConstructor()))
                && !Retention.isLimited(store, flow);
    }

    /** x[i] = f(x[i]), and what goes over the entries themselves, put nothing new in. */
    private static boolean isReplacement(FlowEvent.Store store, FileModel file) {
        if (!(Nodes.target(store.node()) instanceof Expr.Subscript left) || store.way() != Way.PUT) {
            return false;
        }
        String container = file.text(left.value());
        if (file.text(store.stored()).contains(file.text(left))) {
            return true;
        }
        return container.matches(".*\\._(parameters|buffers|modules)")
                || store.loops().stream()
                        .anyMatch(loop -> Nodes.value(loop.node) instanceof Expr iterable
                                && file.text(iterable).contains(container));
    }

    /** Returns whether a function's name says that it runs once, and so fills a table once. */
    private static boolean isWarmUp(FunctionModel function) {
        return function.name.matches("_*(init|setup|build|load|configure|prepare).*");
    }

    /** Keys of which there are only so many, by what they are or by their names. */
    private static boolean isFixed(FlowEvent.Store store, FileModel file) {
        Expr key = store.key();
        if (key == null || Retention.isOfFew(store, file)) {
            return true;
        }
        FunctionModel function = store.function();
        boolean closed = key instanceof Expr.Name name
                && !function.variables.containsKey(name.id())
                && function.outer != null
                && !function.outer.isModuleLevel();
        return closed || FEW.matcher(file.text(key)).find();
    }

    /** A name that is made of the name of a layer or parameter: there are as many as there are of those. */
    private static boolean isOfPart(Expr name) {
        return !name.has(
                node -> node instanceof Expr.Name it && !PART.matcher(it.id()).find());
    }

    private static void checkCall(FlowEvent.Call call, Flow flow, Hits hits) {
        Expr.Call node = call.node();
        if (node.args().isEmpty()) {
            return;
        }
        Expr first = node.args().getFirst();
        if ("itertools.cycle".equals(call.qualified())) {
            Value what = flow.valueOf(first);
            if (what.may(Kind.LOADER)
                    || (what.isOnly(Kind.OTHER)
                            && flow.file().arguments(node).matches("(?i).*(loader|batches|stream|data|feed).*"))) {
                hits.add(node, Hits.LIKELY, "itertools.cycle keeps a copy of every batch that it has seen");
            }
        }
        if (node.method().equals("register_buffer")) {
            boolean fresh = (first instanceof Expr.JoinedStr || first instanceof Expr.BinOp) && !isOfPart(first);
            boolean once = call.function().isConstructor() || (call.loop() != null && call.loop().overModules);
            if (fresh && !once && !isWarmUp(call.function())) {
                hits.add(
                        node, Hits.LIKELY, "a buffer of a fresh name is registered with every call, and never removed");
            }
        }
    }
}
