package dev.leakline.read.snapshot;

import static dev.leakline.read.snapshot.Vocabulary.KEY_END;

import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.cursors.IntIntCursor;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;

/**
 * The entries of one dictionary on the {@link ValueStack}, found by the number of their key.
 *
 * <p>A value of an unexpected type is taken for absent and counted, unless the row makes no sense without it.
 */
final class EntryList {
    private final ValueStack stack;
    private final SnapshotColumns columns;
    private final int[] places = new int[KEY_END];
    private final IntIntHashMap unknownKeys = new IntIntHashMap();
    private int from;
    private int to;
    private long seen;

    EntryList(ValueStack stack, SnapshotColumns columns) {
        this.stack = stack;
        this.columns = columns;
    }

    /** Looks at the keys and values in turn that stand from {@code from} to the top of the stack. */
    void index(int from) {
        this.from = from;
        this.to = stack.depth;
        long found = 0;
        byte[] kinds = stack.kinds;
        long[] values = stack.values;
        for (int i = from; i < to; i += 2) {
            long key = kinds[i] == ValueStack.STRING ? values[i] : 0;
            if (key > 0 && key < KEY_END) {
                places[(int) key] = i + 1;
                found |= 1L << key;
            }
        }
        seen = found;
    }

    /** The set of known keys, as bits. */
    long seen() {
        return seen;
    }

    boolean has(int key) {
        return (seen >>> key & 1) != 0;
    }

    /** Counts the keys that a row has beyond those in {@code known}. */
    void countOthers(long known) {
        if ((to - from) / 2 == Long.bitCount(seen) && (seen & ~known) == 0) {
            return;
        }
        for (int i = from; i < to; i += 2) {
            long key = stack.kinds[i] == ValueStack.STRING ? stack.values[i] : 0;
            if (key >= KEY_END || (known & 1L << key) == 0) {
                unknownKeys.addTo((int) key, 1);
            }
        }
    }

    /** Hands the counted keys to the snapshot's counters. */
    void flush() {
        for (IntIntCursor cursor : unknownKeys) {
            String name = cursor.key == 0 ? "a key that is not a string" : columns.strings.get(cursor.key);
            columns.counters.count("key " + name, cursor.value);
        }
        unknownKeys.clear();
    }

    /** An integer, or {@code absent}. */
    long integer(int key, long absent) {
        if (!has(key)) {
            return absent;
        }
        int place = places[key];
        byte kind = stack.kinds[place];
        if (kind == ValueStack.INT || kind == ValueStack.BOOL) {
            return stack.values[place];
        }
        countMistyped(key);
        return absent;
    }

    /** An integer without which the row has no meaning. */
    long required(int key, String row) throws ReadException {
        if (!has(key) || stack.kinds[places[key]] != ValueStack.INT) {
            throw new ReadException(Code.DAMAGED, -1, "a " + row + " has no integer '" + name(key) + "'");
        }
        return stack.values[places[key]];
    }

    /** A string's number, 0 (the empty string) where absent. */
    int string(int key) {
        return (int) number(key, ValueStack.STRING);
    }

    /** A pool's number, 0 (the default pool) where absent. */
    int pool(int key) {
        return (int) number(key, ValueStack.PAIR);
    }

    /** A stack's number; an empty list, None and an absent key are all {@link StackTable#NONE}. */
    int stackNumber(int key) {
        if (!has(key)) {
            return StackTable.NONE;
        }
        byte kind = kind(key);
        return kind == ValueStack.LIST || kind == ValueStack.NULL
                ? StackTable.NONE
                : (int) number(key, ValueStack.STACK);
    }

    byte kind(int key) {
        return has(key) ? stack.kinds[places[key]] : ValueStack.NULL;
    }

    long value(int key) {
        return stack.values[places[key]];
    }

    private long number(int key, byte kind) {
        if (!has(key)) {
            return 0;
        }
        if (stack.kinds[places[key]] == kind) {
            return stack.values[places[key]];
        }
        countMistyped(key);
        return 0;
    }

    void countMistyped(int key) {
        columns.counters.count("'" + name(key) + "' of an unexpected type");
    }

    private String name(int key) {
        return columns.strings.get(key);
    }
}
