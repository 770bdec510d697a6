package dev.leakline.columns;

import com.carrotsearch.hppc.IntArrayList;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Texts by their row, as bytes; equal ones may have several rows. */
public final class TextColumn {
    private final IntArrayList ends = new IntArrayList();
    private byte[] bytes = new byte[256];

    /** Appends a text, given as UTF-8; the array stays the caller's. */
    public void add(byte[] text, int length) {
        int start = byteCount();
        int end = Math.addExact(start, length);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(end, bytes.length * 2L)));
        }
        System.arraycopy(text, 0, bytes, start, length);
        ends.add(end);
    }

    /** The text of a row; malformed UTF-8 shows as replacement characters. */
    public String get(int row) {
        int start = start(row);
        return new String(bytes, start, ends.get(row) - start, StandardCharsets.UTF_8);
    }

    /** Returns whether the text of a row is the one that these bytes are. */
    public boolean matches(int row, byte[] text) {
        int start = start(row);
        int end = ends.get(row);
        return end - start == text.length && Arrays.equals(bytes, start, end, text, 0, text.length);
    }

    /** The order of two rows: the shorter text first, so that 2 comes before 10. */
    public int compare(int row, int other) {
        int length = ends.get(row) - start(row);
        int otherLength = ends.get(other) - start(other);
        return row == other || length != otherLength
                ? Integer.compare(length, otherLength)
                : Arrays.compare(bytes, start(row), ends.get(row), bytes, start(other), ends.get(other));
    }

    private int start(int row) {
        return row == 0 ? 0 : ends.get(row - 1);
    }

    /** Rows. */
    public int size() {
        return ends.size();
    }

    /** Bytes of all texts together. */
    public int byteCount() {
        return ends.isEmpty() ? 0 : ends.get(ends.size() - 1);
    }
}
