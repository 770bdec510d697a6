package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Certainty;
import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Evaluates expressions to abstract values. */
final class Expressions {
    /** What people call that which yields batches. */
    private static final Pattern DATA = Pattern.compile(
            "(?i)(^|_)(data)?(loaders?|dl|batch(es)?|dataset|data|stream|feed|samples|images|inputs?|requests|queue|jobs|pages|texts|sentences|documents|docs|chunks|frames|episodes|examples|prompts|queries|videos|clips|tokens)$");
    /** What people call that which holds layers or parameters. */
    private static final Pattern PARTS = Pattern.compile(
            "(?i)(modules|children|parameters|layers|blocks|heads|experts|stages|convs|blks|cells|encoders|decoders|models|metrics|callbacks|hooks|handles)(\\(.*\\))?$");

    private static final Set<String> TENSOR_TYPES = Set.of(
            "torch.Tensor",
            "Tensor",
            "torch.FloatTensor",
            "torch.LongTensor",
            "torch.cuda.FloatTensor",
            "torch.BoolTensor");
    private static final Set<String> NUMBER_TYPES = Set.of("int", "float", "bool", "complex");

    private final Interpreter interpreter;
    private final FileModel file;
    private final Flow flow;
    private final Calls calls;

    Expressions(Interpreter interpreter) {
        this.interpreter = interpreter;
        this.file = interpreter.file;
        this.flow = interpreter.flow;
        this.calls = new Calls(interpreter, this);
    }

    Value evaluate(Syntax node, Scope frame) {
        Value value = compute(node, frame);
        flow.note(node, value);
        return value;
    }

    private Value compute(Syntax node, Scope frame) {
        return switch (node.type()) {
            case "identifier" -> lookup(node.text(), frame);
            case "integer", "float", "true", "false" -> Value.NUMBER;
            case "none" -> Value.NONE;
            case "string", "concatenated_string" -> string(node, frame);
            case "attribute" -> attribute(node, frame);
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
                    interpreter.assign(name, value, right, node, frame);
                }
                yield name == null ? value : lookup(name.text(), frame);
            }
            case "tuple", "expression_list", "pattern_list" -> tuple(node, frame);
            case "list", "set" -> collection(node, frame);
            case "dictionary" -> dictionary(node, frame);
            case "list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension" ->
                comprehension(node, frame);
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

    private Value child(Syntax node, String name, Scope frame) {
        Syntax child = node.child(name);
        return child == null ? Value.OTHER : evaluate(child, frame);
    }

    private Value last(Syntax node, Scope frame) {
        Value value = Value.OTHER;
        for (Syntax child : node.children()) {
            value = evaluate(child, frame);
        }
        return value;
    }

    Value lookup(String name, Scope frame) {
        Value local = frame.variables.get(name);
        FunctionModel function = frame.function;
        boolean elsewhere = function.globals.contains(name) || function.nonlocals.contains(name);
        if (local != null && !elsewhere) {
            return local.readFrom(function.variables.get(name));
        }
        for (FunctionModel outer = elsewhere && function.outer != null ? function.outer : function;
                outer != null;
                outer = outer.outer) {
            Slot slot = outer.variables.get(name);
            if (slot != null && (outer != function || function.isModuleLevel())) {
                return slot.value().readFrom(slot);
            }
        }
        String imported = file.imported(name);
        return imported != null ? Value.imported(imported) : Value.NOTHING.plus(Kind.OTHER);
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
        boolean cpu = text.matches("[\"'](cpu|meta)[\"']");
        return Value.TEXT.on(gpu ? Device.GPU : cpu ? Device.CPU : Device.UNKNOWN);
    }

    private Value attribute(Syntax node, Scope frame) {
        Syntax object = node.child("object");
        String name = node.text("attribute");
        if (object == null) {
            return Value.OTHER;
        }
        Value holder = evaluate(object, frame);
        if (holder.qualified() != null) {
            String whole = holder.qualified() + "." + name;
            Slot slot = file.unknownAttributes().get(name);
            return slot != null && !slot.value().isOnly(0) && slot.value().kinds() != 0
                    ? slot.value().readFrom(slot)
                    : Value.imported(file.qualified(whole)).readFrom(file.attributeOfUnknown(name));
        }
        Value field = holder.fields().get(name);
        if (field != null) {
            return field;
        }
        if (holder.target() instanceof ClassModel model && holder.may(Kind.INSTANCE | Kind.CLASS)) {
            return member(model, name, holder);
        }
        if (holder.may(Kind.TENSOR) || holder.may(Kind.PARAMETER)) {
            return calls.torch.attribute(holder, name);
        }
        Slot slot = file.attributeOfUnknown(name);
        Value known = slot.value();
        if (known.kinds() != 0 && !holder.may(Kind.MODULE)) {
            return known.readFrom(slot);
        }
        if (name.equals("device")) {
            return Value.of(Kind.DEVICE).on(Device.LIKELY_GPU);
        }
        if (name.equals("grad")) {
            return Value.tensor(Device.LIKELY_GPU);
        }
        if (holder.may(Kind.MODULE)) {
            boolean weight = name.equals("weight") || name.equals("bias");
            return (weight ? Value.of(Kind.PARAMETER | Kind.TENSOR) : Value.of(Kind.MODULE | Kind.OTHER))
                    .readFrom(slot);
        }
        Value any = Value.OTHER
                .withGrad(holder.grad())
                .withGraph(holder.graph())
                .from(holder.sources())
                .on(holder.device());
        return any.readFrom(slot);
    }

    private Value member(ClassModel model, String name, Value holder) {
        FunctionModel method = file.method(model, name, 0);
        if (method != null) {
            boolean property = method.decorators.stream().anyMatch(d -> d.text().contains("property"));
            return property
                    ? method.returned()
                    : Value.of(Kind.FUNCTION, method).withItems(List.of(holder.shallow()));
        }
        Slot slot = file.attribute(model, name, 0);
        Value known = slot.value();
        if (known.kinds() != 0) {
            return known.readFrom(slot);
        }
        if (name.equals("device")) {
            return Value.of(Kind.DEVICE).on(Device.LIKELY_GPU);
        }
        return Value.OTHER.readFrom(slot);
    }

    Slot attributeSlot(Syntax node, Scope frame) {
        Syntax object = node.child("object");
        String name = node.text("attribute");
        Value holder = object == null
                ? Value.OTHER
                : flow.valueOf(object).kinds() == 0 ? evaluate(object, frame) : flow.valueOf(object);
        return holder.target() instanceof ClassModel model && holder.may(Kind.INSTANCE | Kind.CLASS)
                ? file.attribute(model, name, 0)
                : file.attributeOfUnknown(name);
    }

    @Nullable
    Slot slotOf(Syntax node, Scope frame) {
        if (node.is("attribute")) {
            return attributeSlot(node, frame);
        }
        return node.is("identifier") ? lookup(node.text(), frame).slot() : null;
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

    /** What is got out of a container, tuple, tensor or something unknown when it is gone over or indexed. */
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

    /** What arithmetic makes of two values. */
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
            if (!part.type().matches("[<>=!]+|is|is not|in|not in|not|<>")) {
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
        interpreter.narrow(condition, true, frame);
        Value first = evaluate(parts.getFirst(), frame);
        frame.variables = new HashMap<>(before);
        interpreter.narrow(condition, false, frame);
        Value second = evaluate(parts.getLast(), frame);
        frame.variables = before;
        return first.join(second).readFrom(null);
    }

    private Value tuple(Syntax node, Scope frame) {
        List<Value> items = new ArrayList<>();
        for (Syntax child : node.children()) {
            items.add(evaluate(child, frame).readFrom(null));
        }
        return Value.of(Kind.CONTAINER).withItems(items);
    }

    private Value collection(Syntax node, Scope frame) {
        HeapContainer container = flow.container(node, "", frame, false);
        for (Syntax child : node.children()) {
            Value value = evaluate(child, frame);
            container.put(child.is("list_splat") ? elementOf(value) : value);
        }
        return Value.holding(container);
    }

    private Value dictionary(Syntax node, Scope frame) {
        HeapContainer container = flow.container(node, "", frame, false);
        Map<String, Value> fields = new HashMap<>();
        for (Syntax child : node.children()) {
            Syntax key = child.child("key");
            Syntax valueNode = child.child("value");
            if (child.is("pair") && key != null && valueNode != null) {
                evaluate(key, frame);
                Value value = evaluate(valueNode, frame).readFrom(null);
                container.put(value);
                if (key.is("string")) {
                    fields.put(unquote(key.text()), value);
                }
            } else {
                container.put(elementOf(evaluate(child, frame)));
            }
        }
        return Value.holding(container).withFields(fields);
    }

    private Value comprehension(Syntax node, Scope frame) {
        Syntax body = node.child("body");
        Scope inner = frame;
        LoopModel loop = null;
        for (Syntax clause : node.children()) {
            if (clause.is("for_in_clause")) {
                Syntax right = clause.child("right");
                Syntax left = clause.child("left");
                if (right == null || left == null) {
                    continue;
                }
                Value iterable = evaluate(right, inner);
                LoopModel made = flow.loop(clause, inner);
                describe(made, right, iterable, frame);
                inner = interpreter.inner(inner, made);
                loop = made;
                interpreter.assign(left, elementOf(iterable).from(Set.of(made)), right, clause, inner);
            } else if (clause.is("if_clause")) {
                last(clause, inner);
            }
        }
        if (body == null) {
            return Value.OTHER;
        }
        Value value = body.is("pair") ? pair(body, inner) : evaluate(body, inner);
        HeapContainer container = flow.container(node, "", frame, false);
        container.put(value);
        if (!node.is("generator_expression") && loop != null) {
            Syntax stored = body.is("pair") && body.child("value") instanceof Syntax inside ? inside : body;
            interpreter.store(
                    FlowEvent.Way.COMPREHEND, node, stored, value, Set.of(container), null, null, null, null, inner);
        }
        return Value.holding(container);
    }

    private Value pair(Syntax pair, Scope frame) {
        child(pair, "key", frame);
        return child(pair, "value", frame);
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
        if (frame.function.decorators.stream().anyMatch(d -> d.text().contains("contextmanager"))) {
            frame.function.yieldGrad = frame.grad;
        }
        return Value.OTHER;
    }

    /** What with ... as gives. */
    Value entered(Value context) {
        return context.may(Kind.GRAD_MODE) ? Value.NONE : context.readFrom(null);
    }

    /** The grad mode that a decorator sets, or null. */
    @Nullable
    Certainty gradModeOf(Syntax decorator) {
        if (decorator.children().isEmpty()) {
            return null;
        }
        Syntax what = decorator.children().getFirst();
        String name = file.qualified(what.is("call") ? what.text("function") : what.text());
        Slot alias = file.top().variables.get(name);
        String resolved = alias != null && alias.value().qualified() != null
                ? alias.value().qualified()
                : name;
        String arguments = what.is("call") ? what.text("arguments") : "";
        return Torch.gradMode(resolved == null ? name : resolved, arguments);
    }

    Value decorated(Value function, Syntax decorator, Scope frame) {
        if (decorator.children().isEmpty()) {
            return function;
        }
        Syntax what = decorator.children().getFirst();
        Value value = evaluate(what, frame);
        if (value.target() instanceof FunctionModel model && value.may(Kind.FUNCTION) && !what.is("call")) {
            Value made = calls.invoke(model, what, List.of(function), Map.of(), List.of(), frame);
            return made.may(Kind.FUNCTION) ? made : function;
        }
        return function;
    }

    /** What a type hint says. */
    Value annotated(Syntax type) {
        String text = type.text().strip();
        String plain = text.replaceAll("[\"']", "");
        boolean optional = plain.endsWith("| None") || plain.startsWith("Optional[");
        String inner =
                plain.replaceFirst("\\s*\\|\\s*None$", "").replaceFirst("^(?:typing\\.)?Optional\\[(.*)]$", "$1");
        Value value = named(inner);
        return optional ? value.plus(Kind.NONE) : value;
    }

    private Value named(String text) {
        String name = file.qualified(text);
        ClassModel model = file.classNamed(text);
        if (model != null) {
            return Value.of(Kind.INSTANCE | (model.isModule() ? Kind.MODULE : 0), model);
        }
        if (TENSOR_TYPES.contains(name) || TENSOR_TYPES.contains(text)) {
            return Value.of(Kind.TENSOR).withGrad(Certainty.UNKNOWN);
        }
        if (name.startsWith("torch.nn.") && name.endsWith("Parameter")) {
            return Value.of(Kind.PARAMETER | Kind.TENSOR);
        }
        if (name.startsWith("torch.nn.") || name.endsWith("PreTrainedModel") || name.endsWith("LightningModule")) {
            return Value.of(Kind.MODULE);
        }
        if (name.startsWith("torch.optim.")) {
            return Value.of(Kind.OPTIMIZER);
        }
        if (name.endsWith("DataLoader")) {
            return Value.of(Kind.LOADER);
        }
        if (NUMBER_TYPES.contains(text)) {
            return Value.NUMBER;
        }
        return text.equals("str") ? Value.TEXT : Value.OTHER;
    }

    /** The containers that an expression stands for: those known, or the one that came from outside. */
    Set<HeapContainer> containersOf(Value holder, Syntax node, Scope frame) {
        if (!holder.containers().isEmpty()) {
            return holder.containers();
        }
        boolean other = holder.may(Kind.TENSOR | Kind.MODULE | Kind.NUMBER | Kind.TEXT)
                || (holder.qualified() != null && holder.slot() == null);
        Slot slot = holder.slot() != null ? holder.slot() : slotOf(node, frame);
        return other || slot == null ? Set.of() : Set.of(slot.foreign(node, frame.function));
    }

    /** Whether the expression concatenates what is in the slot with more. */
    boolean isConcatenationWith(Syntax right, Slot slot) {
        if (right.is("conditional_expression")) {
            return right.children().stream().anyMatch(part -> isConcatenationWith(part, slot));
        }
        if (!right.is("call") || !(right.child("arguments") instanceof Syntax arguments)) {
            return false;
        }
        String name = file.qualified(right.text("function"));
        if (!Torch.isConcatenation(name)) {
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

    /** What a loop goes over, by its value and name. */
    void describe(LoopModel loop, Syntax iterable, Value value, Scope frame) {
        Syntax inner = calls.unwrapped(iterable);
        Value core = flow.valueOf(inner).kinds() == 0 ? value : flow.valueOf(inner);
        String text = inner.text();
        String name = inner.is("call") ? text.replaceFirst("\\(.*", "") : text;
        String last = name.substring(name.lastIndexOf('.') + 1).replaceFirst("\\[.*", "");
        loop.overModules |= (core.may(Kind.MODULE) && !core.may(Kind.TENSOR))
                || PARTS.matcher(last).find()
                || text.matches("(?s).*\\.(named_)?(modules|children|parameters|buffers)\\(.*");
        loop.overData |= core.may(Kind.LOADER) || (DATA.matcher(last).find() && !core.may(Kind.TENSOR));
        boolean literal = inner.is("tuple") || inner.is("list") || inner.is("expression_list");
        boolean smallRange = text.matches("range\\(\\d\\)");
        loop.isShort |= literal
                || smallRange
                || (core.items().size() > 0 && core.containers().isEmpty());
    }
}
