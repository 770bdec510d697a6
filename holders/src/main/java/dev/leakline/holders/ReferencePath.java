package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.objects.ReferenceKind;
import java.util.ArrayList;
import java.util.List;

/**
 * A reference path for people: without internal objects such as a {@code __dict__}, without the tables in which modules keep their parts,
 * and with the autograd graph as one step.
 */
final class ReferencePath {
    /**
     * A step of a reference path.
     *
     * @param label the reference for people, empty at the beginning
     * @param edge the reference itself, the first one of a step through the autograd graph; -1 at the beginning
     * @param target the object that it leads to
     */
    record Step(String label, int edge, int target) {
        Step to(int other) {
            return new Step(label, edge, other);
        }
    }

    /** The links of a linked list that are shown one by one: one more is longer than the words for the rest. */
    private static final int MOST_ALIKE = 4;
    /** Steps of any kind, and those at the end: the suspect reference is near the beginning. */
    private static final int MOST = 48;

    private static final int LAST = 8;

    private final ObjectGraph graph;
    private final EdgeColumns edges;
    private final Naming naming;
    private final List<Step> steps = new ArrayList<>();

    private ReferencePath(ObjectGraph graph, Naming naming) {
        this.graph = graph;
        this.edges = graph.edges;
        this.naming = naming;
    }

    /** The steps of a path that begins with an object; the first step is the object itself. */
    static List<Step> of(ObjectGraph graph, Naming naming, int start, IntArrayList way) {
        ReferencePath walk = new ReferencePath(graph, naming);
        walk.steps.add(new Step("", -1, start));
        for (int i = 0; i < way.size(); ) {
            i = walk.walk(way, i);
        }
        return walk.shortened();
    }

    /** The steps, of which many that are alike, one after the other, are the first, the last, and one for those between. */
    private List<Step> shortened() {
        List<Step> shown = new ArrayList<>();
        for (int first = 0, end; first < steps.size(); first = end) {
            end = first + 1;
            while (end < steps.size() && isAlike(steps.get(first), steps.get(end))) {
                end++;
            }
            shown.addAll(shortened(steps.subList(first, end), MOST_ALIKE, 1, 1));
        }
        return shortened(shown, MOST, MOST - LAST - 1, LAST);
    }

    /** Steps, or where there are more than some, the first few, one for all that follow, and the last few. */
    private static List<Step> shortened(List<Step> all, int most, int first, int last) {
        if (all.size() <= most) {
            return all;
        }
        int end = all.size() - last;
        Step between = all.get(first);
        String label = between.label + " → … " + (end - first - 1) + " more …";
        List<Step> shown = new ArrayList<>(all.subList(0, first));
        shown.add(new Step(label, between.edge, all.get(end - 1).target));
        shown.addAll(all.subList(end, all.size()));
        return shown;
    }

    private boolean isAlike(Step one, Step other) {
        boolean areObjects = graph.storage(one.target) < 0 && graph.storage(other.target) < 0;
        return areObjects
                && one.edge >= 0
                && one.label.equals(other.label)
                && graph.type(one.target).equals(graph.type(other.target));
    }

    /** The name of an object in code: the references of the first steps one after the other, without the beginning. */
    static String name(List<Step> steps, int count) {
        StringBuilder name = new StringBuilder();
        for (Step step : steps.subList(0, count)) {
            boolean isJoined = name.isEmpty()
                    || step.label().startsWith(".")
                    || step.label().startsWith("[");
            name.append(isJoined ? "" : " → ").append(step.label());
        }
        return name.toString().startsWith(".") ? name.substring(1) : name.toString();
    }

    /** Takes the step that begins with an edge, and says with which edge the next begins. */
    private int walk(IntArrayList way, int first) {
        int edge = way.get(first);
        int target = edges.to(edge);
        Step last = steps.getLast();
        if (edges.kind(edge) == ReferenceKind.INTERNAL) {
            if (graph.kind(last.target) == NodeKind.CELL) {
                steps.set(steps.size() - 1, last.to(target));
            }
            return first + 1;
        }
        if (edges.kind(edge) == ReferenceKind.MEMORY || Weights.isTable(graph, edge)) {
            return first + 1;
        }
        if (edges.kind(edge) == ReferenceKind.AUTOGRAD) {
            int end = first + 1;
            while (end < way.size() && graph.kind(edges.to(way.get(end - 1))) == NodeKind.AUTOGRAD) {
                if (edges.kind(way.get(end)) != ReferenceKind.AUTOGRAD) {
                    break;
                }
                end++;
            }
            steps.add(new Step(naming.chain(way, first, end), edge, edges.to(way.get(end - 1))));
            return end;
        }
        steps.add(new Step(naming.isItem(edge) ? Naming.ANY : naming.label(edge), edge, target));
        return first + 1;
    }
}
