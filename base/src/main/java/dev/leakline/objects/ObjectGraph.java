package dev.leakline.objects;

import dev.leakline.columns.TextColumn;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a holder dump says: who refers to whom, from the named roots down to device memory.
 *
 * <p>A vertex is an object, by its row in {@link #nodes}, or after all of those a storage, by {@link #vertex}. Every tensor, and every
 * Python object of a storage, has a reference of {@link ReferenceKind#MEMORY} to its storage.
 */
public final class ObjectGraph {
    /** The dump's own description. */
    public final DumpHeader header;
    /** All texts; row 0 is empty. */
    public final TextColumn texts;
    /** The objects. */
    public final NodeColumns nodes;
    /** The tensors among them. */
    public final TensorColumns tensors;
    /** The device memory. */
    public final StorageColumns storages;
    /** The references between objects. */
    public final EdgeColumns edges;
    /** Why the dump could not be read to its end, or null. */
    public final @Nullable String incomplete;
    /** Bytes of the dump after decompression. */
    public final long fileBytes;

    /** A graph of columns that are filled; {@code draft} has the references between objects, and gets those to storages. */
    public ObjectGraph(
            DumpHeader header,
            TextColumn texts,
            NodeColumns nodes,
            TensorColumns tensors,
            StorageColumns storages,
            EdgeColumns.Draft draft,
            @Nullable String incomplete,
            long fileBytes) {
        this.header = header;
        this.texts = texts;
        this.nodes = nodes;
        this.tensors = tensors;
        this.storages = storages;
        this.incomplete = incomplete;
        this.fileBytes = fileBytes;
        for (int tensor = 0; tensor < tensors.size(); tensor++) {
            draft.add(tensors.node(tensor), vertex(tensors.storage(tensor)), 0, ReferenceKind.MEMORY);
        }
        for (int storage = 0; storage < storages.size(); storage++) {
            if (storages.node(storage) >= 0) {
                draft.add(storages.node(storage), vertex(storage), 0, ReferenceKind.MEMORY);
            }
        }
        this.edges = draft.build(nodes.size() + storages.size());
        new EndedCalls(this).reopen();
    }

    /** The vertex of a storage. */
    public int vertex(int storage) {
        return nodes.size() + storage;
    }

    /** The storage of a vertex, negative where it is an object. */
    public int storage(int vertex) {
        return vertex - nodes.size();
    }

    /** Objects and storages together. */
    public int vertices() {
        return edges.vertices();
    }

    /** The kind of a vertex. */
    public NodeKind kind(int vertex) {
        return vertex < nodes.size() ? nodes.kind(vertex) : NodeKind.STORAGE;
    }

    /** Returns whether a dump begins at a vertex. */
    public boolean isRoot(int vertex) {
        return kind(vertex).isRoot();
    }

    /** The name of a reference. */
    public String label(int edge) {
        return texts.get(edges.label(edge));
    }

    /** The type of an object. */
    public String type(int node) {
        return texts.get(nodes.type(node));
    }

    /** The text of an object, for people. */
    public String text(int node) {
        return texts.get(nodes.text(node));
    }
}
