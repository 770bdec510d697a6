package dev.leakline.read.snapshot;

import com.carrotsearch.hppc.ByteArrayList;
import com.carrotsearch.hppc.LongArrayList;

/** The entries so far of a dictionary that is filled one entry at a time, keys and values in turn. */
final class PendingDict {
    final ByteArrayList kinds = new ByteArrayList();
    final LongArrayList values = new LongArrayList();

    /** Takes over the values of a stack from {@code from} to its top. */
    void add(ValueStack stack, int from) {
        for (int i = from; i < stack.depth; i++) {
            kinds.add(stack.kinds[i]);
            values.add(stack.values[i]);
        }
    }

    /** Forgets all entries, so that the object can be used again. */
    void clear() {
        kinds.elementsCount = 0;
        values.elementsCount = 0;
    }
}
