package dev.leakline.testkit.pickle;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The objects that a tree reaches more than once, each with the handle it is written under. */
final class Repeats {
    /** For a stream without references. */
    static final Repeats NONE = new Repeats(new IdentityHashMap<>(0));

    private final IdentityHashMap<Object, Handle> handles;

    private Repeats(IdentityHashMap<Object, Handle> handles) {
        this.handles = handles;
    }

    /** Looks through a tree, except for nodes that the stream has already. */
    static Repeats in(@Nullable Object tree, ValueStream out, boolean keysHaveIdentity) {
        Search search = new Search(out, keysHaveIdentity);
        search.visit(tree);
        return new Repeats(search.handles);
    }

    /** The handle of a repeated object; null when the tree reaches it once, or it has no identity. */
    @Nullable
    Handle of(Object node) {
        return handles.get(node);
    }

    private static final class Search {
        private static final int FEW = 8;

        private final IdentityHashMap<Object, Boolean> seen = new IdentityHashMap<>(FEW);
        private final IdentityHashMap<Object, Handle> handles = new IdentityHashMap<>(0);
        private final ValueStream out;
        private final boolean keysHaveIdentity;

        Search(ValueStream out, boolean keysHaveIdentity) {
            this.out = out;
            this.keysHaveIdentity = keysHaveIdentity;
        }

        void visit(@Nullable Object node) {
            switch (node) {
                case Shared shared when isNew(shared) -> visit(shared.value());
                case String text -> first(text);
                case Map<?, ?> map when first(map) -> map.forEach(this::visitEntry);
                case List<?> list when first(list) -> list.forEach(this::visit);
                case PyTuple tuple when tuple.items().isEmpty() -> {}
                case PyTuple tuple when first(tuple) -> tuple.items().forEach(this::visit);
                case null, default -> {}
            }
        }

        private void visitEntry(Object key, @Nullable Object value) {
            if (keysHaveIdentity) {
                visit(key);
            }
            visit(value);
        }

        private boolean isNew(Shared shared) {
            return shared.handle().indexIn(out) < 0 && first(shared.handle());
        }

        private boolean first(Object node) {
            boolean first = seen.putIfAbsent(node, true) == null;
            if (!first) {
                handles.computeIfAbsent(node, _ -> new Handle());
            }
            return first;
        }
    }
}
