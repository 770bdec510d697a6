package dev.leakline.result;

import java.util.Comparator;

/**
 * A frame of a stack as recorded; {@code line} is 0 where unknown. Frames have an order, by which a hash table finds them quickly also where a
 * file's names were chosen to have the same hash.
 */
public record Frame(String file, int line, String function) implements Comparable<Frame> {
    private static final Comparator<Frame> ORDER =
            Comparator.comparing(Frame::file).thenComparingInt(Frame::line).thenComparing(Frame::function);

    @Override
    public int compareTo(Frame other) {
        return ORDER.compare(this, other);
    }

    /** The last part of the path, however it is written. */
    public String fileName() {
        return file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    }

    /** The file's name and the line, such as {@code train.py:42}. */
    public String fileAndLine() {
        return fileName() + ":" + line;
    }

    /** The same with the function, such as {@code train.py:42 (train)}. */
    public String inWords() {
        return fileAndLine() + " (" + function + ")";
    }
}
