package dev.leakline.testkit.pickle;

/**
 * A tree node that is the same object wherever it occurs in one stream, also across calls of {@link ValueStream#value}.
 *
 * @param handle the identity
 * @param value the tree written at the first occurrence
 */
public record Shared(Handle handle, Object value) {

    /** A node with an identity of its own. */
    public static Shared of(Object value) {
        return new Shared(new Handle(), value);
    }
}
