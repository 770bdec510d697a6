package dev.leakline.attach.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The general registers of an x86-64 thread, in the order of Linux's {@code user_regs_struct}. */
final class Registers {
    static final int R10 = 7;
    static final int R9 = 8;
    static final int R8 = 9;
    static final int RAX = 10;
    static final int RDX = 12;
    static final int RSI = 13;
    static final int RDI = 14;
    static final int ORIG_RAX = 15;
    static final int RIP = 16;
    static final int FLAGS = 18;
    static final int RSP = 19;

    /** Bytes of the structure. */
    static final int BYTES = 27 * Long.BYTES;

    final MemorySegment segment;

    private Registers(MemorySegment segment) {
        this.segment = segment;
    }

    static Registers in(Arena arena) {
        return new Registers(arena.allocate(BYTES, Long.BYTES));
    }

    Registers copy(Arena arena) {
        Registers copy = in(arena);
        copy.segment.copyFrom(segment);
        return copy;
    }

    long get(int register) {
        return segment.getAtIndex(ValueLayout.JAVA_LONG, register);
    }

    Registers set(int register, long value) {
        segment.setAtIndex(ValueLayout.JAVA_LONG, register, value);
        return this;
    }
}
