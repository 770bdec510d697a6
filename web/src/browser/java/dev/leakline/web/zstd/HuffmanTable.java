package dev.leakline.web.zstd;

import java.io.IOException;
import java.util.Arrays;

/** A table of prefix codes for literals (RFC 8878, 4.2). */
final class HuffmanTable {
    private static final int MAX_BITS = 11;
    private static final int MAX_WEIGHT_LOG = 6;
    private static final int SYMBOLS = 256;

    private final int bits;
    private final byte[] symbols;
    private final byte[] lengths;

    /** A table by the weights of all symbols but the last, whose weight makes the sum a power of two. */
    private HuffmanTable(int[] weights, int count) throws IOException {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += weights[i] == 0 ? 0 : 1 << (weights[i] - 1);
        }
        bits = 32 - Integer.numberOfLeadingZeros(sum);
        int rest = (1 << bits) - sum;
        if (sum == 0 || bits > MAX_BITS || Integer.bitCount(rest) != 1) {
            throw ZstdInput.damaged("prefix codes that are none");
        }
        weights[count] = 32 - Integer.numberOfLeadingZeros(rest);
        symbols = new byte[1 << bits];
        lengths = new byte[1 << bits];
        int at = 0;
        for (int weight = 1; weight <= bits; weight++) {
            for (int symbol = 0; symbol <= count; symbol++) {
                if (weights[symbol] == weight) {
                    int end = at + (1 << (weight - 1));
                    Arrays.fill(symbols, at, end, (byte) symbol);
                    Arrays.fill(lengths, at, end, (byte) (bits + 1 - weight));
                    at = end;
                }
            }
        }
    }

    /** Reads a description from {@code at} on, and says in {@code end[0]} where it ends. */
    static HuffmanTable read(byte[] bytes, int at, int to, int[] end) throws IOException {
        if (at >= to) {
            throw ZstdInput.damaged("literals without prefix codes");
        }
        int header = bytes[at] & 0xff;
        int[] weights = new int[SYMBOLS];
        int count = header - 127;
        end[0] = at + 1 + (header < 128 ? header : (count + 1) / 2);
        if (end[0] > to) {
            throw ZstdInput.damaged("prefix codes that end early");
        }
        if (header < 128) {
            count = readCompressed(bytes, at + 1, end[0], weights);
        } else {
            for (int i = 0; i < count; i++) {
                weights[i] = bytes[at + 1 + i / 2] >> (i % 2 == 0 ? 4 : 0) & 15;
            }
        }
        return new HuffmanTable(weights, count);
    }

    private static int readCompressed(byte[] bytes, int at, int to, int[] weights) throws IOException {
        int[] begin = new int[1];
        StateTable table = StateTable.read(bytes, at, to, MAX_WEIGHT_LOG, SYMBOLS - 1, begin);
        BackwardBits stream = new BackwardBits(bytes, begin[0], to);
        int[] states = {stream.read(table.log), stream.read(table.log)};
        for (int count = 0; ; count++) {
            int turn = count % 2;
            if (count + 2 >= SYMBOLS) {
                throw ZstdInput.damaged("more prefix codes than there are bytes");
            }
            weights[count] = table.symbols[states[turn]];
            states[turn] = table.next(states[turn], stream);
            if (stream.left() < 0) {
                weights[count + 1] = table.symbols[states[1 - turn]];
                return count + 2;
            }
        }
    }

    /** Decodes a stream to its end. */
    void decode(byte[] bytes, int from, int to, byte[] target, int at, int end) throws IOException {
        BackwardBits stream = new BackwardBits(bytes, from, to);
        for (int i = at; i < end; i++) {
            int code = stream.peek(bits);
            target[i] = symbols[code];
            stream.skip(lengths[code]);
        }
        if (stream.left() != 0) {
            throw ZstdInput.damaged("literals that do not fill their stream");
        }
    }
}
