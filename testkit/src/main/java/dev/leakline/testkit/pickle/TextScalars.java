package dev.leakline.testkit.pickle;

import java.math.BigInteger;

/** Protocol 0: opcodes with decimal arguments, each ended by a newline. */
final class TextScalars implements Scalars {
    private final FrameBuffer out;

    TextScalars(FrameBuffer out) {
        this.out = out;
    }

    @Override
    public void none() {
        out.write(Op.NONE);
    }

    @Override
    public void bool(boolean value) {
        line(Op.INT, value ? "01" : "00");
    }

    @Override
    public void number(long value) {
        if (value == (int) value) {
            line(Op.INT, Long.toString(value));
        } else {
            line(Op.LONG, value + "L");
        }
    }

    @Override
    public void number(BigInteger value) {
        if (value.bitLength() < Long.SIZE) {
            number(value.longValue());
        } else {
            line(Op.LONG, value + "L");
        }
    }

    @Override
    public void number(double value) {
        line(Op.FLOAT, PyText.repr(value));
    }

    @Override
    public void text(String text) {
        line(Op.UNICODE, PyText.rawUnicodeEscape(text));
    }

    @Override
    public void put(int index) {
        line(Op.PUT, Integer.toString(index));
    }

    @Override
    public void get(int index) {
        line(Op.GET, Integer.toString(index));
    }

    private void line(int opcode, String argument) {
        out.write(opcode);
        out.writeLatin1(argument);
        out.write('\n');
    }
}
