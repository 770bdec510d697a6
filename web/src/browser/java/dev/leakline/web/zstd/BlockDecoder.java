package dev.leakline.web.zstd;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Decodes the compressed blocks of a frame, which share tables and offsets (RFC 8878, 3.1.1.3). */
final class BlockDecoder {
    private static final int MAX_BLOCK = 1 << 17;
    private static final int LENGTHS = 0;
    private static final int OFFSETS = 1;
    private static final int MATCHES = 2;
    private static final int[] MAX_LOGS = {9, 8, 9};
    private static final int[] MAX_SYMBOLS = {35, 31, 52};
    private static final StateTable[] PREDEFINED = {
        new StateTable(6, new int[] {
            4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1,
            -1
        }),
        new StateTable(
                5,
                new int[] {1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}),
        new StateTable(6, new int[] {
            1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1
        })
    };
    private static final int[] LENGTH_BITS = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
        16
    };
    private static final int[] MATCH_BITS = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2,
        2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
    };
    private static final int[] LENGTH_BASES = bases(LENGTH_BITS, 0);
    private static final int[] MATCH_BASES = bases(MATCH_BITS, 3);

    private final @Nullable StateTable[] tables = new StateTable[3];
    private final int[] recent = {1, 4, 8};
    private final byte[] literals = new byte[MAX_BLOCK];
    private final int[] end = new int[1];
    private @Nullable HuffmanTable huffman;

    /** The first value of each code: the one before and all that its bits can add. */
    private static int[] bases(int[] bits, int first) {
        int[] bases = new int[bits.length];
        bases[0] = first;
        for (int i = 1; i < bits.length; i++) {
            bases[i] = bases[i - 1] + (1 << bits[i - 1]);
        }
        return bases;
    }

    /** Decodes a block to {@code at} of the target, where there is room for {@value #MAX_BLOCK} bytes; says where it ends. */
    int decode(byte[] block, byte[] target, int at) throws IOException {
        int count = readLiterals(block);
        int from = end[0];
        int sequences = unsigned(block, from++);
        if (sequences == 255) {
            sequences = unsigned(block, from) + (unsigned(block, from + 1) << 8) + 0x7f00;
            from += 2;
        } else if (sequences >= 128) {
            sequences = ((sequences - 128) << 8) + unsigned(block, from++);
        }
        if (sequences == 0) {
            System.arraycopy(literals, 0, target, at, count);
            return at + count;
        }
        int modes = unsigned(block, from++);
        for (int kind = LENGTHS; kind <= MATCHES; kind++) {
            from = readTable(kind, modes >> (6 - 2 * kind) & 3, block, from);
        }
        return execute(new BackwardBits(block, from, block.length), sequences, count, target, at);
    }

    private static int unsigned(byte[] block, int at) throws IOException {
        if (at >= block.length) {
            throw ZstdInput.damaged("a block that ends early");
        }
        return block[at] & 0xff;
    }

    private int readTable(int kind, int mode, byte[] block, int from) throws IOException {
        switch (mode) {
            case 0 -> tables[kind] = PREDEFINED[kind];
            case 1 -> {
                int symbol = unsigned(block, from);
                if (symbol > MAX_SYMBOLS[kind]) {
                    throw ZstdInput.damaged("an unknown code");
                }
                tables[kind] = StateTable.of(symbol);
                return from + 1;
            }
            case 2 -> {
                tables[kind] = StateTable.read(block, from, block.length, MAX_LOGS[kind], MAX_SYMBOLS[kind], end);
                return end[0];
            }
            default -> table(kind);
        }
        return from;
    }

    private StateTable table(int kind) throws IOException {
        StateTable table = tables[kind];
        if (table == null) {
            throw ZstdInput.damaged("a table that was never given");
        }
        return table;
    }

    /** Reads the literals, and says in {@code end[0]} where their section ends. */
    private int readLiterals(byte[] block) throws IOException {
        int first = unsigned(block, 0);
        int type = first & 3;
        int format = first >> 2 & 3;
        boolean isCompressed = type >= 2;
        int header = isCompressed ? format < 2 ? 3 : format + 2 : (format & 1) == 0 ? 1 : format == 1 ? 2 : 3;
        long sizes = 0;
        for (int i = 0; i < header; i++) {
            sizes |= (long) unsigned(block, i) << (i * Byte.SIZE);
        }
        int width = format < 2 ? 10 : format == 2 ? 14 : 18;
        int size = (int) (isCompressed ? sizes >> 4 & (1 << width) - 1 : sizes >> ((format & 1) == 0 ? 3 : 4));
        int stored = isCompressed ? (int) (sizes >> (4 + width)) : type == 0 ? size : 1;
        if (size > MAX_BLOCK || header + stored > block.length) {
            throw ZstdInput.damaged("literals of " + size + " bytes");
        }
        end[0] = header + stored;
        switch (type) {
            case 0 -> System.arraycopy(block, header, literals, 0, size);
            case 1 -> Arrays.fill(literals, 0, size, block[header]);
            default -> readCoded(block, header, type == 2, format != 0, size);
        }
        return size;
    }

    private void readCoded(byte[] block, int from, boolean hasTable, boolean isInFour, int size) throws IOException {
        int to = end[0];
        int at = from;
        HuffmanTable table = huffman;
        if (hasTable) {
            table = HuffmanTable.read(block, from, to, end);
            huffman = table;
            at = end[0];
        }
        if (table == null) {
            throw ZstdInput.damaged("prefix codes that were never given");
        }
        end[0] = to;
        if (!isInFour) {
            table.decode(block, at, to, literals, 0, size);
            return;
        }
        int part = (size + 3) / 4;
        int stream = at + 6;
        for (int i = 0; i < 4; i++) {
            int length = i == 3 ? to - stream : unsigned(block, at + 2 * i) | unsigned(block, at + 2 * i + 1) << 8;
            if (stream + length > to || (Math.min(i * part, size) == size && size > 0)) {
                throw ZstdInput.damaged("four streams that do not fit");
            }
            table.decode(block, stream, stream + length, literals, i * part, i == 3 ? size : (i + 1) * part);
            stream += length;
        }
    }

    private int execute(BackwardBits stream, int sequences, int literalCount, byte[] target, int begin)
            throws IOException {
        StateTable lengths = table(LENGTHS);
        StateTable offsets = table(OFFSETS);
        StateTable matches = table(MATCHES);
        int length = stream.read(lengths.log);
        int offset = stream.read(offsets.log);
        int match = stream.read(matches.log);
        int at = begin;
        int used = 0;
        for (int left = sequences; left > 0; left--) {
            int offsetCode = offsets.symbols[offset];
            int matchCode = matches.symbols[match];
            int lengthCode = lengths.symbols[length];
            long value = (1L << offsetCode) + (stream.read(offsetCode) & 0xffff_ffffL);
            int copied = MATCH_BASES[matchCode] + stream.read(MATCH_BITS[matchCode]);
            int plain = LENGTH_BASES[lengthCode] + stream.read(LENGTH_BITS[lengthCode]);
            int distance = distance(value, plain);
            if (stream.left() < 0
                    || used + plain > literalCount
                    || at + plain + copied - begin > MAX_BLOCK
                    || distance > at + plain) {
                throw ZstdInput.damaged("a sequence that does not fit");
            }
            System.arraycopy(literals, used, target, at, plain);
            used += plain;
            at += plain;
            for (int to = at + copied; at < to; at++) {
                target[at] = target[at - distance];
            }
            if (left > 1) {
                length = lengths.next(length, stream);
                match = matches.next(match, stream);
                offset = offsets.next(offset, stream);
            }
        }
        int rest = literalCount - used;
        if (stream.left() != 0 || at + rest - begin > MAX_BLOCK) {
            throw ZstdInput.damaged("sequences that do not fill their stream");
        }
        System.arraycopy(literals, used, target, at, rest);
        return at + rest;
    }

    /** How far back a match is: a new distance, or one of the last three, which move up. */
    private int distance(long value, int plain) throws IOException {
        int index = value > 3 ? 3 : (int) value - (plain == 0 ? 0 : 1);
        long distance = value > 3 ? value - 3 : index == 3 ? recent[0] - 1L : recent[index];
        if (distance <= 0 || distance > Integer.MAX_VALUE) {
            throw ZstdInput.damaged("a distance of " + distance);
        }
        for (int i = Math.min(index, 2); i > 0; i--) {
            recent[i] = recent[i - 1];
        }
        recent[0] = (int) distance;
        return (int) distance;
    }
}
