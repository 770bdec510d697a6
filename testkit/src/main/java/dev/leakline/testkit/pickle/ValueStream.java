package dev.leakline.testkit.pickle;

import java.io.Closeable;
import java.io.IOException;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A file of one Python value, written piece by piece in constant memory.
 *
 * <p>Exactly one value goes to the top level: a scalar, or a container with its contents between {@code begin} and
 * {@code end}. In a dict every value is preceded by {@link #key}. A size of {@link #UNKNOWN} is always allowed; with the
 * true size the bytes are those of Python's own pickler also for containers of one element. Nothing that was written is
 * kept, except the strings given to {@link #key} and {@link #symbol} (and, by the C++ dialect, every string).
 *
 * <p>{@link #close} completes the stream and closes the file below. Not safe for use by several threads.
 */
public interface ValueStream extends Closeable {
    /** The size of a container that is not known when it begins. */
    int UNKNOWN = -1;

    /** Opens a dict of {@code size} entries, or {@link #UNKNOWN}. */
    void beginDict(int size) throws IOException;

    /** The name of the next value in the open dict; one object for all equal keys of the stream. */
    void key(String name) throws IOException;

    /** The name of the next value in the open dict, as the one object that the handle stands for. */
    void key(String name, Handle identity) throws IOException;

    /** Closes the innermost dict. */
    void endDict() throws IOException;

    /** Opens a list of {@code size} elements, or {@link #UNKNOWN}. */
    void beginList(int size) throws IOException;

    /** Closes the innermost list. */
    void endList() throws IOException;

    /** Opens a tuple of exactly {@code size} elements. */
    void beginTuple(int size) throws IOException;

    /** Closes the innermost tuple. */
    void endTuple() throws IOException;

    /** A string object of its own, even if an equal one was written before. */
    void text(String text) throws IOException;

    /** A string of which all equal ones are one object. */
    void symbol(String text) throws IOException;

    /** An int. */
    void number(long value) throws IOException;

    /** An int of any size. */
    void number(BigInteger value) throws IOException;

    /** A float. */
    void number(double value) throws IOException;

    /** True or False. */
    void bool(boolean value) throws IOException;

    /** None. */
    void none() throws IOException;

    /**
     * Writes a reference if the handle's value is in the stream already; if not, the next value becomes the handle's.
     * JSON has no references: there the answer is always false.
     *
     * @return whether the value is written, that is, the caller need not write it
     */
    boolean refer(Handle handle) throws IOException;

    /**
     * Writes a whole tree of Map (string keys), List, {@link PyTuple}, String, Integer, Long, BigInteger, Double, Boolean,
     * null and {@link Shared}. Within one call, containers and strings that are the same Java object become one object;
     * equal keys are one object in the whole stream.
     */
    default void value(@Nullable Object tree) throws IOException {
        if (tree instanceof Shared shared) {
            value(shared);
        } else {
            TreeWalk.of(tree, this, false).write(tree);
        }
    }

    /** Writes a reference to a shared node, or at its first occurrence the node. */
    default void value(Shared shared) throws IOException {
        if (!refer(shared.handle())) {
            TreeWalk.of(shared.value(), this, false).write(shared.value());
        }
    }

    /** A dict whose size is not known. */
    default void beginDict() throws IOException {
        beginDict(UNKNOWN);
    }

    /** A list whose size is not known. */
    default void beginList() throws IOException {
        beginList(UNKNOWN);
    }
}
