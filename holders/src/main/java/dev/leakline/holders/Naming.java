package dev.leakline.holders;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.objects.ReferenceKind;
import java.util.regex.Pattern;

/** Names references and objects: for people, and in a form that is the same in every run. */
final class Naming {
    /** Any item, whatever its index or key. */
    static final String ANY = "[*]";

    /** Dictionaries with more entries are tables of data, whose keys differ from run to run; with fewer, their keys are names. */
    private static final int MOST_NAMES = 16;
    /** Autograd nodes that are named of a chain, at either end. */
    private static final int NODES_NAMED = 2;

    private static final Pattern VARIABLE = Pattern.compile(":\\d+|0x[0-9a-fA-F]+");
    private static final Pattern DIGITS = Pattern.compile("\\d+");

    private final ObjectGraph graph;
    private final EdgeColumns edges;
    private final Paths paths;

    Naming(ObjectGraph graph, Paths paths) {
        this.graph = graph;
        this.edges = graph.edges;
        this.paths = paths;
    }

    /** A reference as Python writes it. */
    String label(int edge) {
        String name = graph.label(edge);
        return switch (edges.kind(edge)) {
            case ATTRIBUTE, INTERNAL -> isGlobal(edge) ? name : "." + name;
            case TEXT_KEY -> isInTable(edge) ? "." + name : isGlobal(edge) ? name : "['" + name + "']";
            case OTHER_KEY, INDEX -> "[" + name + "]";
            case LOCAL -> name;
            case CLOSURE -> name + " (closed over)";
            case DEFAULT -> name + " (a default)";
            case AUTOGRAD -> "." + name;
            case UNKNOWN -> name.isEmpty() ? "(unnamed)" : name;
            case MEMORY -> "";
        };
    }

    /** A reference's label without what differs from item to item, and from run to run. */
    String general(int edge) {
        return switch (edges.kind(edge)) {
            case OTHER_KEY, INDEX -> ANY;
            case TEXT_KEY ->
                isInTable(edge)
                        ? DIGITS.matcher(label(edge)).replaceAll("*")
                        : isGlobal(edge) || isOfFewNames(edges.from(edge)) ? label(edge) : ANY;
            case AUTOGRAD -> "autograd graph";
            default -> label(edge);
        };
    }

    /** Returns whether a reference is one of many like it: an item of a container that people add to. */
    boolean isItem(int edge) {
        NodeKind kind = graph.kind(edges.from(edge));
        return kind == NodeKind.SET
                || (kind.isContainer()
                        && kind != NodeKind.TUPLE
                        && general(edge).equals(ANY));
    }

    /** Returns whether a reference is one of those by which modules have their parameters, buffers and parts. */
    boolean isInTable(int edge) {
        int step = paths.step(edges.from(edge));
        return step >= 0 && Weights.isTable(graph, step);
    }

    private boolean isGlobal(int edge) {
        return graph.kind(edges.from(edge)) == NodeKind.MODULE;
    }

    /** Returns whether a dictionary has few entries, or many of which one leads to device memory, as settings have. */
    private boolean isOfFewNames(int node) {
        int leading = edges.outStart(node + 1) - edges.outStart(node);
        return leading == 1 || Math.max(graph.nodes.length(node), leading) <= MOST_NAMES;
    }

    /** Items of a container, as far as that is known. */
    int items(int node) {
        int length = graph.nodes.length(node);
        return length >= 0 ? length : edges.outStart(node + 1) - edges.outStart(node);
    }

    /** An object for people. */
    String text(int vertex) {
        if (graph.kind(vertex) == NodeKind.STORAGE) {
            return "storage";
        }
        String text = graph.text(vertex);
        String type = graph.type(vertex);
        return switch (graph.kind(vertex)) {
            case MODULE -> text.startsWith("module") ? text : "module " + text;
            case CLASS -> "class " + text;
            case RUNNING_FRAME -> "running call of " + text;
            case SUSPENDED_FRAME -> "suspended " + type + " of " + text;
            case FINISHED_FRAME -> "finished call of " + text;
            case THREAD_LOCAL -> "variables of a thread or context (" + (text.isEmpty() ? type : text) + ")";
            case FUNCTION -> text.isEmpty() ? type : text.startsWith("method ") ? text : "function " + text;
            default -> text.isEmpty() ? type : text;
        };
    }

    /** An object in a form that is the same in every run. */
    String generalText(int vertex) {
        boolean isNamed = graph.isRoot(vertex)
                || graph.kind(vertex) == NodeKind.FUNCTION
                || graph.kind(vertex) == NodeKind.FINISHED_FRAME;
        String text = isNamed ? graph.text(vertex) : "";
        return graph.kind(vertex) + " "
                + (graph.storage(vertex) < 0 ? graph.type(vertex) : "")
                + VARIABLE.matcher(text).replaceAll("");
    }

    /** A path through the autograd graph, from a tensor's reference on: {@code .grad_fn → MeanBackward0 → AddmmBackward0.saved_mat1}. */
    String chain(IntArrayList way, int first, int end) {
        StringBuilder chain = new StringBuilder(label(way.get(first)));
        int nodes = end - first - 1;
        for (int i = first; i < end - 1; i++) {
            int index = i - first;
            if (index < NODES_NAMED || index >= nodes - NODES_NAMED) {
                chain.append(" → ").append(graph.type(edges.to(way.get(i))));
            } else if (index == NODES_NAMED) {
                chain.append(" → … ").append(nodes - 2 * NODES_NAMED).append(" more …");
            }
        }
        boolean isGraphReference = end - 1 > first && edges.kind(way.get(end - 1)) == ReferenceKind.AUTOGRAD;
        return chain.append(isGraphReference ? label(way.get(end - 1)) : "").toString();
    }
}
