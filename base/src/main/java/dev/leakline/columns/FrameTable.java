package dev.leakline.columns;

import dev.leakline.hash.PairNumbering;

/**
 * The distinct frames of a snapshot: function, file and line, each frame with a small number.
 *
 * <p>One thread may intern; once nobody does, any number may read.
 */
public final class FrameTable {
    private final StringTable strings;
    /** Numbers of pairs of a file and a function: places. */
    private final PairNumbering places = new PairNumbering();
    /** Numbers of pairs of a place and a line: frames. */
    private final PairNumbering ids = new PairNumbering();

    /** An empty table whose texts are numbers of {@code strings}. */
    public FrameTable(StringTable strings) {
        this.strings = strings;
    }

    /** The number of a frame; {@code function} and {@code file} are numbers of the string table. */
    public int intern(int function, int file, int line) {
        return ids.of(places.of(file, function), line);
    }

    /** The function's name, as recorded. */
    public String function(int frame) {
        return strings.get(places.second(ids.first(frame)));
    }

    /** The file's name, as recorded: a path, or {@code ??} or nothing for C++ frames. */
    public String file(int frame) {
        return strings.get(places.first(ids.first(frame)));
    }

    /** A number that frames of the same function of the same file share, whatever their line; not negative. */
    public int place(int frame) {
        return ids.first(frame);
    }

    /** The line, 0 where unknown. */
    public int line(int frame) {
        return ids.second(frame);
    }

    /** Distinct frames so far; numbers are below it. */
    public int size() {
        return ids.size();
    }
}
