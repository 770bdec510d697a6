package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.holders.HeldPlaces.Spot;
import dev.leakline.holders.ReferencePath.Step;
import dev.leakline.holders.graph.Dominators;
import dev.leakline.holders.graph.LoopFinder.Loop;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** A dump with its storages grouped by place. */
final class HeldDump {
    final Holding holding;
    final ObjectGraph graph;
    final Naming naming;
    final List<LoopHops> loops = new ArrayList<>();
    /** The groups by the path of their place. */
    final Map<String, GatheredGroup> groups = new LinkedHashMap<>();
    /** Keys of its storages, unique within the process. */
    final SeededLongSet keys = new SeededLongSet();

    HeldDump(ObjectGraph graph) {
        this.graph = graph;
        this.holding = Holding.of(graph);
        this.naming = new Naming(graph, holding.paths);
        holding.loops.forEach(loop -> loops.add(new LoopHops(graph, naming, loop)));
        gather();
    }

    private void gather() {
        HeldPlaces places = new HeldPlaces(
                holding, naming, loops.stream().map(LoopHops::name).toList());
        for (int storage = 0; storage < graph.storages.size(); storage++) {
            keys.add(graph.storages.key(storage));
            int vertex = graph.vertex(storage);
            Spot spot = places.of(vertex);
            HeldFrom from = holding.paths.from(vertex);
            groups.computeIfAbsent(spot.place().path(), _ -> new GatheredGroup(spot.place(), from))
                    .add(storage, spot.anchor(), graph.storages.bytes(storage));
        }
    }

    /** Items of the containers at which a group begins, -1 where it begins at something else. */
    long items(GatheredGroup group) {
        long items = 0;
        for (int i = 0; i < group.anchorOrder.size(); i++) {
            int anchor = group.anchorOrder.get(i);
            if (!graph.kind(anchor).isContainer()) {
                return -1;
            }
            items += naming.items(anchor);
        }
        return items;
    }

    /** The largest of some storages of a group; of equal ones that to which the shortest way leads, and of those the first by its shape. */
    int example(IntArrayList storages) {
        int best = storages.get(0);
        for (int i = 1; i < storages.size(); i++) {
            int other = storages.get(i);
            if (isBetter(other, best)) {
                best = other;
            }
        }
        return best;
    }

    private boolean isBetter(int storage, int other) {
        int difference = Long.compare(graph.storages.bytes(other), graph.storages.bytes(storage));
        difference = difference != 0 ? difference : Integer.compare(distance(storage), distance(other));
        return (difference != 0 ? difference : compareSteps(storage, other)) < 0;
    }

    private int distance(int storage) {
        return holding.paths.distance(graph.vertex(storage));
    }

    /** By the references that lead to what has them, from the storage up, where they differ. */
    private int compareSteps(int storage, int other) {
        int up = graph.vertex(storage);
        int otherUp = graph.vertex(other);
        while (up != otherUp) {
            int step = holding.paths.step(up);
            int otherStep = holding.paths.step(otherUp);
            if (step < 0 || otherStep < 0) {
                return Integer.compare(step, otherStep);
            }
            int difference = graph.texts.compare(graph.edges.label(step), graph.edges.label(otherStep));
            if (difference != 0) {
                return difference;
            }
            up = graph.edges.from(step);
            otherUp = graph.edges.from(otherStep);
        }
        return 0;
    }

    /** Bytes that go with the objects at which a group begins: what several of them have in one another counts once. */
    long retained(GatheredGroup group) {
        long bytes = 0;
        IntHashSet outside = new IntHashSet();
        IntHashSet inside = new IntHashSet();
        for (int i = 0; i < group.anchorOrder.size(); i++) {
            int anchor = group.anchorOrder.get(i);
            bytes += isInside(anchor, group, outside, inside) ? 0 : holding.retained(anchor);
        }
        return bytes;
    }

    /** Which objects go with those at which a group begins. */
    IntPredicate goesWith(GatheredGroup group) {
        IntHashSet outside = new IntHashSet();
        IntHashSet inside = new IntHashSet();
        return vertex -> group.anchors.contains(vertex) || isInside(vertex, group, outside, inside);
    }

    /** Returns whether another anchor dominates one; what is found out on the way up is kept, so that each vertex is passed once. */
    private boolean isInside(int anchor, GatheredGroup group, IntHashSet outside, IntHashSet inside) {
        IntArrayList passed = new IntArrayList();
        int above = holding.dominator(anchor);
        boolean isClear = true;
        while (isClear && above != Dominators.VIRTUAL && !outside.contains(above)) {
            passed.add(above);
            isClear = !group.anchors.contains(above) && !inside.contains(above);
            above = holding.dominator(above);
        }
        (isClear ? outside : inside).addAll(passed);
        return !isClear;
    }

    /** The hops of a reference cycle, from the target of the reference to cut. */
    static final class LoopHops {
        private final ObjectGraph graph;
        private final Naming naming;
        private final Loop loop;
        private final List<Step> steps;

        LoopHops(ObjectGraph graph, Naming naming, Loop loop) {
            this.graph = graph;
            this.naming = naming;
            this.loop = loop;
            IntArrayList around = new IntArrayList();
            around.add(loop.edges().buffer, 1, loop.edges().size() - 1);
            around.add(cut());
            this.steps = ReferencePath.of(graph, naming, loop.head(), around);
        }

        private int cut() {
            return loop.edges().get(0);
        }

        /** The name of the cycle, the same in every run. */
        String name() {
            StringBuilder name = new StringBuilder();
            for (Step step : steps) {
                name.append(step.edge() < 0 ? "" : naming.general(step.edge()))
                        .append(' ')
                        .append(naming.generalText(step.target()))
                        .append('\n');
            }
            return name.toString();
        }

        /** The hops; the first has the reference that leads back to it, which is the one to cut. */
        List<Hop> hops() {
            Step back = steps.getLast();
            boolean isBack = steps.size() > 1 && back.edge() == cut();
            List<Step> shown = isBack ? steps.subList(0, steps.size() - 1) : steps;
            List<Hop> hops = new ArrayList<>();
            for (Step step : shown) {
                boolean isFirst = hops.isEmpty();
                hops.add(new Hop(
                        isFirst ? isBack ? back.label() : naming.label(cut()) : step.label(),
                        graph.type(step.target()),
                        naming.text(step.target()),
                        Verdict.STUCK,
                        isFirst ? "nothing outside the cycle refers to it" : "",
                        isFirst));
            }
            return hops;
        }
    }
}
