package dev.leakline.testkit.pickle;

import java.math.BigInteger;

/** PyTorch's own pickler: protocol 2, and an int above 32 bits always has eight bytes with a sign. */
final class CppScalars extends BinaryScalars {
    CppScalars(FrameBuffer out) {
        super(out, 2);
    }

    @Override
    void wide(long value) {
        fixed(Op.LONG1, Long.BYTES, 1);
        out.writeLittle(value, Long.BYTES);
    }

    /** An unsigned 64-bit value turns negative, as it does in C++. */
    @Override
    public void number(BigInteger value) {
        number(value.longValue());
    }
}
