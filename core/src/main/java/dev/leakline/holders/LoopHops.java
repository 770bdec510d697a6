package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.holders.ReferencePath.Step;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Verdict;
import java.util.ArrayList;
import java.util.List;

/** The way around a cycle, hop by hop, from the object to which the reference to cut leads. */
final class LoopHops {
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
