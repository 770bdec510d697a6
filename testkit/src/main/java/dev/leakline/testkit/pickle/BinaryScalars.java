package dev.leakline.testkit.pickle;

import java.io.IOException;
import java.math.BigInteger;

/** Protocols 1 to 5 as CPython's C pickler writes them. */
class BinaryScalars implements Scalars {
    final FrameBuffer out;
    private final int protocol;

    BinaryScalars(FrameBuffer out, int protocol) {
        this.out = out;
        this.protocol = protocol;
    }

    @Override
    public void none() {
        out.write(Op.NONE);
    }

    @Override
    public void bool(boolean value) {
        if (protocol >= 2) {
            out.write(value ? Op.NEWTRUE : Op.NEWFALSE);
        } else {
            out.writeLatin1(value ? "I01\n" : "I00\n");
        }
    }

    @Override
    public void number(long value) {
        if (value == (value & 0xff)) {
            fixed(Op.BININT1, value, 1);
        } else if (value == (value & 0xffff)) {
            fixed(Op.BININT2, value, 2);
        } else if (value == (int) value) {
            fixed(Op.BININT, value, 4);
        } else {
            wide(value);
        }
    }

    @Override
    public void number(BigInteger value) {
        if (value.bitLength() < Long.SIZE) {
            number(value.longValue());
        } else if (protocol >= 2) {
            wide(value);
        } else {
            out.writeLatin1("L" + value + "L\n");
        }
    }

    @Override
    public void number(double value) {
        fixed(Op.BINFLOAT, Long.reverseBytes(Double.doubleToRawLongBits(value)), 8);
    }

    @Override
    public void text(String text) throws IOException {
        byte[] bytes = PyText.utf8(text);
        if (bytes.length >= FrameBuffer.TARGET) {
            out.writeUnframed(Op.BINUNICODE, bytes);
        } else if (protocol >= 4 && bytes.length < 0x100) {
            fixed(Op.SHORT_BINUNICODE, bytes.length, 1);
            out.write(bytes);
        } else {
            fixed(Op.BINUNICODE, bytes.length, 4);
            out.write(bytes);
        }
    }

    @Override
    public void put(int index) {
        if (protocol >= 4) {
            out.write(Op.MEMOIZE);
        } else if (index < 0x100) {
            fixed(Op.BINPUT, index, 1);
        } else {
            fixed(Op.LONG_BINPUT, index, 4);
        }
    }

    @Override
    public void get(int index) {
        if (index < 0x100) {
            fixed(Op.BINGET, index, 1);
        } else {
            fixed(Op.LONG_BINGET, index, 4);
        }
    }

    /** An int of more than 32 bits. */
    void wide(long value) {
        if (protocol < 2) {
            out.writeLatin1("L" + value + "L\n");
            return;
        }
        int significant = Long.SIZE - Long.numberOfLeadingZeros(value < 0 ? ~value : value);
        int width = significant / 8 + 1;
        fixed(Op.LONG1, width, 1);
        out.writeLittle(value, width);
    }

    final void fixed(int opcode, long argument, int width) {
        out.write(opcode);
        out.writeLittle(argument, width);
    }

    private void wide(BigInteger value) {
        byte[] bytes = value.toByteArray();
        fixed(Op.LONG1, bytes.length, 1);
        for (int i = bytes.length - 1; i >= 0; i--) {
            out.write(bytes[i]);
        }
    }
}
