package dev.leakline.lint.flow;

import dev.leakline.lint.flow.ClassModel.Role;
import dev.leakline.lint.flow.FunctionModel.CallSite;
import dev.leakline.lint.flow.FunctionModel.Parameter;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.flow.Certainty;
import dev.leakline.python.flow.SourceFile;
import java.util.Set;

/**
 * Goes through a file the way Python would, with abstract values: every function once a round, branches both, loops twice. What functions
 * are given and give back is joined over all calls in the file, and known in the next round. A round that starts from what the last one
 * started from would see the same, and is left out.
 */
public final class Interpreter {
    /** A value from a call reaches its callee in the second round, and what that returns its caller in the third. */
    private static final int MOST_ROUNDS = 4;

    /** Roles whose hooks of validation, test and prediction Lightning calls under no_grad. */
    private static final Set<Role> GRADLESS_HOOKS = Set.of(Role.LIGHTNING, Role.CALLBACK);

    private final FileModel file;
    private final Flow flow;
    private int traits = -1;
    private final Expressions expressions;
    private final Statements statements;

    private Interpreter(FileModel file) {
        this.file = file;
        this.flow = new Flow(file);
        this.expressions = new Expressions(file, flow);
        this.statements = new Statements(expressions);
    }

    /** Finds what happens in a file. */
    public static Flow run(SourceFile source) {
        Interpreter interpreter = new Interpreter(new FileModel(source));
        for (int round = 0; round < MOST_ROUNDS && !interpreter.isSettled(); round++) {
            interpreter.round();
        }
        interpreter.flow.conclude();
        return interpreter.flow;
    }

    /** Returns whether the next round would start from what the last one started from: asked once before each. */
    private boolean isSettled() {
        int before = traits;
        traits = traits();
        return traits == before
                && file.functions().stream()
                        .allMatch(function -> function.isSettled() && function.entryGrad == entryGrad(function))
                && file.classes().stream()
                        .allMatch(model -> model.attributes.values().stream().allMatch(Slot::isSettled))
                && file.unknownAttributes().values().stream().allMatch(Slot::isSettled)
                && flow.containers().stream().allMatch(HeapContainer::isSettled);
    }

    /** A hash of what exists by now and what is known of it for good. */
    private int traits() {
        int all = 31 * flow.containers().size() + file.unknownAttributes().size();
        for (FunctionModel function : file.functions()) {
            all = 31 * all + function.traits();
        }
        for (ClassModel model : file.classes()) {
            all = 31 * all + model.attributes.size();
        }
        for (LoopModel loop : flow.loops()) {
            all = 31 * all + loop.traits();
        }
        for (HeapContainer container : flow.containers()) {
            all = 31 * all + (container.isBounded ? 1 : 0);
        }
        return all;
    }

    private void round() {
        for (FunctionModel function : file.functions()) {
            function.entryGrad = entryGrad(function);
        }
        flow.nextRound();
        for (FunctionModel function : file.functions()) {
            if (!function.isLambda()) {
                evaluate(function);
            }
        }
    }

    private void evaluate(FunctionModel function) {
        Scope frame = new Scope(function, function.entryGrad);
        for (Parameter parameter : function.parameters) {
            Value value = parameterValue(function, parameter, frame);
            expressions.assignments.assignName(parameter.name(), value, parameter.arg(), frame);
        }
        statements.block(function.body(), frame);
    }

    private Value parameterValue(FunctionModel function, Parameter parameter, Scope frame) {
        if (parameter.name().equals(function.self()) && function.owner != null) {
            boolean isClass = function.isDecoratedAs("classmethod");
            int module = function.owner.isModule() ? Kind.MODULE : 0;
            return Value.of(isClass ? Kind.CLASS : Kind.INSTANCE | module, function.owner);
        }
        Value given = function.argument(parameter.name());
        Expr hint = parameter.arg().annotation();
        Expr preset = parameter.arg().defaultValue();
        Value hinted = hint == null ? null : expressions.lookups.annotated(hint);
        Value standard = preset == null ? null : expressions.evaluate(preset, frame);
        if (parameter.stars() > 0) {
            HeapContainer container = flow.container(parameter.arg(), "", function);
            if (given != null) {
                container.put(given);
            }
            return Value.holding(container);
        }
        Value value = given != null ? given : hinted != null ? hinted : frameworkArgument(function, parameter);
        if (given != null && hinted != null && !hinted.may(Kind.OTHER)) {
            value = given.may(Kind.OTHER) && !given.may(hinted.kinds()) ? hinted.combined(given) : given;
        }
        if (standard != null) {
            value = given == null && standard.isOnly(Kind.NONE)
                    ? value.plus(Kind.NONE)
                    : given == null && standard.may(Kind.DEVICE | Kind.TEXT) ? standard : value.join(standard);
            value = given == null && hinted == null && !standard.may(Kind.DEVICE | Kind.TEXT)
                    ? value.plus(Kind.OTHER)
                    : value;
        }
        return value;
    }

    /** The value that a framework gives to a function that it calls. */
    private static Value frameworkArgument(FunctionModel function, Parameter parameter) {
        ClassModel owner = function.owner;
        if (owner != null && owner.isModule() && function.name.equals("forward")) {
            return Value.of(Kind.TENSOR | Kind.OTHER).withGrad(Certainty.UNKNOWN);
        }
        if (owner != null && owner.role == Role.AUTOGRAD_FUNCTION) {
            return Value.of(parameter.name().equals("ctx") ? Kind.OTHER : Kind.TENSOR);
        }
        return Value.OTHER;
    }

    private Certainty entryGrad(FunctionModel function) {
        for (Expr decorator : function.decorators) {
            Certainty mode = expressions.lookups.gradModeOf(decorator);
            if (mode != null) {
                return mode;
            }
        }
        if (function.owner != null && GRADLESS_HOOKS.contains(function.owner.role)) {
            String name = function.name;
            if (name.contains("validation")
                    || name.startsWith("test_")
                    || name.startsWith("predict_")
                    || name.contains("_test_")
                    || name.contains("_predict_")) {
                return Certainty.NO;
            }
        }
        if (function.name.equals("prediction_step")) {
            return Certainty.NO;
        }
        if (function.outer != null
                && !function.outer.isModuleLevel()
                && function.callers.isEmpty()
                && !function.isCallback) {
            return function.outer.entryGrad;
        }
        Certainty all = null;
        for (CallSite site : function.callers) {
            all = all == null || all == site.grad() ? site.grad() : Certainty.LIKELY;
        }
        return all == null ? Certainty.SURE : all;
    }
}
