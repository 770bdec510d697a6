package dev.leakline.python.flow;

import dev.leakline.python.Expr;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call that is known to keep one of its arguments, a row of {@code keepers.txt}, which explains its form.
 *
 * @param holder the argument that keeps it; {@link #SELF} for what the method is called on
 * @param value the argument that is kept; {@link #LAST}, or {@link #ANY} for one of them
 * @param key the argument by whose value it is kept; {@link #SELF} for none
 * @param isEach whether its items are kept, not itself
 * @param in which objects keep it
 */
record Keeping(int holder, int value, int key, boolean isEach, In in) {
    static final int SELF = -1;
    static final int LAST = -1;
    static final int ANY = -2;

    private static final Map<String, Keeping> ALL = new HashMap<>();

    static {
        NameSets.rows("keepers.txt").forEach(row -> ALL.put(row.getFirst(), of(row)));
    }

    /** The objects that keep what a call of the name gives them. */
    enum In {
        /** Collections, and what may be one. */
        COLLECTION,
        /** Collections that the program makes in sight. */
        KNOWN,
        /** Any object. */
        OBJECT
    }

    private static Keeping of(List<String> row) {
        return new Keeping(
                argument(row.get(1)),
                argument(row.get(2)),
                row.size() > 4 ? argument(row.get(4).substring("key=".length())) : SELF,
                row.contains("each"),
                In.valueOf(row.get(3)));
    }

    private static int argument(String word) {
        return switch (word) {
            case "self", "last", "-" -> SELF;
            case "any" -> ANY;
            default -> Integer.parseInt(word);
        };
    }

    /** Returns whether a method of a collection keeps what it is given. */
    static boolean isMethod(String name) {
        return ALL.containsKey("." + name);
    }

    /** The row of a call, by its full name or its method; null where it keeps nothing that is known. */
    static @Nullable Keeping of(Expr called, String name) {
        Keeping function = ALL.get(name);
        return function == null && called instanceof Expr.Attribute method ? ALL.get("." + method.attr()) : function;
    }

    /** The argument that is kept; null where the call does not have it. */
    @Nullable
    Expr value(List<Expr> arguments, List<FlowValue> given) {
        int at = value;
        if (value == ANY) {
            at = arguments.size() - 1;
            for (int i = 0; i < given.size(); i++) {
                at = given.get(i).reached() > given.get(at).reached() ? i : at;
            }
        }
        return argument(arguments, value == LAST || (value == ANY && at < 0) ? arguments.size() - 1 : at);
    }

    static @Nullable Expr argument(List<Expr> arguments, int at) {
        return at >= 0 && at < arguments.size() ? arguments.get(at) : null;
    }
}
