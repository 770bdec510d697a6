package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntObjectHashMap;
import dev.leakline.known.HookTable;
import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.objects.ReferenceKind;
import java.util.List;

/**
 * Finds the place of every storage. A group ends at the first item of a container that people add to, else at the first tensor: all that
 * hangs on one of many losses, its graph included, is one group. What people add to is not always the first container ({@link Piles}). A module's parameters are one group for the whole of the module, with
 * their gradients, but without what their hooks keep; so is all that an optimizer keeps.
 */
final class HeldPlaces {
    /** A place and the object at which it begins: the container or the tensor. */
    record Spot(HeldPlace place, int anchor) {}

    private final ObjectGraph graph;
    private final EdgeColumns edges;
    private final Paths paths;
    private final Naming naming;
    private final Piles piles;
    private final HeldPlace top = HeldPlace.top();
    private final IntObjectHashMap<Spot> spots = new IntObjectHashMap<>();
    private final IntIntHashMap loops = new IntIntHashMap();
    private final List<String> loopNames;

    /** Places by paths; {@code loopNames} has the name of each loop, in a form that is the same in every run. */
    HeldPlaces(Holding holding, Naming naming, List<String> loopNames) {
        this.graph = holding.graph;
        this.edges = graph.edges;
        this.paths = holding.paths;
        this.naming = naming;
        this.piles = Piles.of(graph, paths, naming);
        this.loopNames = loopNames;
        for (int i = 0; i < holding.loops.size(); i++) {
            loops.put(holding.loops.get(i).head(), i);
        }
    }

    /** The place of a vertex. */
    Spot of(int vertex) {
        IntArrayList open = new IntArrayList();
        int above = vertex;
        while (!spots.containsKey(above)) {
            open.add(above);
            if (paths.step(above) < 0) {
                break;
            }
            above = edges.from(paths.step(above));
        }
        for (int i = open.size() - 1; i >= 0; i--) {
            int next = open.get(i);
            int step = paths.step(next);
            spots.put(next, step < 0 ? begin(next) : go(spots.get(edges.from(step)), step));
        }
        return spots.get(vertex);
    }

    private Spot begin(int vertex) {
        HeldFrom from = paths.from(vertex);
        if (from == HeldFrom.NOBODY) {
            return new Spot(top.branch("cycle\n" + loopNames.get(loops.get(vertex)), HeldPlace.Kind.ANY, true), vertex);
        }
        boolean isEnd = from != HeldFrom.NAME && isTensor(vertex);
        return new Spot(top.branch(from + " " + naming.generalText(vertex), HeldPlace.Kind.ANY, isEnd), vertex);
    }

    private Spot go(Spot from, int edge) {
        ReferenceKind reference = edges.kind(edge);
        boolean isGlue = reference == ReferenceKind.INTERNAL && graph.kind(edges.from(edge)) != NodeKind.CELL;
        boolean isSame = (from.place.isEnd && !isBesideWeights(from.place, edge))
                || isGlue
                || reference == ReferenceKind.MEMORY
                || Weights.isTable(graph, edge);
        return isSame ? from : go(from, edge, edges.to(edge));
    }

    /** Returns whether a reference leads from weights to what is no part of them: their hooks, and containers that people add to. */
    private boolean isBesideWeights(HeldPlace place, int edge) {
        return place.kind == HeldPlace.Kind.WEIGHTS && (HookTable.is(graph.label(edge)) || naming.isItem(edge));
    }

    private Spot go(Spot from, int edge, int target) {
        HeldPlace place = from.place;
        String name = naming.general(edge) + " " + naming.generalText(target);
        boolean isPart = naming.isInTable(edge);
        if (naming.isItem(edge) && !isPart && !piles.isTable(edge)) {
            return new Spot(place.branch(Naming.ANY, HeldPlace.Kind.ANY, true), edges.from(edge));
        }
        if (isTensor(target)) {
            HeldPlace module = isPart && graph.nodes.isWeight(target) ? place.module : null;
            return module == null
                    ? new Spot(place.branch(name, HeldPlace.Kind.ANY, true), target)
                    : new Spot(module, from.anchor);
        }
        return switch (graph.kind(target)) {
            case OPTIMIZER -> new Spot(place.branch(name, HeldPlace.Kind.OPTIMIZER, true), target);
            case NN_MODULE -> new Spot(place.moduleBranch(name), place.module == null ? target : from.anchor);
            default ->
                new Spot(place.branch(name, HeldPlace.Kind.ANY, false), place.module == null ? target : from.anchor);
        };
    }

    private boolean isTensor(int vertex) {
        NodeKind kind = graph.kind(vertex);
        return kind == NodeKind.TENSOR
                || kind == NodeKind.STORAGE_OBJECT
                || kind == NodeKind.AUTOGRAD
                || kind == NodeKind.STORAGE;
    }
}
