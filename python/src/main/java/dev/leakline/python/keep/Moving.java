package dev.leakline.python.keep;

import dev.leakline.python.Expr;
import dev.leakline.python.edit.Edit;
import dev.leakline.python.flow.FlowFacts;
import dev.leakline.python.flow.FlowValue;
import dev.leakline.python.flow.Heap;
import dev.leakline.python.flow.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The edits that put a call behind each tensor of a value, as it is written: in the branches of a choice, the elements of a display, the
 * arguments of a record, and never behind what may be no tensor.
 */
final class Moving {
    /** The call that takes the frames from an error. */
    static final String CALM = ".with_traceback(None)";

    private static final String DETACHED = ".detach()";

    private final FlowFacts facts;
    private final SourceFile file;
    private final String call;
    /** The expression that a dump shows to be a tensor, where the source does not. */
    private final @Nullable Expr certain;

    private final List<Edit> edits = new ArrayList<>();
    private boolean isOpen;
    private boolean isMany;

    private Moving(FlowFacts facts, SourceFile file, String call, @Nullable Expr certain) {
        this.facts = facts;
        this.file = file;
        this.call = call;
        this.certain = certain;
    }

    /** The edits; empty where the source does not show what the value is. */
    static List<Edit> of(
            FlowFacts facts, SourceFile file, Expr value, String call, @Nullable Expr certain, boolean isMany) {
        Moving moving = new Moving(facts, file, call, certain);
        moving.isMany = isMany
                && !(value instanceof Expr.ListDisplay)
                && !(value instanceof Expr.Tuple)
                && !(value instanceof Expr.SetDisplay)
                && !(value instanceof Expr.Dict)
                && !(value instanceof Expr.ListComp)
                && !(value instanceof Expr.GeneratorExp);
        if (moving.isMany) {
            moving.each(value, "[", "]", "");
        } else {
            moving.move(value, true);
        }
        return moving.isOpen ? List.of() : moving.edits;
    }

    /** The part of a value as it is written that has a place in it, such as {@code [1]}; itself for none, null where nothing is written there. */
    static @Nullable Expr part(SourceFile file, Expr value, String place) {
        if (place.isEmpty()) {
            return value;
        }
        String index = place.substring(1, place.length() - 1);
        if (value instanceof Expr.Tuple it && index.matches("\\d{1,3}")) {
            int at = Integer.parseInt(index);
            return at < it.elts().size() ? it.elts().get(at) : null;
        }
        if (value instanceof Expr.Dict it) {
            for (int i = 0; i < it.keys().size(); i++) {
                Expr key = it.keys().get(i);
                if (key != null && file.text(key).replace('"', '\'').equals(index)) {
                    return it.values().get(i);
                }
            }
        }
        return null;
    }

    private void move(Expr expression, boolean isWhole) {
        FlowValue value = facts.value(expression);
        switch (expression) {
            case Expr.IfExp it -> {
                move(it.body(), false);
                move(it.orelse(), false);
            }
            case Expr.Tuple it -> it.elts().forEach(each -> move(each, false));
            case Expr.ListDisplay it -> it.elts().forEach(each -> move(each, false));
            case Expr.SetDisplay it -> it.elts().forEach(each -> move(each, false));
            case Expr.Dict it -> it.values().forEach(each -> move(each, false));
            case Expr.ListComp it -> move(it.elt(), true);
            case Expr.GeneratorExp it -> move(it.elt(), true);
            case Expr.DictComp it when it.value() != null -> move(it.value(), true);
            case Expr.Call it
            when value.isOnly(Heap.Kind.INSTANCE) && isRecord(it, value) ->
                it.given().forEach(each -> move(each, false));
            default -> one(expression, value, isWhole);
        }
    }

    private boolean isRecord(Expr.Call call, FlowValue value) {
        return value.heap().stream()
                .anyMatch(heap -> facts.constructed(heap.node()).stream().anyMatch(each -> each == call));
    }

    private void one(Expr expression, FlowValue value, boolean isWhole) {
        if (call.equals(CALM)) {
            if (value.isError()) {
                edits.add(Edit.call(file, expression, call));
            }
        } else if (value.isTensor() || (expression == certain && value.heap().isEmpty() && !value.isPlain())) {
            boolean isDetached = call.startsWith(DETACHED) && isDetached(expression);
            edits.add(Edit.call(file, expression, isDetached ? call.substring(DETACHED.length()) : call));
        } else if (value.isOnly(Heap.Kind.TUPLE) && value.items().isTensor()) {
            each(expression, "tuple(", ")", "");
        } else if (value.isOnly(Heap.Kind.LIST) && value.items().isTensor()) {
            each(expression, "[", "]", "");
        } else if (value.isOnly(Heap.Kind.DICT) && value.items().isTensor()) {
            each(expression, "{", "}", "key: ");
        } else if (value.mayHaveTensor() && (isWhole || !value.isOpen() || value.reached() > 0)) {
            anyOf(expression, value);
        }
    }

    /** The call behind each tensor that a value has when it runs, where the source does not show what it is. */
    private void anyOf(Expr expression, FlowValue value) {
        isOpen |= isMany || value.heap().stream().anyMatch(heap -> !heap.kind().isDisplay());
        Edit.importing(file, "torch").forEach(edits::add);
        String text = file.text(expression);
        edits.add(Edit.replace(file, expression, anyOf(text, call)));
    }

    /** Returns whether one of the calls that an expression ends with detaches. */
    private static boolean isDetached(Expr expression) {
        return expression instanceof Expr.Call it
                && it.receiver() instanceof Expr of
                && (it.method().equals("detach") || isDetached(of));
    }

    private void each(Expr expression, String open, String close, String key) {
        String of = file.text(expression);
        String text = key.isEmpty()
                ? open + "part" + call + " for part in " + of + close
                : open + "key: part" + call + " for key, part in " + Edit.called(file, expression, ".items()") + close;
        edits.add(Edit.replace(file, expression, text));
    }

    /** An expression with a call behind each tensor that it has when it runs. */
    static String anyOf(String value, String call) {
        return "torch.utils._pytree.tree_map_only(torch.Tensor, lambda part: part" + call + ", " + value + ")";
    }

    /** A part of a tensor that is one of many along a dimension, so that the whole is kept for a part of it. */
    static Optional<Expr.Subscript> view(Expr value) {
        return value instanceof Expr.Subscript it && isPlace(it.slice()) ? Optional.of(it) : Optional.empty();
    }

    private static boolean isPlace(Expr slice) {
        return switch (slice) {
            case Expr.Tuple it -> it.elts().stream().anyMatch(Moving::isPlace);
            case Expr.Constant it -> it.kind() == Expr.Constant.Kind.INT;
            case Expr.UnaryOp it -> it.operand() instanceof Expr.Constant;
            default -> false;
        };
    }
}
