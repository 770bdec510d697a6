package dev.leakline.testkit.pickle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Python tuple in a tree of values.
 *
 * @param items the elements, each a tree of its own
 */
public record PyTuple(List<? extends @Nullable Object> items) {

    /** The tuple of these elements. */
    public static PyTuple of(Object... items) {
        return new PyTuple(List.of(items));
    }
}
