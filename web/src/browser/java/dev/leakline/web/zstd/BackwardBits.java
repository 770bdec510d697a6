package dev.leakline.web.zstd;

import java.io.IOException;

/** Bits that are read from the end of some bytes to their beginning; before the beginning stand zeros. */
final class BackwardBits {
    private final byte[] bytes;
    private final int from;
    /** Bits that are left; negative where more were read than there are. */
    private int left;

    /** The bits below the highest one of the last byte, which marks the end. */
    BackwardBits(byte[] bytes, int from, int to) throws IOException {
        if (to <= from || bytes[to - 1] == 0) {
            throw ZstdInput.damaged("a stream of bits without an end");
        }
        this.bytes = bytes;
        this.from = from;
        left = (to - from) * Byte.SIZE - (Integer.numberOfLeadingZeros(bytes[to - 1] & 0xff) - 24) - 1;
    }

    int left() {
        return left;
    }

    /** The next bits, at most 32, without passing over them. */
    int peek(int count) {
        long value = 0;
        int low = left - count;
        for (int at = low >> 3; at <= (left - 1) >> 3; at++) {
            long next = at < 0 ? 0 : bytes[from + at] & 0xff;
            int shift = (at << 3) - low;
            value |= shift < 0 ? next >>> -shift : next << shift;
        }
        return (int) (value & (1L << count) - 1);
    }

    int read(int count) {
        int value = count == 0 ? 0 : peek(count);
        left -= count;
        return value;
    }

    void skip(int count) {
        left -= count;
    }
}
