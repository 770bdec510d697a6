package dev.leakline.report.parquet;

import java.io.ByteArrayOutputStream;

/** Small numbers as runs of equal ones: Parquet's hybrid of run lengths and packed bits, without the latter. */
final class Runs {
    private final int bytesOfValue;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int value;
    private long length;

    /** No numbers yet; {@code bits} is how many each has at most. */
    Runs(int bits) {
        this.bytesOfValue = (bits + 7) / 8;
    }

    void add(int number) {
        if (number != value) {
            end();
        }
        value = number;
        length++;
    }

    /** All runs, after which there are none. */
    byte[] take() {
        end();
        byte[] runs = out.toByteArray();
        out.reset();
        return runs;
    }

    private void end() {
        if (length > 0) {
            varint(length << 1, out);
            for (int index = 0; index < bytesOfValue; index++) {
                out.write(value >>> (8 * index));
            }
        }
        length = 0;
    }

    /** Writes seven bits a byte, the lowest first; the eighth says that more follow. */
    static void varint(long value, ByteArrayOutputStream out) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
