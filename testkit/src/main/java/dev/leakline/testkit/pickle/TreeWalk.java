package dev.leakline.testkit.pickle;

import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One pass over a tree that writes it to a stream. */
final class TreeWalk {
    private final ValueStream out;
    private final Repeats repeats;
    private final boolean keysHaveIdentity;

    private TreeWalk(ValueStream out, Repeats repeats, boolean keysHaveIdentity) {
        this.out = out;
        this.repeats = repeats;
        this.keysHaveIdentity = keysHaveIdentity;
    }

    /** A walk for one tree; equal keys are one object unless each has an identity of its own. */
    static TreeWalk of(@Nullable Object tree, ValueStream out, boolean keysHaveIdentity) {
        boolean json = out instanceof JsonWriter;
        Repeats repeats = json ? Repeats.NONE : Repeats.in(tree, out, keysHaveIdentity);
        return new TreeWalk(out, repeats, keysHaveIdentity);
    }

    void write(@Nullable Object node) throws IOException {
        switch (node) {
            case null -> out.none();
            case Boolean value -> out.bool(value);
            case Integer value -> out.number(value.longValue());
            case Long value -> out.number(value.longValue());
            case BigInteger value -> out.number(value);
            case Double value -> out.number(value.doubleValue());
            case Shared shared -> writeShared(shared);
            default -> writeObject(node);
        }
    }

    private void writeShared(Shared shared) throws IOException {
        if (!out.refer(shared.handle())) {
            write(shared.value());
        }
    }

    private void writeObject(Object node) throws IOException {
        Handle handle = repeats.of(node);
        if (handle == null || !out.refer(handle)) {
            writeContents(node);
        }
    }

    private void writeContents(Object node) throws IOException {
        switch (node) {
            case String text -> out.text(text);
            case Map<?, ?> map -> writeDict(map);
            case List<?> list -> writeList(list);
            case PyTuple tuple -> writeTuple(tuple);
            default -> throw new IllegalArgumentException("no Python value for a " + node.getClass());
        }
    }

    private void writeDict(Map<?, ?> map) throws IOException {
        out.beginDict(map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            writeKey((String) entry.getKey());
            write(entry.getValue());
        }
        out.endDict();
    }

    private void writeKey(String key) throws IOException {
        if (keysHaveIdentity) {
            Handle handle = repeats.of(key);
            out.key(key, handle == null ? new Handle() : handle);
        } else {
            out.key(key);
        }
    }

    private void writeList(List<?> list) throws IOException {
        out.beginList(list.size());
        for (Object item : list) {
            write(item);
        }
        out.endList();
    }

    private void writeTuple(PyTuple tuple) throws IOException {
        out.beginTuple(tuple.items().size());
        for (Object item : tuple.items()) {
            write(item);
        }
        out.endTuple();
    }
}
