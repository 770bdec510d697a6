package dev.leakline.holders.graph;

import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.ReferenceKind;
import java.util.Random;

/** Graphs without meaning. */
final class RandomGraph {
    private RandomGraph() {}

    /** A graph of some vertices with some references per vertex, some of them to the vertex itself or twice to the same. */
    static EdgeColumns of(int vertices, double density, long seed) {
        Random random = new Random(seed);
        EdgeColumns.Draft draft = new EdgeColumns.Draft();
        for (int i = 0; i < vertices * density; i++) {
            draft.add(random.nextInt(vertices), random.nextInt(vertices), 0, ReferenceKind.UNKNOWN);
        }
        return draft.build(vertices);
    }

    /** The same with a spine that is as deep as there are vertices, as an autograd chain is. */
    static EdgeColumns deep(int vertices, double density, long seed) {
        Random random = new Random(seed);
        EdgeColumns.Draft draft = new EdgeColumns.Draft();
        for (int vertex = 1; vertex < vertices; vertex++) {
            draft.add(vertex - 1, vertex, 0, ReferenceKind.AUTOGRAD);
        }
        for (int i = 0; i < vertices * density; i++) {
            int from = random.nextInt(vertices);
            draft.add(from, Math.min(from + random.nextInt(50), vertices - 1), 0, ReferenceKind.UNKNOWN);
        }
        return draft.build(vertices);
    }
}
