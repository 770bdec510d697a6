package dev.leakline.lint.flow;

import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.flow.Certainty;
import dev.leakline.python.flow.NameSets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks up what names, attributes, type hints and decorators stand for. */
final class Lookups {

    private final FileModel file;
    private final Flow flow;
    private final Expressions expressions;
    private final Map<String, Value> hints = new HashMap<>();

    Lookups(Expressions expressions) {
        this.file = expressions.file;
        this.flow = expressions.flow;
        this.expressions = expressions;
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

    Value attribute(Expr.Attribute node, Scope frame) {
        String name = node.attr();
        Value holder = expressions.evaluate(node.value(), frame);
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
            return Torch.attribute(holder, name);
        }
        if (NameSets.has("USED_AS_TENSOR", name)
                && holder.isOnly(Kind.OTHER)
                && file.source().parent(node) instanceof Expr.Call call
                && call.func() == node) {
            return Value.OTHER;
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
        return holder.part().readFrom(slot);
    }

    private Value member(ClassModel model, String name, Value holder) {
        FunctionModel method = file.method(model, name);
        if (method != null) {
            boolean property = method.isDecoratedAs("property");
            return property
                    ? method.returned()
                    : Value.of(Kind.FUNCTION, method).withItems(List.of(holder.shallow()));
        }
        Slot slot = file.attribute(model, name);
        Value known = slot.value();
        if (known.kinds() != 0) {
            return known.readFrom(slot);
        }
        if (name.equals("device")) {
            return Value.of(Kind.DEVICE).on(Device.LIKELY_GPU);
        }
        return Value.OTHER.readFrom(slot);
    }

    Slot attributeSlot(Expr.Attribute node, Scope frame) {
        String name = node.attr();
        Value known = flow.valueOf(node.value());
        Value holder = known.kinds() == 0 ? expressions.evaluate(node.value(), frame) : known;
        return holder.target() instanceof ClassModel model && holder.may(Kind.INSTANCE | Kind.CLASS)
                ? file.attribute(model, name)
                : file.attributeOfUnknown(name);
    }

    @Nullable
    Slot slotOf(Expr node, Scope frame) {
        return switch (node) {
            case Expr.Attribute it -> attributeSlot(it, frame);
            case Expr.Name it -> lookup(it.id(), frame).slot();
            default -> null;
        };
    }

    /** The grad mode that a decorator sets, or null. */
    @Nullable
    Certainty gradModeOf(Expr decorator) {
        String name = file.qualified(file.text(decorator instanceof Expr.Call it ? it.func() : decorator));
        Slot alias = file.top().variables.get(name);
        String resolved = alias != null && alias.value().qualified() != null
                ? alias.value().qualified()
                : name;
        String arguments = decorator instanceof Expr.Call it ? file.arguments(it) : "";
        return Torch.gradMode(resolved == null ? name : resolved, arguments);
    }

    Value decorated(Value function, Expr decorator, Scope frame) {
        Value value = expressions.evaluate(decorator, frame);
        if (value.target() instanceof FunctionModel model
                && value.may(Kind.FUNCTION)
                && !(decorator instanceof Expr.Call)) {
            Value made = expressions.calls.invocations.invoke(model, decorator, Arguments.of(List.of(function)), frame);
            return made.may(Kind.FUNCTION) ? made : function;
        }
        return function;
    }

    /** The value that a type hint describes. */
    Value annotated(Expr type) {
        return hints.computeIfAbsent(file.text(type), this::hinted);
    }

    private Value hinted(String text) {
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
        if (NameSets.has("TENSOR_TYPES", name) || NameSets.has("TENSOR_TYPES", text)) {
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
        if (NameSets.has("NUMBER_TYPES", text)) {
            return Value.NUMBER;
        }
        return text.equals("str") ? Value.TEXT : Value.OTHER;
    }
}
