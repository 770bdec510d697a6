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
        int start = row == 0 ? 0 : ends.get(row - 1);
        return new String(bytes, start, ends.get(row) - start, StandardCharsets.UTF_8);
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
