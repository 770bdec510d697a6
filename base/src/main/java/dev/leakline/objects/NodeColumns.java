package dev.leakline.objects;

import com.carrotsearch.hppc.ByteArrayList;
import com.carrotsearch.hppc.IntArrayList;

/** The objects of a holder dump. */
public final class NodeColumns {
    /** A count that the probe could not take. */
    public static final int UNKNOWN = -1;

    private static final int PARAMETER = 1;
    private static final int BUFFER = 2;
    private static final int HAS_GRAPH = 8;
    private static final int EXPLAINED = 32;

    private final IntArrayList types = new IntArrayList();
    private final IntArrayList texts = new IntArrayList();
    private final ByteArrayList kinds = new ByteArrayList();
    private final IntArrayList lengths = new IntArrayList();
    private final IntArrayList references = new IntArrayList();
    private final ByteArrayList flags = new ByteArrayList();

    /** Appends an object, as the dump describes it. */
    public void add(int type, int text, int kind, int length, int references, int flags) {
        types.add(type);
        texts.add(text);
        kinds.add((byte) NodeKind.of(kind).number());
        lengths.add(length);
        this.references.add(references);
        this.flags.add((byte) flags);
    }

    /** Takes a finished call for one that runs. */
    void reopen(int frame) {
        kinds.set(frame, (byte) NodeKind.RUNNING_FRAME.number());
    }

    /** Says that all objects are there: room that was kept for more is given back. */
    public void trim() {
        types.trimToSize();
        texts.trimToSize();
        kinds.trimToSize();
        lengths.trimToSize();
        references.trimToSize();
        flags.trimToSize();
    }

    /** Objects. */
    public int size() {
        return types.size();
    }

    /** The row of the qualified name of an object's type. */
    public int type(int node) {
        return types.buffer[node];
    }

    /** The row of what people read of an object. */
    public int text(int node) {
        return texts.buffer[node];
    }

    /** The kind of an object. */
    public NodeKind kind(int node) {
        return KINDS[kinds.buffer[node]];
    }

    /** Items of a container, or {@link #UNKNOWN}. */
    public int length(int node) {
        return lengths.buffer[node];
    }

    /** Python's count of references, without the probe's own, or {@link #UNKNOWN}. */
    public int references(int node) {
        return references.buffer[node];
    }

    /** Returns whether it is a parameter or a buffer of a module. */
    public boolean isWeight(int node) {
        return (flags.buffer[node] & (PARAMETER | BUFFER)) != 0;
    }

    /** Returns whether it is a tensor with a {@code grad_fn}. */
    public boolean hasGraph(int node) {
        return (flags.buffer[node] & HAS_GRAPH) != 0;
    }

    /** Returns whether the probe knows why its count is higher than its known references. */
    public boolean isExplained(int node) {
        return (flags.buffer[node] & EXPLAINED) != 0;
    }

    private static final NodeKind[] KINDS = NodeKind.values();
}
