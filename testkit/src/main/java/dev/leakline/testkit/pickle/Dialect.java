package dev.leakline.testkit.pickle;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The form in which a snapshot is written to a file. */
public enum Dialect {
    /** Python's pickle as text. */
    PROTOCOL_0,
    PROTOCOL_1,
    PROTOCOL_2,
    /** The default of Python up to 3.7. */
    PROTOCOL_3,
    /** The default of Python 3.8 to 3.13. */
    PROTOCOL_4,
    /** The default of Python 3.14. */
    PROTOCOL_5,
    /** PyTorch's own pickler in C++. */
    CPP,
    /** JSON of the same values. */
    JSON;

    /** Begins a file of one value; closing the result closes the file. */
    public ValueStream open(OutputStream file) {
        return switch (this) {
            case PROTOCOL_0 -> PickleWriter.open(file, 0);
            case PROTOCOL_1 -> PickleWriter.open(file, 1);
            case PROTOCOL_2 -> PickleWriter.open(file, 2);
            case PROTOCOL_3 -> PickleWriter.open(file, 3);
            case PROTOCOL_4 -> PickleWriter.open(file, 4);
            case PROTOCOL_5 -> PickleWriter.open(file, 5);
            case CPP -> CppPickleWriter.open(file);
            case JSON -> JsonWriter.open(file);
        };
    }

    /**
     * Writes a whole tree, in the types that {@link ValueStream#value} names, and closes the file. Containers, strings and
     * keys that are the same Java object, and only those, are one object in the file.
     */
    public void write(@Nullable Object tree, OutputStream file) throws IOException {
        try (ValueStream stream = open(file)) {
            TreeWalk.of(tree, stream, true).write(tree);
        }
    }

    /** The file that {@link #write} makes of a tree. */
    public byte[] bytes(@Nullable Object tree) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try {
            write(tree, file);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return file.toByteArray();
    }
}
