package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.fix.Rewriting;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.python.Syntax;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** LK010: empty_cache() or gc.collect() in every step. */
public final class EmptyCacheAsCure implements RuleCheck {
    @Override
    public String rule() {
        return "LK010";
    }

    @Override
    public List<String> words() {
        return List.of("empty_cache", "collect");
    }

    @Override
    public void check(Flow flow, Hits hits) {
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            String name = flow.file().qualified(call.node().text("function"));
            boolean meant = name.equals("torch.cuda.empty_cache") || name.equals("gc.collect");
            if (meant && isEveryStep(call, flow)) {
                hits.add(
                        this,
                        call.node(),
                        Hits.LIKELY,
                        "%s in every step frees no tensor that is in use, and makes the allocator go back to the driver each time"
                                .formatted(call.node().text()),
                        isStatement(call.node()) ? Patch.safe(Rewriting.delete(call.node())) : Patch.NONE);
            }
        }
    }

    private static boolean isStatement(Syntax call) {
        return call.parent() != null && call.parent().is("expression_statement");
    }

    private static boolean isEveryStep(FlowEvent.Call call, Flow flow) {
        LoopModel loop = call.loop();
        if (isConditional(call.node(), loop)) {
            return false;
        }
        if (loop == null) {
            FunctionModel function = call.function();
            return function.isStepHook
                    || (function.name.equals("forward") && function.owner != null && function.owner.isModule());
        }
        return isStepLoop(loop, flow);
    }

    /** Once now and then is no habit: only a test for CUDA itself does not count. */
    private static boolean isConditional(Syntax node, @Nullable LoopModel loop) {
        for (Syntax up = node.parent(); up != null && (loop == null || up != loop.node); up = up.parent()) {
            if (up.is("function_definition")) {
                break;
            }
            boolean available = up.is("if_statement") && up.text("condition").contains("is_available");
            if (((up.is("if_statement") || up.is("elif_clause") || up.is("else_clause"))
                            && !available
                            && !up.is("else_clause"))
                    || up.is("except_clause")
                    || up.is("conditional_expression")
                    || up.is("case_clause")) {
                return true;
            }
        }
        return false;
    }

    /** A loop whose body does the work of a step itself, not an epoch around a loop of steps. */
    private static boolean isStepLoop(LoopModel loop, Flow flow) {
        boolean inner = flow.loops().stream()
                .anyMatch(other ->
                        other.outer == loop && (other.works || other.trains) && other.node.is("for_statement"));
        boolean calls = flow.events(FlowEvent.Call.class).stream()
                .anyMatch(call -> call.loop() == loop
                        && flow.file().functions().stream()
                                .anyMatch(function ->
                                        function.callers.stream().anyMatch(site -> site.call() == call.node())
                                                && flow.loops().stream()
                                                        .anyMatch(other -> other.function == function
                                                                && (other.works || other.trains))));
        return !inner && !calls && (loop.works || loop.trains || loop.overData || makesTensors(loop, flow));
    }

    private static boolean makesTensors(LoopModel loop, Flow flow) {
        return flow.events(FlowEvent.Call.class).stream()
                .anyMatch(call -> call.loop() == loop && call.result().may(dev.leakline.lint.flow.Value.Kind.TENSOR));
    }
}
