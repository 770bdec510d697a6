package dev.leakline.holders;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A place where storages are held, the same for all that are held alike: a node of a tree whose branches are named by references and types,
 * without indices, keys of data, addresses and line numbers.
 *
 * <p>A branch that repeats the one before leads nowhere new: all links of a linked list are one place.
 */
final class HeldPlace {
    /** Kinds of groups. */
    enum Kind {
        /** Nothing is known of it. */
        ANY,
        /** The weights of a module. */
        WEIGHTS,
        /** State of an optimizer. */
        OPTIMIZER
    }

    /** Deeper than people nest containers; what other chains make deeper places is not told apart beyond. */
    private static final int DEEPEST = 64;

    private final String path;
    private final String name;
    private final int depth;
    private final Map<String, HeldPlace> branches = new LinkedHashMap<>();
    /** The nearest module above, none where that is not reached by a name. */
    final @Nullable HeldPlace module;

    final Kind kind;
    /** True if everything below belongs to the same group. */
    final boolean isEnd;

    private HeldPlace(@Nullable HeldPlace above, String name, @Nullable HeldPlace module, Kind kind, boolean isEnd) {
        this.path = above == null ? "" : above.path + "\n" + name;
        this.name = name;
        this.depth = above == null ? 0 : above.depth + 1;
        this.module = module;
        this.kind = kind;
        this.isEnd = isEnd;
    }

    /** The place above all others. */
    static HeldPlace top() {
        return new HeldPlace(null, "", null, Kind.ANY, false);
    }

    /** The place along a branch. */
    HeldPlace branch(String along, Kind kindBelow, boolean isEndBelow) {
        return isSame(along)
                ? this
                : branches.computeIfAbsent(along, _ -> new HeldPlace(this, along, module, kindBelow, isEndBelow));
    }

    /** The place of a module. */
    HeldPlace moduleBranch(String along) {
        return isSame(along)
                ? this
                : branches.computeIfAbsent(along, _ -> new HeldPlace(this, along, weights(along), Kind.ANY, false));
    }

    private HeldPlace weights(String along) {
        return module != null ? module : new HeldPlace(this, along + "\nweights", null, Kind.WEIGHTS, true);
    }

    private boolean isSame(String along) {
        return name.equals(along) || depth == DEEPEST;
    }

    /** The path of the place: the same for the same place in every run. */
    String path() {
        return path;
    }
}
