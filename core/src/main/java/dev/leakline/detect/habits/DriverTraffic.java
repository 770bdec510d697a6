package dev.leakline.detect.habits;

import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntLongHashMap;
import java.util.BitSet;

/** What went on between the allocator and the driver in the steps that are looked at. */
final class DriverTraffic {
    private final BitSet asking = new BitSet();
    /** Of each stack the bytes that the driver was asked for. */
    private final IntLongHashMap askedBy = new IntLongHashMap();
    /** Of each stack how often memory went back there. */
    private final IntIntHashMap givenBackBy = new IntIntHashMap();

    private long asked;
    private long givenBack;
    private int calls;

    /** Takes a call that asks for memory. */
    void ask(int step, int stack, long bytes) {
        asking.set(step);
        askedBy.addTo(stack, bytes);
        asked += bytes;
        calls++;
    }

    /** Takes a call that gives memory back. */
    void giveBack(int stack, long bytes) {
        givenBackBy.addTo(stack, 1);
        givenBack += bytes;
    }

    /** Bytes asked for, by stack. */
    IntLongHashMap askedBy() {
        return askedBy;
    }

    /** Calls that gave memory back, by stack. */
    IntIntHashMap givenBackBy() {
        return givenBackBy;
    }

    /** Bytes asked for. */
    long asked() {
        return asked;
    }

    /** Bytes given back. */
    long givenBack() {
        return givenBack;
    }

    /** Calls that asked. */
    int calls() {
        return calls;
    }

    /** Steps that asked. */
    int steps() {
        return asking.cardinality();
    }
}
