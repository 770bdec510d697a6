package dev.leakline.lint.rule;

import dev.leakline.lint.fix.Patch;
import dev.leakline.lint.fix.Rewriting;
import dev.leakline.lint.flow.FileModel;
import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import org.jspecify.annotations.Nullable;

/** LK010: empty_cache() or gc.collect() in every step. */
final class EmptyCacheAsCure {
    private EmptyCacheAsCure() {}

    static void check(Flow flow, Hits hits) {
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            String name = flow.file().callee(call.node());
            boolean meant = name.equals("torch.cuda.empty_cache") || name.equals("gc.collect");
            if (meant && isEveryStep(call, flow)) {
                hits.add(
                        call.node(),
                        Hits.LIKELY,
                        "%s in every step frees no tensor that is in use, and makes the allocator go back to the driver each time"
                                .formatted(flow.file().text(call.node())),
                        flow.file().source().parent(call.node()) instanceof Stmt.Expression
                                ? Patch.safe(Rewriting.delete(call.node(), flow.file()))
                                : Patch.NONE);
            }
        }
    }

    private static boolean isEveryStep(FlowEvent.Call call, Flow flow) {
        LoopModel loop = call.loop();
        if (isConditional(call.node(), loop, flow.file())) {
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
    private static boolean isConditional(Node node, @Nullable LoopModel loop, FileModel file) {
        Node inner = file.enclosing(
                node,
                up -> (loop != null && up == loop.node)
                        || up instanceof Stmt.FunctionDef
                        || (up instanceof Stmt.If it && !file.text(it.test()).contains("is_available"))
                        || up instanceof Node.ExceptHandler
                        || up instanceof Expr.IfExp
                        || up instanceof Node.MatchCase);
        return inner != null && !(loop != null && inner == loop.node) && !(inner instanceof Stmt.FunctionDef);
    }

    /** A loop whose body does the work of a step itself, not an epoch around a loop of steps. */
    private static boolean isStepLoop(LoopModel loop, Flow flow) {
        boolean inner = flow.loops().stream()
                .anyMatch(other ->
                        other.outer == loop && (other.works || other.trains) && other.node instanceof Stmt.For);
        boolean calls = flow.calls(loop.function)
                .filter(call -> call.loop() == loop)
                .flatMap(flow::called)
                .anyMatch(function -> flow.loops().stream()
                        .anyMatch(other -> other.function == function && (other.works || other.trains)));
        return !inner && !calls && (loop.works || loop.trains || loop.overData || makesTensors(loop, flow));
    }

    private static boolean makesTensors(LoopModel loop, Flow flow) {
        return flow.calls(loop.function)
                .anyMatch(call -> call.loop() == loop && call.result().may(Kind.TENSOR));
    }
}
