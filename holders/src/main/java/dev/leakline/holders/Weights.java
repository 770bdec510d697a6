package dev.leakline.holders;

import dev.leakline.known.Shell;
import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * Weights of references, so that the shortest path is the one that people understand best. Only the order matters: a name in a module beats
 * an attribute of a class, and those beat the local variable of a call; names beat the tables that optimizers and modules keep; anything
 * beats a reference that nobody can name.
 */
final class Weights {
    /** The longest step, over all that follows. */
    static final int MOST = 32;

    private static final int NAMED = 2;
    private static final int CLOSED_OVER = 3;
    private static final int GLUE = 1;
    private static final int UNNAMED = 6;
    /** Two more than a named one: a tensor that the program has a name for is seldom looked for among parameters. */
    private static final int PLUMBING = 4;
    /** More than the container and its item: what a notebook names twice belongs to that in which it piles up. */
    private static final int SECOND_NAME = 5;
    /** More than a local variable and two steps: a parameter's own module is a better path to it than the optimizer. */
    private static final int OPTIMIZER = 14;

    /** More than a running call and its variable: an exception may end the call only together with the job. */
    private static final int LAST_ERROR = 16;

    private static final int CLASS = 3;
    private static final int FRAME = 8;
    private static final int THREAD = 10;
    /** Modules of libraries keep registries of everything; whoever looks for a leak looks in the program first. */
    private static final int LIBRARY = 20;

    private static final List<byte[]> TABLES = Stream.of("_modules", "_parameters", "_buffers")
            .map(name -> name.getBytes(StandardCharsets.US_ASCII))
            .toList();

    private final ObjectGraph graph;
    /** The rows of texts that name tables: every reference asks. */
    private final BitSet tables = new BitSet();

    Weights(ObjectGraph graph) {
        this.graph = graph;
        for (int text = 0; text < graph.texts.size(); text++) {
            tables.set(text, isTableName(graph, text));
        }
    }

    /** How far a root is from nothing. */
    int root(int vertex) {
        return switch (graph.kind(vertex)) {
            case MODULE -> isLibrary(graph.text(vertex)) ? LIBRARY : 0;
            case CLASS -> CLASS;
            case RUNNING_FRAME -> FRAME;
            case THREAD_LOCAL -> THREAD;
            default -> 0;
        };
    }

    private static boolean isLibrary(String module) {
        return module.startsWith("torch") || module.startsWith("module torch");
    }

    /** How long a reference is, at least 1 and at most {@link #MOST}. */
    int edge(int edge) {
        int more = graph.kind(graph.edges.from(edge)) == NodeKind.OPTIMIZER ? OPTIMIZER : 0;
        return more
                + switch (graph.edges.kind(edge)) {
                    case ATTRIBUTE, TEXT_KEY -> named(edge);
                    case OTHER_KEY, INDEX, LOCAL -> NAMED;
                    case CLOSURE, DEFAULT, AUTOGRAD -> CLOSED_OVER;
                    case INTERNAL, MEMORY -> GLUE;
                    case UNKNOWN -> UNNAMED;
                };
    }

    private int named(int edge) {
        int label = graph.edges.label(edge);
        if (tables.get(label)) {
            return PLUMBING;
        }
        return graph.kind(graph.edges.from(edge)) == NodeKind.MODULE ? global(graph.texts.get(label)) : NAMED;
    }

    private static int global(String name) {
        return Shell.isSecondName(name) ? SECOND_NAME : Shell.isLastError(name) ? LAST_ERROR : NAMED;
    }

    /** Returns whether a reference is to the table in which a module keeps its parameters, its buffers or its parts. */
    static boolean isTable(ObjectGraph graph, int edge) {
        return isTableName(graph, graph.edges.label(edge));
    }

    private static boolean isTableName(ObjectGraph graph, int text) {
        for (byte[] table : TABLES) {
            if (graph.texts.matches(text, table)) {
                return true;
            }
        }
        return false;
    }
}
