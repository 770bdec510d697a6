package dev.leakline.columns;

import com.carrotsearch.hppc.IntArrayList;
import java.util.HashMap;
import java.util.Map;

/**
 * The distinct frames of a snapshot: function, file and line, each frame with a small number.
 *
 * <p>One thread may intern; once nobody does, any number may read.
 */
public final class FrameTable {
    private record Key(int function, int file, int line) {}

    private final StringTable strings;
    private final Map<Key, Integer> ids = new HashMap<>();
    private final IntArrayList functions = new IntArrayList();
    private final IntArrayList files = new IntArrayList();
    private final IntArrayList lines = new IntArrayList();

    /** An empty table whose texts are numbers of {@code strings}. */
    public FrameTable(StringTable strings) {
        this.strings = strings;
    }

    /** The number of a frame; {@code function} and {@code file} are numbers of the string table. */
    public int intern(int function, int file, int line) {
        return ids.computeIfAbsent(new Key(function, file, line), this::add);
    }

    /** The function's name, as recorded. */
    public String function(int frame) {
        return strings.get(functions.get(frame));
    }

    /** The file's name, as recorded: a path, or {@code ??} or nothing for C++ frames. */
    public String file(int frame) {
        return strings.get(files.get(frame));
    }

    /** A number that frames of the same function of the same file share, whatever their line; not negative. */
    public long place(int frame) {
        return (long) files.get(frame) << 32 | functions.get(frame);
    }

    /** The line, 0 where unknown. */
    public int line(int frame) {
        return lines.get(frame);
    }

    /** Distinct frames so far; numbers are below it. */
    public int size() {
        return lines.size();
    }

    private int add(Key key) {
        functions.add(key.function);
        files.add(key.file);
        lines.add(key.line);
        return lines.size() - 1;
    }
}
