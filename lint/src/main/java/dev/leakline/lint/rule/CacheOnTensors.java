package dev.leakline.lint.rule;

import dev.leakline.lint.flow.ClassModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Value.Device;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;

/** LK009: functools.cache on what takes or returns tensors, or on a method of what owns them. */
final class CacheOnTensors {
    /** Python's own default is 128; what is far above holds as much as there is. */
    private static final int LARGE = 256;

    private CacheOnTensors() {}

    static void check(Flow flow, Hits hits) {
        for (FunctionModel function : flow.file().functions()) {
            for (Expr decorator : function.decorators) {
                checkDecorator(function, decorator, flow, hits);
            }
        }
    }

    private static void checkDecorator(FunctionModel function, Expr decorator, Flow flow, Hits hits) {
        Expr.Call made = decorator instanceof Expr.Call it ? it : null;
        String name = flow.file().qualified(flow.file().text(made == null ? decorator : made.func()));
        if (!name.equals("functools.cache") && !name.equals("functools.lru_cache")) {
            return;
        }
        boolean unlimited = name.equals("functools.cache") || (made != null && isLarge(made, flow));
        boolean method = function.self() != null && !function.isDecoratedAs("classmethod");
        ClassModel owner = function.owner;
        if (method
                && owner != null
                && (owner.isModule()
                        || (unlimited && (returnsTensor(function) || takesTensor(function, true)))
                        || flow.ownsTensors(owner))) {
            hits.add(decorator, Hits.SURE, ofMethod(function, unlimited));
        } else if (!method && unlimited && (returnsTensor(function) || takesTensor(function, false))) {
            hits.add(decorator, Hits.SURE, "the cache holds the tensors of every call, and nothing takes them out");
        }
    }

    /** The message for a method's cache: entries that fill the device come first, since an object is there only once. */
    private static String ofMethod(FunctionModel function, boolean unlimited) {
        boolean tensors = returnsTensor(function) || takesTensor(function, true);
        return unlimited && tensors && function.parameters.size() > 1
                ? "the cache keeps the tensors of every distinct call, and nothing takes them out; it also holds %s, and what it owns"
                        .formatted(function.self())
                : "the cache of a method holds %s, and what it owns, for as long as the entry lives"
                        .formatted(function.self());
    }

    private static boolean isLarge(Expr.Call call, Flow flow) {
        Expr size = call.given("maxsize");
        size = size == null && !call.args().isEmpty() ? call.args().getFirst() : size;
        if (size == null) {
            return false;
        }
        String digits = flow.file().text(size).replace("_", "");
        return Nodes.isConstant(size, Expr.Constant.Kind.NONE)
                || (digits.matches("\\d{1,9}") && Integer.parseInt(digits) > LARGE)
                || size instanceof Expr.BinOp;
    }

    private static boolean returnsTensor(FunctionModel function) {
        return function.returned().parts().stream()
                .anyMatch(part ->
                        part.may(Kind.TENSOR | Kind.MODULE) && !part.may(Kind.NUMBER) && part.device() != Device.CPU);
    }

    private static boolean takesTensor(FunctionModel function, boolean skipFirst) {
        return function.parameters.stream()
                .skip(skipFirst ? 1 : 0)
                .map(parameter -> function.variables.get(parameter.name()))
                .anyMatch(slot -> slot != null && slot.value().owns(Kind.TENSOR));
    }
}
