package dev.leakline.objects;

import com.carrotsearch.hppc.ByteArrayList;
import com.carrotsearch.hppc.IntArrayList;

/**
 * References between vertices, in compressed rows: those that a vertex has are a run of edges. Thirteen bytes an edge, eight a vertex. There
 * is no way back, only how many references lead to a vertex: who needs one makes it in the order in which it is read.
 */
public final class EdgeColumns {
    private static final ReferenceKind[] KINDS = ReferenceKind.values();

    private final int[] outStarts;
    private final int[] references;
    private final int[] from;
    private final int[] to;
    private final int[] labels;
    private final byte[] kinds;

    private EdgeColumns(int vertices, Draft draft) {
        outStarts = starts(vertices, draft.from);
        references = counts(vertices, draft.to);
        int[] place = places(draft.from, outStarts);
        from = moved(draft.from, place);
        to = moved(draft.to, place);
        labels = moved(draft.labels, place);
        kinds = moved(draft.kinds, place);
    }

    /** Edges in any order, before they are put into rows; used up by that. */
    public static final class Draft {
        private IntArrayList from = new IntArrayList();
        private IntArrayList to = new IntArrayList();
        private IntArrayList labels = new IntArrayList();
        private ByteArrayList kinds = new ByteArrayList();

        /** Appends a reference. */
        public void add(int source, int target, int label, ReferenceKind kind) {
            from.add(source);
            to.add(target);
            labels.add(label);
            kinds.add((byte) kind.number());
        }

        /** References so far. */
        public int size() {
            return from.size();
        }

        /** The references by vertex; those of one vertex stay in their order. */
        public EdgeColumns build(int vertices) {
            return new EdgeColumns(vertices, this);
        }
    }

    /** Where the run of each vertex begins; one more than there are vertices. */
    private static int[] starts(int vertices, IntArrayList ends) {
        int[] starts = new int[vertices + 1];
        for (int i = 0; i < ends.size(); i++) {
            starts[ends.buffer[i] + 1]++;
        }
        for (int vertex = 0; vertex < vertices; vertex++) {
            starts[vertex + 1] += starts[vertex];
        }
        return starts;
    }

    private static int[] counts(int vertices, IntArrayList ends) {
        int[] counts = new int[vertices];
        for (int i = 0; i < ends.size(); i++) {
            counts[ends.buffer[i]]++;
        }
        return counts;
    }

    private static int[] places(IntArrayList ends, int[] starts) {
        int[] next = starts.clone();
        int[] places = new int[ends.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = next[ends.buffer[i]]++;
        }
        return places;
    }

    /** The column in its new order; the old one gives its memory back at once, because these are the largest arrays that there are. */
    private static int[] moved(IntArrayList column, int[] places) {
        int[] moved = new int[places.length];
        for (int i = 0; i < places.length; i++) {
            moved[places[i]] = column.buffer[i];
        }
        column.release();
        return moved;
    }

    private static byte[] moved(ByteArrayList column, int[] places) {
        byte[] moved = new byte[places.length];
        for (int i = 0; i < places.length; i++) {
            moved[places[i]] = column.buffer[i];
        }
        column.release();
        return moved;
    }

    /** Edges. */
    public int size() {
        return to.length;
    }

    /** Vertices. */
    public int vertices() {
        return outStarts.length - 1;
    }

    /** The first edge of a vertex; they end where those of the next begin. */
    public int outStart(int vertex) {
        return outStarts[vertex];
    }

    /** How many references lead to a vertex. */
    public int references(int vertex) {
        return references[vertex];
    }

    /** The vertex that refers. */
    public int from(int edge) {
        return from[edge];
    }

    /** To whom. */
    public int to(int edge) {
        return to[edge];
    }

    /** The row of the reference's name. */
    public int label(int edge) {
        return labels[edge];
    }

    /** The kind of the reference. */
    public ReferenceKind kind(int edge) {
        return KINDS[kinds[edge]];
    }
}
