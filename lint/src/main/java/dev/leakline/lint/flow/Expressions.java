package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.names.TorchNames;
import dev.leakline.lint.python.Syntax;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Evaluates expressions to abstract values. */
final class Expressions {
    private static final Set<String> HOST = Set.of("\"cpu\"", "'cpu'", "\"meta\"", "'meta'");
    private static final Set<String> COMPARISONS =
            Set.of("<", "<=", "==", "!=", ">=", ">", "<>", "in", "not in", "is", "is not");

    final FileModel file;
    final Flow flow;
    final Assignments assignments;
    final Lookups lookups;
    final Calls calls;
    final Displays displays;

    Expressions(FileModel file, Flow flow) {
        this.file = file;
        this.flow = flow;
        assignments = new Assignments(this);
        lookups = new Lookups(this);
        displays = new Displays(this);
        calls = new Calls(this);
    }

    Value evaluate(Syntax node, Scope frame) {
        flow.step(1);
        Value value = compute(node, frame);
        flow.note(node, value);
        return value;
    }

    private Value compute(Syntax node, Scope frame) {
        return switch (node.type()) {
            case "identifier" -> lookups.lookup(node.text(), frame);
            case "integer", "float", "true", "false" -> Value.NUMBER;
            case "none" -> Value.NONE;
            case "string", "concatenated_string" -> string(node, frame);
            case "attribute" -> lookups.attribute(node, frame);
            case "call" -> calls.evaluate(node, frame);
            case "subscript" -> subscript(node, frame);
            case "binary_operator" -> binary(node, frame);
            case "unary_operator" -> child(node, "argument", frame).readFrom(null);
            case "not_operator" -> {
                flow.markRead(child(node, "argument", frame));
                yield Value.NUMBER;
            }
            case "boolean_operator" ->
                child(node, "left", frame).join(child(node, "right", frame)).readFrom(null);
            case "comparison_operator" -> comparison(node, frame);
            case "conditional_expression" -> conditional(node, frame);
            case "parenthesized_expression", "await", "as_pattern" -> last(node, frame);
            case "named_expression" -> {
                Value value = child(node, "value", frame);
                Syntax name = node.child("name");
                Syntax right = node.child("value");
                if (name != null && right != null) {
                    assignments.assign(name, value, right, node, frame);
                }
                yield name == null ? value : lookups.lookup(name.text(), frame);
            }
            case "tuple", "expression_list", "pattern_list" -> displays.tuple(node, frame);
            case "list", "set" -> displays.collection(node, frame);
            case "dictionary" -> displays.dictionary(node, frame);
            case "list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension" ->
                displays.comprehension(node, frame);
            case "lambda" -> lambda(node);
            case "yield" -> yielded(node, frame);
            case "list_splat", "dictionary_splat" -> last(node, frame);
            case "assignment", "augmented_assignment" -> Value.OTHER;
            case "keyword_argument" -> child(node, "value", frame);
            default -> {
                Value value = Value.OTHER;
                for (Syntax child : node.children()) {
                    value = evaluate(child, frame);
                }
                yield value;
            }
        };
    }

    Value child(Syntax node, String name, Scope frame) {
        Syntax child = node.child(name);
        return child == null ? Value.OTHER : evaluate(child, frame);
    }

    Value last(Syntax node, Scope frame) {
        Value value = Value.OTHER;
        for (Syntax child : node.children()) {
            value = evaluate(child, frame);
        }
        return value;
    }

    private Value string(Syntax node, Scope frame) {
        node.walk(inner -> {
            if (inner.is("interpolation")) {
                inner.children().forEach(part -> {
                    if (!part.is("type_conversion") && !part.is("format_specifier")) {
                        flow.markRead(evaluate(part, frame));
                    }
                });
            }
        });
        String text = node.text();
        boolean gpu = text.contains("cuda");
        boolean cpu = HOST.contains(text);
        return Value.TEXT.on(gpu ? Device.GPU : cpu ? Device.CPU : Device.UNKNOWN);
    }

    private Value subscript(Syntax node, Scope frame) {
        Syntax object = node.child("value");
        if (object == null) {
            return Value.OTHER;
        }
        Value holder = evaluate(object, frame);
        Value index = Value.OTHER;
        boolean slice = false;
        Syntax key = null;
        for (Syntax subscript : node.all("subscript")) {
            index = evaluate(subscript, frame);
            slice |= subscript.is("slice");
            key = subscript;
        }
        if (holder.may(Kind.TENSOR)) {
            return holder.asScalar(holder.items().isEmpty() && key != null && key.is("integer") && holder.scalar())
                    .withItems(List.of())
                    .from(index.sources())
                    .readFrom(null);
        }
        if (key != null && key.is("string") && holder.fields().get(unquote(key.text())) instanceof Value field) {
            return field;
        }
        if (key != null && key.is("integer") && !holder.items().isEmpty()) {
            int at = number(key.text());
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
        return Value.OTHER
                .withGrad(holder.grad())
                .withGraph(holder.graph())
                .from(holder.sources())
                .on(holder.device());
    }

    private Value binary(Syntax node, Scope frame) {
        Value left = child(node, "left", frame);
        Value right = child(node, "right", frame);
        if (left.may(Kind.CONTAINER) && right.may(Kind.CONTAINER)) {
            HeapContainer both = flow.container(node, "+", frame, false);
            both.put(elementOf(left));
            both.put(elementOf(right));
            return Value.holding(both);
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
        return frame.grad == Certainty.NO ? made.detached() : made;
    }

    private Value comparison(Syntax node, Scope frame) {
        Value any = Value.NOTHING;
        for (Syntax part : node.children()) {
            if (!COMPARISONS.contains(part.type())) {
                any = any.combined(evaluate(part, frame))
                        .plus(flow.valueOf(part).kinds());
            }
        }
        return any.may(Kind.TENSOR)
                ? any.detached().withKinds(Kind.TENSOR | (any.kinds() & Kind.NUMBER))
                : Value.NUMBER.from(any.sources());
    }

    private Value conditional(Syntax node, Scope frame) {
        List<Syntax> parts = node.children();
        if (parts.size() != 3) {
            return last(node, frame);
        }
        Syntax condition = parts.get(1);
        evaluate(condition, frame);
        Map<String, Value> before = frame.copy();
        Branches.narrow(condition, true, frame);
        Value first = evaluate(parts.getFirst(), frame);
        frame.variables = new HashMap<>(before);
        Branches.narrow(condition, false, frame);
        Value second = evaluate(parts.getLast(), frame);
        frame.variables = before;
        return first.join(second).readFrom(null);
    }

    private Value lambda(Syntax node) {
        FunctionModel function = file.function(node);
        return function == null ? Value.OTHER : Value.of(Kind.FUNCTION, function);
    }

    private Value yielded(Syntax node, Scope frame) {
        Value value = Value.NONE;
        for (Syntax child : node.children()) {
            value = evaluate(child, frame);
        }
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
    Set<HeapContainer> containersOf(Value holder, Syntax node, Scope frame) {
        if (!holder.containers().isEmpty()) {
            return holder.containers();
        }
        boolean other = holder.may(Kind.TENSOR | Kind.MODULE | Kind.NUMBER | Kind.TEXT)
                || (holder.qualified() != null && holder.slot() == null);
        Slot slot = holder.slot() != null ? holder.slot() : lookups.slotOf(node, frame);
        return other || slot == null ? Set.of() : Set.of(slot.foreign(node, frame.function));
    }

    /** Returns whether the expression concatenates what is in the slot with more. */
    boolean isConcatenationWith(Syntax right, Slot slot) {
        if (right.is("conditional_expression")) {
            return right.children().stream().anyMatch(part -> isConcatenationWith(part, slot));
        }
        if (!right.is("call") || !(right.child("arguments") instanceof Syntax arguments)) {
            return false;
        }
        String name = file.qualified(right.text("function"));
        if (!TorchNames.isConcatenation(name)) {
            return false;
        }
        boolean[] found = new boolean[1];
        for (Syntax argument : arguments.children()) {
            for (Syntax part : argument.children()) {
                Value value = flow.valueOf(part);
                found[0] |= value.slot() == slot && value.slot() != null;
            }
        }
        return found[0];
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
