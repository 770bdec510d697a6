package dev.leakline.holders;

import dev.leakline.holders.LoopFinder.Loop;
import dev.leakline.holders.ReferencePath.Step;
import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.objects.ReferenceKind;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Verdict;
import java.util.ArrayList;
import java.util.List;

/** Makes the advice for a group from its reference path. The causes are those of research on PyTorch's own issues, the commonest first. */
final class Advisor {
    private final Holding holding;
    private final ObjectGraph graph;
    private final Naming naming;
    private final GatheredGroup group;
    private final List<Step> steps;
    private final List<Advice> advice = new ArrayList<>();

    private Advisor(Holding holding, Naming naming, GatheredGroup group, List<Step> steps) {
        this.holding = holding;
        this.graph = holding.graph;
        this.naming = naming;
        this.group = group;
        this.steps = steps;
    }

    /** Advice for a group, the best first; none for what should be there. */
    static List<Advice> of(
            Holding holding, Naming naming, GatheredGroup group, List<Step> steps, List<Hop> hops, long bytes) {
        if (hops.getLast().verdict() == Verdict.EXPECTED) {
            return List.of();
        }
        Advisor advisor = new Advisor(holding, naming, group, steps);
        advisor.advise(bytes);
        return advisor.advice;
    }

    private void advise(long bytes) {
        String name = name();
        if (group.from == HeldFrom.NOBODY) {
            add(cut(), "then the memory is freed at once, without the garbage collector", bytes);
            return;
        }
        if (has(NodeKind.FINISHED_FRAME)) {
            add(
                    "keep str(error) or traceback.format_exc() instead of the exception, or call error.with_traceback(None)",
                    "a traceback keeps the frames of its calls and all their variables",
                    bytes);
        }
        if (has(NodeKind.SUSPENDED_FRAME)) {
            add(
                    "close the generator, or end the task, when it is no longer needed",
                    "a suspended generator or task keeps its variables",
                    bytes);
        }
        if (hasGraph()) {
            add(
                    (pile() < 0 ? "keep " + name : "put into " + name + " x")
                            + ".detach(), or .item() for a single number; compute it under torch.no_grad() if no backward pass follows",
                    "a tensor with a grad_fn keeps everything its autograd graph saved",
                    bytes);
        }
        if (isCache()) {
            add(
                    "give the cache a maxsize, or call cache_clear()",
                    "an unbounded cache keeps every result it ever computed",
                    bytes);
        }
        if (isHook()) {
            add(
                    "keep the handle that registering the hook returned, and call its remove()",
                    "a module keeps its hooks as long as it exists",
                    bytes);
        }
        if (group.from == HeldFrom.NATIVE || group.from == HeldFrom.UNSEEN) {
            add(
                    "look for object arrays, capsules and native extensions that received the tensor",
                    "the owner is not an object that Python's garbage collector tracks",
                    bytes);
        }
        if (advice.isEmpty() && pile() >= 0) {
            add(
                    "bound " + name + ", or keep a copy in CPU memory: .cpu()",
                    "it keeps everything in it as long as it exists",
                    bytes);
        }
    }

    private void add(String action, String why, long bytes) {
        advice.add(Advice.of(action, why, bytes));
    }

    /** How the cycle that a group begins with is cut. */
    private String cut() {
        int head = steps.getFirst().target();
        return holding.loops.stream()
                .filter(loop -> loop.head() == head)
                .map(Loop::edges)
                .map(edges -> cut(edges.get(0), edges.get(edges.size() - 1)))
                .findFirst()
                .orElse("break the cycle");
    }

    /** How to do without a reference to which another leads. */
    private String cut(int edge, int before) {
        boolean isHook = graph.label(before).endsWith(LoopFinder.HOOKS);
        return isHook
                ? "keep the handle that registering the hook in " + naming.label(before)
                        + " returned, and call its remove()"
                : "break the cycle at " + naming.label(edge)
                        + ": set it to None when it is no longer needed, or make it a weakref";
    }

    private boolean has(NodeKind kind) {
        return steps.stream().anyMatch(step -> graph.kind(step.target()) == kind);
    }

    private boolean hasGraph() {
        return steps.stream()
                .map(Step::target)
                .filter(vertex -> graph.kind(vertex) == NodeKind.TENSOR)
                .findFirst()
                .filter(graph.nodes::hasGraph)
                .isPresent();
    }

    private boolean isCache() {
        return steps.stream()
                .anyMatch(step -> graph.storage(step.target()) < 0
                        && graph.type(step.target()).endsWith("_lru_cache_wrapper"));
    }

    private boolean isHook() {
        return steps.stream().anyMatch(step -> step.label().endsWith(LoopFinder.HOOKS));
    }

    private int pile() {
        return group.item(steps, naming);
    }

    /** The name that a reader would write for what holds the group: that of the container, else of the tensor. */
    private String name() {
        int end = pile() >= 0 ? pile() : steps.size();
        for (int i = 1; i < end; i++) {
            if (graph.edges.kind(steps.get(i).edge()) == ReferenceKind.AUTOGRAD) {
                end = i;
            }
        }
        String name = ReferencePath.name(steps, end);
        return name.isEmpty() ? "it" : name;
    }
}
