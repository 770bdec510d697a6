package dev.leakline.columns;

import dev.leakline.hash.SeededHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The distinct strings of a snapshot, each with a small number.
 *
 * <p>A recording repeats the same few strings millions of times ({@code "N/A"} stands in every event of torch 2.8 and later), so
 * strings are looked up by their bytes and decoded only when somebody asks for the text. Number 0 is the empty string.
 *
 * <p>One thread may intern; once nobody does, any number may read.
 */
public final class StringTable {
    private byte[] bytes = new byte[1 << 16];
    private int[] ends = new int[1 << 10];
    private int[] slots = new int[1 << 11];
    private int count;

    /** An empty table but for the empty string. */
    public StringTable() {
        intern(new byte[0], 0, 0);
    }

    /** The number of a string, given as Java text. */
    public int intern(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        return intern(encoded, 0, encoded.length);
    }

    /** The number of a string, given as UTF-8 bytes; the array stays the caller's. */
    public int intern(byte[] source, int offset, int length) {
        int hash = SeededHash.of(source, offset, offset + length);
        int mask = slots.length - 1;
        for (int slot = hash & mask; ; slot = slot + 1 & mask) {
            int found = slots[slot] - 1;
            if (found < 0) {
                return add(source, offset, length, slot);
            }
            if (matches(found, source, offset, length)) {
                return found;
            }
        }
    }

    /** The text of a number that {@link #intern} gave; malformed UTF-8 shows as replacement characters. */
    public String get(int id) {
        int start = start(id);
        return new String(bytes, start, ends[id] - start, StandardCharsets.UTF_8);
    }

    /** Distinct strings so far; numbers are below it. */
    public int size() {
        return count;
    }

    /** Bytes that the distinct strings take together. */
    public int byteCount() {
        return start(count);
    }

    private int start(int id) {
        return id == 0 ? 0 : ends[id - 1];
    }

    private boolean matches(int id, byte[] source, int offset, int length) {
        int start = start(id);
        return Arrays.equals(bytes, start, ends[id], source, offset, offset + length);
    }

    private int add(byte[] source, int offset, int length, int slot) {
        int start = byteCount();
        int end = Math.addExact(start, length);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(end, bytes.length * 2L)));
        }
        System.arraycopy(source, offset, bytes, start, length);
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, count * 2);
        }
        ends[count] = end;
        slots[slot] = ++count;
        if (count * 2 > slots.length) {
            rehash();
        }
        return count - 1;
    }

    private void rehash() {
        slots = new int[slots.length * 2];
        int mask = slots.length - 1;
        for (int id = 0; id < count; id++) {
            int slot = SeededHash.of(bytes, start(id), ends[id]) & mask;
            while (slots[slot] != 0) {
                slot = slot + 1 & mask;
            }
            slots[slot] = id + 1;
        }
    }
}
