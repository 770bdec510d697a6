package dev.leakline.testkit.pickle;

import org.jspecify.annotations.Nullable;

/**
 * The identity of one value in a stream, so that it is written once and referred to afterwards.
 *
 * <p>The memo index lives here and not in the stream: a handle that nobody keeps costs nothing, however long the stream.
 * A handle belongs to the stream that it was first used with; in another stream it starts anew.
 */
public final class Handle {
    private @Nullable ValueStream stream;
    private int index;

    /** The memo index of the value in {@code asking}, or -1 when it was not written there yet. */
    @SuppressWarnings("ReferenceEquality") // a stream is itself, it has no value
    int indexIn(ValueStream asking) {
        return stream == asking ? index : -1;
    }

    void bind(ValueStream owner, int memoIndex) {
        stream = owner;
        index = memoIndex;
    }
}
