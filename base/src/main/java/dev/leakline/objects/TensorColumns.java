package dev.leakline.objects;

import com.carrotsearch.hppc.IntArrayList;

/** The tensors among the objects of a holder dump. */
public final class TensorColumns {
    private final IntArrayList nodes = new IntArrayList();
    private final IntArrayList storages = new IntArrayList();
    private final IntArrayList types = new IntArrayList();
    private final IntArrayList shapes = new IntArrayList();
    private final IntArrayList graphs = new IntArrayList();

    /** Appends a tensor, as the dump describes it. */
    public void add(int node, int storage, int type, int shape, int graph) {
        nodes.add(node);
        storages.add(storage);
        types.add(type);
        shapes.add(shape);
        graphs.add(graph);
    }

    /** Tensors. */
    public int size() {
        return nodes.size();
    }

    /** The row of its object. */
    public int node(int tensor) {
        return nodes.get(tensor);
    }

    /** The row of its storage. */
    public int storage(int tensor) {
        return storages.get(tensor);
    }

    /** The row of the text of its element type. */
    public int type(int tensor) {
        return types.get(tensor);
    }

    /** The row of the text of its shape. */
    public int shape(int tensor) {
        return shapes.get(tensor);
    }

    /** The row of the name of its {@code grad_fn}; 0 for none. */
    public int graph(int tensor) {
        return graphs.get(tensor);
    }
}
