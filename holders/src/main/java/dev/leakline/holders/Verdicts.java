package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.IntIntHashMap;
import dev.leakline.holders.ReferencePath.Step;
import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.objects.ReferenceKind;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges for every object on a path whether it is expected, and which references are suspect.
 *
 * <p>Some objects speak for themselves: modules, classes and parameters are expected; the frame of a finished call is stuck. What is
 * above an expected object is expected too, and what is below a stuck one is stuck, as in LeakCanary's traces. So a path has three
 * parts, and the suspect references are those from the last expected object to the first stuck one. Of more
 * than two, the first is named and that by which things pile up.
 */
final class Verdicts {
    private record Opinion(Verdict verdict, String reason) {}

    /** Weights that are tied are used twice in a step; more often only by loops, of which each iteration is a step of its own kind. */
    private static final int USES_OF_A_STEP = 2;

    private static final String WEIGHT = "a parameter or buffer of a live module";
    private static final Opinion NOTHING = new Opinion(Verdict.UNKNOWN, "");

    private final ObjectGraph graph;
    private final EdgeColumns edges;
    private final Naming naming;
    private final Counts counts;
    private final GatheredGroup group;
    private final Trend trend;
    private final List<Step> steps;
    private final int storage;
    private final @Nullable Opinion[] opinions;

    private Verdicts(Holding holding, Naming naming, GatheredGroup group, Trend trend, List<Step> steps, int storage) {
        this.graph = holding.graph;
        this.edges = graph.edges;
        this.naming = naming;
        this.counts = holding.counts;
        this.group = group;
        this.trend = trend;
        this.steps = steps;
        this.storage = storage;
        this.opinions = new Opinion[steps.size()];
    }

    /** The hops of a group's path with their verdicts. */
    static List<Hop> of(
            Holding holding, Naming naming, GatheredGroup group, Trend trend, List<Step> steps, int storage) {
        return new Verdicts(holding, naming, group, trend, steps, storage).hops();
    }

    private List<Hop> hops() {
        for (int i = 0; i < opinions.length; i++) {
            opinions[i] = opinion(i);
        }
        int tied = firstTensor();
        boolean isTied = tied > 0 && isOfLocal() && at(tied).verdict != Verdict.EXPECTED;
        for (int i = tied + 1; isTied && i < opinions.length; i++) {
            opinions[i] =
                    at(tied).verdict == Verdict.STUCK ? NOTHING : new Opinion(Verdict.UNKNOWN, "saved by this graph");
        }
        boolean isGarbage = group.from == HeldFrom.NOBODY;
        int lastExpected = isGarbage ? -1 : last(Verdict.EXPECTED);
        for (int i = 0; i < lastExpected; i++) {
            if (at(i).verdict != Verdict.EXPECTED) {
                opinions[i] = new Opinion(Verdict.EXPECTED, conflict(i) + "it refers to an expected object");
            }
        }
        int firstStuck = firstStuck(lastExpected + 1);
        for (int i = firstStuck + 1; i < opinions.length; i++) {
            if (at(i).verdict != Verdict.STUCK) {
                opinions[i] = new Opinion(Verdict.STUCK, held(i));
            }
        }
        boolean[] suspects = suspects(lastExpected, Math.min(firstStuck, firstTensor()));
        List<Hop> hops = new ArrayList<>();
        for (int i = 0; i < opinions.length; i++) {
            Step step = steps.get(i);
            String type = graph.storage(step.target()) < 0 ? graph.type(step.target()) : "storage";
            String size = i < opinions.length - 1 ? "" : ", " + ByteSize.format(graph.storages.bytes(storage));
            hops.add(new Hop(
                    step.label(), type, naming.text(step.target()) + size, at(i).verdict, at(i).reason, suspects[i]));
        }
        return hops;
    }

    private Opinion at(int index) {
        Opinion opinion = opinions[index];
        return opinion == null ? NOTHING : opinion;
    }

    private String conflict(int index) {
        return at(index).reason.isEmpty() ? "" : at(index).reason + ", but ";
    }

    private String held(int index) {
        return at(index).reason.isEmpty() ? "it is referenced by a stuck object" : at(index).reason;
    }

    private int last(Verdict verdict) {
        int last = opinions.length - 1;
        while (last >= 0 && at(last).verdict != verdict) {
            last--;
        }
        return last;
    }

    private int firstStuck(int from) {
        int first = from;
        while (first < opinions.length && at(first).verdict != Verdict.STUCK) {
            first++;
        }
        return first;
    }

    private int firstTensor() {
        int first = anchor();
        while (first < steps.size() - 1 && !isTensor(steps.get(first).target())) {
            first++;
        }
        return first;
    }

    /** The step to the object at which the group begins; the first where the path does not show it. */
    private int anchor() {
        int anchor = steps.size() - 1;
        while (anchor > 0 && !group.anchors.contains(steps.get(anchor).target())) {
            anchor--;
        }
        return anchor;
    }

    private boolean isTensor(int vertex) {
        return graph.kind(vertex) == NodeKind.TENSOR || graph.kind(vertex) == NodeKind.STORAGE_OBJECT;
    }

    /** The references from one step to another: all where they are one or two, else the first and that by which things pile up. */
    private boolean[] suspects(int above, int end) {
        boolean[] suspects = new boolean[steps.size()];
        int first = Math.max(above + 1, 1);
        int last = Math.min(end, steps.size() - 1);
        if (above >= steps.size() - 1 || first > last) {
            return suspects;
        }
        suspects[first] = true;
        int second = last - first > 1 ? item(first + 1, last) : last;
        suspects[second] = true;
        return suspects;
    }

    private int item(int from, int end) {
        int item = group.item(steps, naming);
        return item >= from && item <= end ? item : end;
    }

    private Opinion opinion(int index) {
        int vertex = steps.get(index).target();
        if (group.from == HeldFrom.NOBODY) {
            return new Opinion(
                    Verdict.STUCK,
                    index == 0 ? "nothing outside its cycle refers to it" : "only the cycle refers to it");
        }
        if (group.place.kind == HeldPlace.Kind.OPTIMIZER && below(index, NodeKind.OPTIMIZER)) {
            return new Opinion(Verdict.EXPECTED, "an optimizer's state");
        }
        if (group.place.kind == HeldPlace.Kind.WEIGHTS && isTensor(vertex)) {
            return new Opinion(Verdict.EXPECTED, graph.nodes.isWeight(vertex) ? WEIGHT : "it belongs to a parameter");
        }
        return index == 0 ? beginning(vertex) : byKind(index, vertex);
    }

    private boolean below(int index, NodeKind kind) {
        for (int i = 0; i <= index; i++) {
            if (graph.kind(steps.get(i).target()) == kind) {
                return true;
            }
        }
        return false;
    }

    private Opinion beginning(int vertex) {
        if (group.from == HeldFrom.NATIVE) {
            return new Opinion(
                    Verdict.UNKNOWN,
                    counts.surplus(vertex) == 1
                            ? "native code holds one reference to it"
                            : "native code holds " + counts.surplus(vertex) + " references to it");
        }
        if (group.from == HeldFrom.UNSEEN) {
            return new Opinion(Verdict.UNKNOWN, "the dump does not show what refers to it");
        }
        return switch (graph.kind(vertex)) {
            case MODULE -> new Opinion(Verdict.EXPECTED, "a module");
            case CLASS -> new Opinion(Verdict.EXPECTED, "a class");
            case RUNNING_FRAME -> new Opinion(Verdict.EXPECTED, "the call has not returned");
            default -> NOTHING;
        };
    }

    private Opinion byKind(int index, int vertex) {
        boolean isAnchor = group.anchors.contains(vertex);
        boolean isPile = isAnchor && graph.kind(vertex).isContainer();
        if (isPile && trend.isLeaking()) {
            return new Opinion(Verdict.STUCK, "it " + trend.text());
        }
        if (isPile) {
            return new Opinion(Verdict.UNKNOWN, trend.hasGrown() ? "it " + trend.text() : "");
        }
        boolean isItem = naming.isItem(steps.get(index).edge())
                && !naming.isInTable(steps.get(index).edge());
        return switch (graph.kind(vertex)) {
            case FINISHED_FRAME -> new Opinion(Verdict.STUCK, "the call has finished; a traceback keeps its variables");
            case SUSPENDED_FRAME -> new Opinion(Verdict.UNKNOWN, "suspended");
            case MODULE, CLASS -> new Opinion(Verdict.EXPECTED, "a module or a class");
            case FUNCTION -> isItem ? NOTHING : new Opinion(Verdict.EXPECTED, "a function");
            case NN_MODULE -> isItem ? NOTHING : new Opinion(Verdict.EXPECTED, "part of a model");
            case OPTIMIZER -> isItem ? NOTHING : new Opinion(Verdict.EXPECTED, "an optimizer");
            case TENSOR -> tensor(index, vertex);
            default -> isLocal(index) ? new Opinion(Verdict.EXPECTED, "a local of a running call") : NOTHING;
        };
    }

    private Opinion tensor(int index, int vertex) {
        if (index < anchor()) {
            return new Opinion(Verdict.EXPECTED, WEIGHT);
        }
        boolean isFirst = firstTensor() == index;
        if (isOfLocal()) {
            return ofLocal(isFirst, vertex);
        }
        return isFirst && graph.nodes.hasGraph(vertex)
                ? new Opinion(Verdict.STUCK, "its autograd graph outlives the step that made it")
                : NOTHING;
    }

    /** A local variable is as it should be, with the graph that made it, unless that ties more together than one step needs. */
    private Opinion ofLocal(boolean isFirst, int vertex) {
        if (!isFirst) {
            return new Opinion(Verdict.EXPECTED, "saved for the backward pass of a local of a running call");
        }
        int uses = graph.nodes.hasGraph(vertex) ? GraphUse.of(graph, vertex) : 0;
        if (uses <= USES_OF_A_STEP) {
            return new Opinion(Verdict.EXPECTED, "a local of a running call");
        }
        return new Opinion(
                trend.hasGrown() ? Verdict.STUCK : Verdict.UNKNOWN,
                "its autograd graph uses one parameter " + uses + " times, so it probably spans many steps"
                        + (trend.hasGrown() ? ", and " + trend.text() : ""));
    }

    /** Returns whether the path's first tensor is a local variable of a running call, or part of one, and none of many in a container. */
    private boolean isOfLocal() {
        boolean isOf = isLocal(1);
        for (int i = 1; i <= firstTensor(); i++) {
            isOf &= steps.get(i).edge() >= 0 && !naming.isItem(steps.get(i).edge());
        }
        return isOf;
    }

    private boolean isLocal(int index) {
        int edge = steps.get(index).edge();
        return index == 1
                && steps.size() > 1
                && edges.kind(edge) == ReferenceKind.LOCAL
                && graph.kind(edges.from(edge)) == NodeKind.RUNNING_FRAME;
    }

    /** Counts how often the autograd graph of a tensor uses its most used parameter; the graph of one step uses each once. */
    private static final class GraphUse {
        private static final String LEAF = "AccumulateGrad";

        private GraphUse() {}

        static int of(ObjectGraph graph, int tensor) {
            EdgeColumns edges = graph.edges;
            IntHashSet seen = new IntHashSet();
            IntIntHashMap uses = new IntIntHashMap();
            IntArrayList waiting = new IntArrayList();
            waiting.add(tensor);
            int most = 0;
            while (!waiting.isEmpty()) {
                int vertex = waiting.removeLast();
                for (int edge = edges.outStart(vertex); edge < edges.outStart(vertex + 1); edge++) {
                    int target = edges.to(edge);
                    if (edges.kind(edge) != ReferenceKind.AUTOGRAD || graph.kind(target) != NodeKind.AUTOGRAD) {
                        continue;
                    }
                    if (graph.type(target).equals(LEAF)) {
                        most = Math.max(most, uses.addTo(target, 1));
                    } else if (seen.add(target)) {
                        waiting.add(target);
                    }
                }
            }
            return most;
        }
    }
}
