package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.flow.Certainty;
import dev.leakline.python.flow.FlowFrame.State;
import dev.leakline.python.flow.NameSets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Evaluates expressions to abstract values. */
final class Expressions {
    private static final Set<String> HOST = Set.of("\"cpu\"", "'cpu'", "\"meta\"", "'meta'");

    final FileModel file;
    final Flow flow;
    final Assignments assignments;
    final Lookups lookups;
    final Calls calls;
    final Displays displays;
    private final Narrowing narrowing;

    Expressions(FileModel file, Flow flow) {
        this.file = file;
        this.flow = flow;
        assignments = new Assignments(this);
        lookups = new Lookups(this);
        displays = new Displays(this);
        calls = new Calls(this);
        narrowing = new Narrowing(file);
    }

    Value evaluate(Expr node, Scope frame) {
        flow.step(1);
        Value value = compute(node, frame);
        flow.note(node, value);
        return value;
    }

    private Value compute(Expr node, Scope frame) {
        return switch (node) {
            case Expr.Name it -> lookups.lookup(it.id(), frame);
            case Expr.Constant it -> constant(it);
            case Expr.JoinedStr _, Expr.TemplateStr _ -> string(node, frame);
            case Expr.FormattedValue it -> evaluate(it.value(), frame);
            case Expr.Interpolation it -> evaluate(it.value(), frame);
            case Expr.Attribute it -> lookups.attribute(it, frame);
            case Expr.Call it -> calls.evaluate(it, frame);
            case Expr.Subscript it -> subscript(it, frame);
            case Expr.BinOp it -> binary(it, frame);
            case Expr.UnaryOp it -> {
                Value value = evaluate(it.operand(), frame);
                if (it.op() == Expr.UnaryOperator.NOT) {
                    flow.markRead(value);
                }
                yield it.op() == Expr.UnaryOperator.NOT ? Value.FEW : value.readFrom(null);
            }
            case Expr.BoolOp it -> {
                Value value = Value.NOTHING;
                for (Expr operand : it.values()) {
                    value = value.join(evaluate(operand, frame)).readFrom(null);
                }
                yield value;
            }
            case Expr.Compare it -> comparison(it, frame);
            case Expr.IfExp it -> conditional(it, frame);
            case Expr.Await it -> evaluate(it.value(), frame);
            case Expr.NamedExpr it -> {
                assignments.assign(it.target(), evaluate(it.value(), frame), it.value(), it, frame);
                yield evaluate(it.target(), frame);
            }
            case Expr.Tuple it -> displays.tuple(it, frame);
            case Expr.ListDisplay it -> displays.collection(it, it.elts(), frame);
            case Expr.SetDisplay it -> displays.collection(it, it.elts(), frame);
            case Expr.Dict it -> displays.dictionary(it, frame);
            case Expr.ListComp it -> displays.comprehension(it, it.generators(), null, it.elt(), frame);
            case Expr.SetComp it -> displays.comprehension(it, it.generators(), null, it.elt(), frame);
            case Expr.GeneratorExp it -> displays.comprehension(it, it.generators(), null, it.elt(), frame);
            case Expr.DictComp it ->
                it.value() == null
                        ? displays.comprehension(it, it.generators(), null, it.key(), frame)
                        : displays.comprehension(it, it.generators(), it.key(), it.value(), frame);
            case Expr.Lambda it ->
                file.function(it) instanceof FunctionModel function ? function(function, frame) : Value.OTHER;
            case Expr.Yield _, Expr.YieldFrom _ -> yielded(evaluateIn(node, frame), frame);
            case Expr.Starred it -> evaluate(it.value(), frame);
            case Expr.Slice it -> {
                Value value = evaluateIn(it, frame);
                yield value.isOnly(Kind.NONE) ? Value.OTHER : value;
            }
        };
    }

    /** A function, with the tensors that its parameters are by default or that it refers to in the function around it. */
    Value function(FunctionModel function, Scope frame) {
        Map<String, Value> held = new HashMap<>();
        if (!frame.function.isModuleLevel()) {
            function.walk(node -> {
                if (node instanceof Expr.Name it && frame.variables.get(it.id()) instanceof Value captured) {
                    held.put(it.id(), captured);
                }
            });
        }
        for (FunctionModel.Parameter parameter : function.parameters) {
            held.remove(parameter.name());
            if (parameter.arg().defaultValue() instanceof Expr preset && Nodes.isPlace(preset)) {
                held.put(parameter.name(), evaluate(preset, frame));
            }
        }
        held.values().removeIf(value -> value.may(Kind.MODULE | Kind.INSTANCE | Kind.FUNCTION));
        held.replaceAll((_, value) -> value.readFrom(null).shallow());
        return Value.of(Kind.FUNCTION, function).withFields(held);
    }

    /** The value of the last of a node's expressions; None where there are none. */
    Value evaluateIn(Node node, Scope frame) {
        Value[] last = {Value.NONE};
        node.forEachChild(child -> {
            if (child instanceof Expr it) {
                last[0] = evaluate(it, frame);
            }
        });
        return last[0];
    }

    private Value constant(Expr.Constant node) {
        return switch (node.kind()) {
            case NONE -> Value.NONE;
            case ELLIPSIS -> Value.OTHER;
            case STR, BYTES -> text(node);
            default -> Value.NUMBER;
        };
    }

    private Value string(Expr node, Scope frame) {
        node.walk(inner -> {
            if (inner instanceof Expr.FormattedValue || inner instanceof Expr.Interpolation) {
                flow.markRead(evaluate((Expr) inner, frame));
            }
        });
        return text(node);
    }

    private Value text(Expr node) {
        String text = file.text(node);
        boolean gpu = text.contains("cuda");
        boolean cpu = HOST.contains(text);
        return Value.TEXT.on(gpu ? Device.GPU : cpu ? Device.CPU : Device.UNKNOWN);
    }

    private Value subscript(Expr.Subscript node, Scope frame) {
        Value holder = evaluate(node.value(), frame);
        Value index = Value.OTHER;
        boolean slice = false;
        for (Expr key : Nodes.keys(node)) {
            index = evaluate(key, frame);
            slice |= key instanceof Expr.Slice;
        }
        Expr.Constant key = Nodes.keys(node).getLast() instanceof Expr.Constant it ? it : null;
        boolean isNumber = Nodes.isConstant(key, Expr.Constant.Kind.INT);
        if (holder.may(Kind.TENSOR)) {
            return holder.asScalar(holder.items().isEmpty() && isNumber && holder.scalar())
                    .withItems(List.of())
                    .from(index.sources())
                    .readFrom(null);
        }
        if (key != null
                && key.kind() == Expr.Constant.Kind.STR
                && holder.fields().get(unquote(file.text(key))) instanceof Value field) {
            return field;
        }
        if (key != null && isNumber && !holder.items().isEmpty()) {
            int at = number(file.text(key));
            return at >= 0 && at < holder.items().size() ? holder.items().get(at) : elementOf(holder);
        }
        if (slice && holder.may(Kind.CONTAINER)) {
            HeapContainer part = flow.container(node, "slice", frame, true);
            part.put(elementOf(holder));
            return Value.holding(part);
        }
        return elementOf(holder).from(index.sources()).readFrom(null);
    }

    static int number(String text) {
        try {
            return Integer.parseInt(text.replace("_", ""));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    static String unquote(String text) {
        return text.length() >= 2 ? text.substring(1, text.length() - 1) : text;
    }

    /** An item of a container, tuple, tensor or something unknown, by iteration or index. */
    Value elementOf(Value holder) {
        Value element = Value.NOTHING;
        for (HeapContainer container : holder.containers()) {
            Value inside = container.element();
            if (inside.grad() != Certainty.NO) {
                inside = inside.withGraph(Set.of(container.contents));
            }
            element = element.join(inside.from(Set.of(container.contents)));
        }
        for (Value item : holder.items()) {
            element = element.join(item);
        }
        for (Value field : holder.fields().values()) {
            element = element.join(field.shallow());
        }
        if (holder.may(Kind.TENSOR)) {
            element = element.join(holder.withItems(List.of()).asScalar(false));
        }
        if (element.kinds() != 0) {
            return element.readFrom(null).from(holder.sources());
        }
        if (holder.may(Kind.MODULE)) {
            return Value.of(Kind.MODULE | Kind.OTHER);
        }
        return holder.part();
    }

    private Value binary(Expr.BinOp node, Scope frame) {
        Value left = evaluate(node.left(), frame);
        Value right = evaluate(node.right(), frame);
        if (node.op() == Expr.Operator.MOD && right.isOnly(Kind.NUMBER) && !left.may(Kind.TENSOR | Kind.TEXT)) {
            return Value.FEW.from(left.sources());
        }
        if (left.may(Kind.CONTAINER) && right.may(Kind.CONTAINER)) {
            return flow.holding(node, "+", frame, elementOf(left), elementOf(right));
        }
        return combine(left, right, frame);
    }

    /** The result of arithmetic with two values. */
    Value combine(Value left, Value right, Scope frame) {
        Value a = left.may(Kind.CONTAINER) ? elementOf(left) : left;
        Value b = right.may(Kind.CONTAINER) ? elementOf(right) : right;
        if (a.isOnly(Kind.TEXT)) {
            return Value.TEXT;
        }
        boolean tensorFirst = a.may(Kind.TENSOR) || !b.may(Kind.TENSOR);
        Value value = tensorFirst ? a.combined(b) : b.combined(a);
        int kinds = a.kinds() | b.kinds();
        if (kinds == 0) {
            return Value.OTHER;
        }
        int kept = kinds & (Kind.TENSOR | Kind.NUMBER | Kind.OTHER);
        if (a.isOnly(Kind.TENSOR) || b.isOnly(Kind.TENSOR)) {
            kept = Kind.TENSOR;
        }
        Value made = value.withKinds(kept == 0 ? Kind.OTHER : kept)
                .withItems(List.of())
                .readFrom(null);
        boolean ofParameter = (a.may(Kind.PARAMETER) || b.may(Kind.PARAMETER)) && frame.grad == Certainty.SURE;
        return frame.grad == Certainty.NO
                ? made.detached()
                : ofParameter ? made.withGrad(made.grad().or(Certainty.LIKELY)) : made;
    }

    private Value comparison(Expr.Compare node, Scope frame) {
        Value any = compared(Value.NOTHING, node.left(), frame);
        for (Expr other : node.comparators()) {
            any = compared(any, other, frame);
        }
        return any.may(Kind.TENSOR)
                ? any.detached().withKinds(Kind.TENSOR | (any.kinds() & Kind.NUMBER))
                : Value.FEW.from(any.sources());
    }

    private Value compared(Value before, Expr operand, Scope frame) {
        Value value = evaluate(operand, frame);
        return before.combined(value).plus(value.kinds());
    }

    private Value conditional(Expr.IfExp node, Scope frame) {
        evaluate(node.test(), frame);
        State<Value> before = frame.state().copy();
        narrowing.narrow(node.test(), true, frame);
        Value first = evaluate(node.body(), frame);
        frame.enter(before.copy());
        narrowing.narrow(node.test(), false, frame);
        Value second = evaluate(node.orelse(), frame);
        frame.enter(before);
        return first.join(second).readFrom(null);
    }

    private static Value yielded(Value value, Scope frame) {
        frame.function.addReturned(value);
        if (frame.function.isDecoratedAs("contextmanager")) {
            frame.function.yieldGrad = frame.grad;
        }
        return Value.OTHER;
    }

    /** The value that {@code with ... as} gives. */
    Value entered(Value context) {
        return context.may(Kind.GRAD_MODE) ? Value.NONE : context.readFrom(null);
    }

    /** The containers that an expression stands for: those known, or the one that came from outside. */
    Set<HeapContainer> containersOf(Value holder, Expr node, Scope frame) {
        if (!holder.containers().isEmpty()) {
            return holder.containers();
        }
        boolean other = holder.may(Kind.TENSOR | Kind.MODULE | Kind.NUMBER | Kind.TEXT)
                || (holder.qualified() != null && holder.slot() == null);
        Slot slot = holder.slot() != null ? holder.slot() : lookups.slotOf(node, frame);
        return other || slot == null ? Set.of() : Set.of(slot.foreign(node, frame.function));
    }

    /** Returns whether the expression concatenates what is in the slot with more, or makes an object that refers to it. */
    boolean isConcatenationWith(Expr right, Slot slot) {
        return switch (right) {
            case Expr.IfExp it -> isConcatenationWith(it.body(), slot) || isConcatenationWith(it.orelse(), slot);
            case Expr.BinOp it ->
                it.op() == Expr.Operator.ADD
                        && flow.valueOf(it.right()).may(Kind.CONTAINER)
                        && Stream.of(it.left(), it.right())
                                .anyMatch(part -> flow.valueOf(part).slot() == slot);
            case Expr.Call it -> {
                boolean joins = NameSets.has("CONCATENATING", file.callee(it));
                yield (joins || isLinked(flow.valueOf(it)))
                        && it.given()
                                .flatMap(argument -> joins ? Nodes.elements(argument).stream() : Stream.of(argument))
                                .anyMatch(part -> flow.valueOf(part).slot() == slot);
            }
            default -> false;
        };
    }

    /** Returns whether it is an object of a class whose objects refer to others of it. */
    private static boolean isLinked(Value value) {
        return value.may(Kind.INSTANCE)
                && value.target() instanceof ClassModel model
                && model.attributes.values().stream()
                        .anyMatch(slot -> slot.value().target() == model);
    }

    /** The tensor in a list of lists of tensors. */
    Value flat(Value value) {
        Value flat = value;
        for (int depth = 0; depth < 3 && flat.may(Kind.CONTAINER); depth++) {
            flat = elementOf(flat);
        }
        return flat;
    }
}
