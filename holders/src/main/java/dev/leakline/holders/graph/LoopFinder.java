package dev.leakline.holders.graph;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntSet;
import com.carrotsearch.hppc.cursors.IntIntCursor;
import dev.leakline.known.HookTable;
import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.objects.ReferenceKind;

/**
 * Chooses the cycle of a component to show, and the reference in it to cut: preferably one whose removal leaves no cycle in the component,
 * and of those the one that code can most easily do without. What is cut is cut in the code, so that all references like it go.
 */
public final class LoopFinder {
    /** Components of more references are not tried one by one; the time would grow with the square. */
    private static final int MOST_TRIED = 256;

    private final ObjectGraph graph;
    private final EdgeColumns edges;
    private final IntSet members;
    private final IntArrayList inner = new IntArrayList();
    /** The tables in which modules keep their hooks. */
    private final IntSet hookTables = new IntHashSet();

    private LoopFinder(ObjectGraph graph, IntArrayList component) {
        this.graph = graph;
        this.edges = graph.edges;
        this.members = new IntHashSet(component);
        for (int i = 0; i < component.size(); i++) {
            int vertex = component.get(i);
            for (int edge = edges.outStart(vertex); edge < edges.outStart(vertex + 1); edge++) {
                if (members.contains(edges.to(edge))) {
                    inner.add(edge);
                    noteHooks(edge);
                }
            }
        }
    }

    private void noteHooks(int edge) {
        if (HookTable.is(graph.label(edge))) {
            hookTables.add(edges.to(edge));
        }
    }

    /** The cycle of a component that has one. */
    public static Loop find(ObjectGraph graph, IntArrayList component) {
        return new LoopFinder(graph, component).find();
    }

    private Loop find() {
        int cut = inner.get(0);
        boolean isBreaking = isBreaking(cut);
        for (int i = 1; i < inner.size(); i++) {
            int edge = inner.get(i);
            boolean breaks = isBreaking(edge);
            boolean isBetter = breaks != isBreaking ? breaks : isEasier(edge, cut);
            if (isGlue(edge) != isGlue(cut) ? isGlue(cut) : isBetter) {
                cut = edge;
                isBreaking = breaks;
            }
        }
        return new Loop(around(cut), edges.to(cut), members.size(), isCollectable());
    }

    private boolean isCollectable() {
        for (int i = 0; i < inner.size(); i++) {
            if (edges.kind(inner.get(i)) == ReferenceKind.AUTOGRAD) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a reference is Python's own, which no code should touch. */
    private boolean isGlue(int edge) {
        return switch (edges.kind(edge)) {
            case INTERNAL, MEMORY -> true;
            case ATTRIBUTE, TEXT_KEY ->
                graph.label(edge).startsWith("__") && graph.label(edge).endsWith("__");
            default -> false;
        };
    }

    private boolean isEasier(int edge, int other) {
        int difference = Integer.compare(price(edge), price(other));
        difference = difference != 0 ? difference : graph.texts.compare(edges.label(edge), edges.label(other));
        if (difference == 0) {
            difference = graph.type(edges.from(edge)).compareTo(graph.type(edges.from(other)));
        }
        return difference < 0;
    }

    /**
     * The effort to do without a reference. A local variable of a call that is over is in nobody's way, a gradient can be set to None, and
     * a hook has a handle to remove it; an attribute can be made weak, unless it is a list or a dict; what a function closes over must be
     * passed in another way; glue cannot be cut at all.
     */
    private int price(int edge) {
        if (hookTables.contains(edges.from(edge))) {
            return 0;
        }
        boolean isOver = graph.kind(edges.from(edge)) == NodeKind.FINISHED_FRAME;
        return switch (edges.kind(edge)) {
            case LOCAL -> isOver ? 0 : 2;
            case AUTOGRAD -> graph.label(edge).equals("grad") ? 0 : 7;
            case ATTRIBUTE -> graph.label(edge).startsWith("__") ? 5 : isWeakable(edges.to(edge)) ? 1 : 2;
            case CLOSURE, DEFAULT -> 2;
            case TEXT_KEY -> 3;
            case OTHER_KEY, INDEX -> 4;
            case UNKNOWN -> 6;
            case INTERNAL, MEMORY -> 8;
        };
    }

    /** Returns whether Python lets anybody refer to an object without holding it. */
    private boolean isWeakable(int vertex) {
        return switch (graph.kind(vertex)) {
            case DICT, LIST, TUPLE -> false;
            default -> true;
        };
    }

    /** Returns whether no cycle is left without references like one: then taking away what nothing refers to takes away everything. */
    private boolean isBreaking(int cut) {
        if (inner.size() > MOST_TRIED) {
            return false;
        }
        IntIntHashMap references = new IntIntHashMap();
        for (int i = 0; i < inner.size(); i++) {
            references.addTo(edges.to(inner.get(i)), isLike(inner.get(i), cut) ? 0 : 1);
        }
        IntArrayList free = new IntArrayList();
        for (IntIntCursor count : references) {
            if (count.value == 0) {
                free.add(count.key);
            }
        }
        int freed = 0;
        while (!free.isEmpty()) {
            int vertex = free.removeLast();
            freed++;
            for (int edge = edges.outStart(vertex); edge < edges.outStart(vertex + 1); edge++) {
                boolean counts = !isLike(edge, cut) && members.contains(edges.to(edge));
                if (counts && references.addTo(edges.to(edge), -1) == 0) {
                    free.add(edges.to(edge));
                }
            }
        }
        return freed == members.size();
    }

    /** Returns whether two references are made by the same code: of the same name, from objects of the same type. */
    private boolean isLike(int edge, int other) {
        return edges.label(edge) == edges.label(other)
                && edges.kind(edge) == edges.kind(other)
                && graph.nodes.type(edges.from(edge)) == graph.nodes.type(edges.from(other));
    }

    /** The shortest way around that begins with a reference. */
    private IntArrayList around(int cut) {
        IntArrayList around = new IntArrayList();
        around.add(cut);
        IntIntHashMap steps = new IntIntHashMap();
        IntArrayList waiting = new IntArrayList();
        waiting.add(edges.to(cut));
        for (int i = 0; i < waiting.size() && !steps.containsKey(edges.from(cut)); i++) {
            int vertex = waiting.get(i);
            for (int edge = edges.outStart(vertex); edge < edges.outStart(vertex + 1); edge++) {
                int target = edges.to(edge);
                if (members.contains(target) && target != edges.to(cut) && steps.putIfAbsent(target, edge)) {
                    waiting.add(target);
                }
            }
        }
        IntArrayList back = new IntArrayList();
        for (int vertex = edges.from(cut); vertex != edges.to(cut); vertex = edges.from(steps.get(vertex))) {
            back.add(steps.get(vertex));
        }
        for (int i = back.size() - 1; i >= 0; i--) {
            around.add(back.get(i));
        }
        return around;
    }

    /**
     * A cycle that nothing outside refers to.
     *
     * @param edges the edges of the cycle, that to the {@linkplain #head} first: it is the reference to cut
     * @param head the object that would go first
     * @param objects objects of the component in which it lies
     * @param isCollectable whether Python's collector sees all of it
     */
    public record Loop(IntArrayList edges, int head, int objects, boolean isCollectable) {}
}
