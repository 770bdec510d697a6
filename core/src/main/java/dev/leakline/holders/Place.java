package dev.leakline.holders;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where things are held, in a form that is the same for all that are held alike: a node of a tree whose branches are named by references
 * and types, without indices, keys of data, addresses and line numbers.
 */
final class Place {
    /** What kind of group those make that end here. */
    enum Kind {
        /** Nothing is known of it. */
        ANY,
        /** The weights of a module. */
        WEIGHTS,
        /** What an optimizer keeps. */
        OPTIMIZER
    }

    private final String path;
    private final Map<String, Place> branches = new LinkedHashMap<>();
    /** The nearest module above, none where that is not reached by a name. */
    final @Nullable Place module;

    final Kind kind;
    /** Whether everything below belongs to the same group. */
    final boolean isEnd;

    private Place(String path, @Nullable Place module, Kind kind, boolean isEnd) {
        this.path = path;
        this.module = module;
        this.kind = kind;
        this.isEnd = isEnd;
    }

    /** The place above all others. */
    static Place top() {
        return new Place("", null, Kind.ANY, false);
    }

    /** The place along a branch. */
    Place branch(String name, Kind kindBelow, boolean isEndBelow) {
        return branches.computeIfAbsent(name, _ -> new Place(path + "\n" + name, module, kindBelow, isEndBelow));
    }

    /** The same for a module. */
    Place moduleBranch(String name) {
        return branches.computeIfAbsent(name, _ -> {
            Place weights =
                    module != null ? module : new Place(path + "\n" + name + "\nweights", null, Kind.WEIGHTS, true);
            return new Place(path + "\n" + name, weights, Kind.ANY, false);
        });
    }

    /** The same names for the same place in every run. */
    String path() {
        return path;
    }
}
