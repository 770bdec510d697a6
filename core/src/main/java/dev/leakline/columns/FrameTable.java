package dev.leakline.columns;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.hash.SeededLongIntMap;

/**
 * The distinct frames of a snapshot: function, file and line, each frame with a small number.
 *
 * <p>One thread may intern; once nobody does, any number may read.
 */
public final class FrameTable {
    private final StringTable strings;
    /** Numbers plus one, by file and function; 0 for unknown pairs. */
    private final SeededLongIntMap places = new SeededLongIntMap();
    /** Frame numbers plus one, by place and line. */
    private final SeededLongIntMap ids = new SeededLongIntMap();

    private final IntArrayList functions = new IntArrayList();
    private final IntArrayList files = new IntArrayList();
    private final IntArrayList lines = new IntArrayList();

    /** An empty table whose texts are numbers of {@code strings}. */
    public FrameTable(StringTable strings) {
        this.strings = strings;
    }

    /** The number of a frame; {@code function} and {@code file} are numbers of the string table. */
    public int intern(int function, int file, int line) {
        int place = idOf(places, (long) file << 32 | function);
        int frame = idOf(ids, (long) place << 32 | (line & 0xffff_ffffL));
        if (frame == lines.size()) {
            functions.add(function);
            files.add(file);
            lines.add(line);
        }
        return frame;
    }

    /** The number of a key, which is new if it equals the numbers given before. */
    private static int idOf(SeededLongIntMap ids, long key) {
        int known = ids.get(key);
        if (known == 0) {
            known = ids.size() + 1;
            ids.put(key, known);
        }
        return known - 1;
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
}
