package dev.leakline.lint.python;

import dev.leakline.lint.python.Tokens.Unexpected;
import org.jspecify.annotations.Nullable;

/** Parses Python; one parser serves one thread. The parser that survives errors is loaded when it is needed, and costs ten times as much. */
public final class PythonParser implements AutoCloseable {
    private @Nullable TolerantParser tolerant;

    /** The tree of a text; {@link PythonTree#trouble} says where it is no Python. */
    public PythonTree parse(PythonText source) {
        try {
            return StatementReader.read(source);
        } catch (Unexpected e) {
            return tolerant().parse(source);
        }
    }

    private TolerantParser tolerant() {
        TolerantParser known = tolerant;
        if (known == null) {
            known = new TolerantParser();
            tolerant = known;
        }
        return known;
    }

    @Override
    public void close() {
        if (tolerant != null) {
            tolerant.close();
        }
    }
}
