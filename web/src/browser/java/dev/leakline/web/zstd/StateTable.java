package dev.leakline.web.zstd;

import java.io.IOException;
import java.util.Arrays;

/** A table of finite state entropy (RFC 8878, 4.1): of each state the symbol that it means, and how the next one is found. */
final class StateTable {
    final int log;
    final int[] symbols;
    private final int[] bits;
    private final int[] bases;

    /** A table by how often each symbol comes, in parts of 2^log; -1 is less than one part. */
    StateTable(int log, int[] frequencies) {
        int size = 1 << log;
        this.log = log;
        symbols = new int[size];
        bits = new int[size];
        bases = new int[size];
        int[] next = frequencies.clone();
        int high = size;
        for (int symbol = 0; symbol < frequencies.length; symbol++) {
            if (frequencies[symbol] == -1) {
                symbols[--high] = symbol;
                next[symbol] = 1;
            }
        }
        int at = 0;
        for (int symbol = 0; symbol < frequencies.length; symbol++) {
            for (int i = 0; i < frequencies[symbol]; i++) {
                symbols[at] = symbol;
                do {
                    at = at + (size >> 1) + (size >> 3) + 3 & size - 1;
                } while (at >= high);
            }
        }
        for (int state = 0; state < size; state++) {
            int count = next[symbols[state]]++;
            bits[state] = log - (31 - Integer.numberOfLeadingZeros(count));
            bases[state] = (count << bits[state]) - size;
        }
    }

    /** A table of one symbol. */
    static StateTable of(int symbol) {
        int[] frequencies = new int[symbol + 1];
        frequencies[symbol] = 1;
        return new StateTable(0, frequencies);
    }

    int next(int state, BackwardBits stream) {
        return bases[state] + stream.read(bits[state]);
    }

    /** Reads a description from {@code at} on, and says in {@code end[0]} where it ends. */
    static StateTable read(byte[] bytes, int at, int to, int maxLog, int maxSymbol, int[] end) throws IOException {
        int bit = at * Byte.SIZE;
        int log = ahead(bytes, bit, to, 4) + 5;
        bit += 4;
        if (log > maxLog) {
            throw ZstdInput.damaged("a table of " + log + " bits");
        }
        int[] frequencies = new int[maxSymbol + 1];
        int count = 0;
        int remaining = 1 << log;
        while (remaining > 0) {
            int width = 32 - Integer.numberOfLeadingZeros(remaining + 1);
            int value = ahead(bytes, bit, to, width);
            int mask = (1 << (width - 1)) - 1;
            int threshold = (1 << width) - 1 - (remaining + 1);
            boolean isShort = (value & mask) < threshold;
            bit += isShort ? width - 1 : width;
            int frequency = (isShort ? value & mask : value > mask ? value - threshold : value) - 1;
            remaining -= Math.abs(frequency);
            int zeros = 0;
            if (frequency == 0) {
                for (int more = 3; more == 3; zeros += more) {
                    more = ahead(bytes, bit, to, 2);
                    bit += 2;
                }
            }
            if (count + zeros > maxSymbol || remaining < 0) {
                throw ZstdInput.damaged("a table with too many symbols");
            }
            frequencies[count] = frequency;
            count += 1 + zeros;
        }
        end[0] = (bit + Byte.SIZE - 1) / Byte.SIZE;
        return new StateTable(log, Arrays.copyOf(frequencies, count));
    }

    private static int ahead(byte[] bytes, int bit, int to, int count) throws IOException {
        int value = 0;
        for (int i = 0; i < count; i++) {
            int at = (bit + i) >> 3;
            if (at >= to) {
                throw ZstdInput.damaged("a table that ends early");
            }
            value |= (bytes[at] >> (bit + i & 7) & 1) << i;
        }
        return value;
    }
}
