package dev.leakline.testkit.fault;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/** Bad files made from good ones, and bad files of any size. */
public final class Faults {
    private static final int CHUNK = 1 << 16;

    private Faults() {}

    /** The first part of a file, e.g. {@code share} 0.5 for its first half. */
    public static byte[] truncated(byte[] file, double share) {
        return Arrays.copyOf(file, (int) (file.length * share));
    }

    /** The file with one bit changed; bit 0 is the lowest. */
    public static byte[] flipped(byte[] file, int index, int bit) {
        byte[] copy = file.clone();
        copy[index] ^= (byte) (1 << bit);
        return copy;
    }

    /** A valid pickle of lists, each in the next, so many deep. */
    public static byte[] nestedLists(int depth) {
        return Raw.bytes("\200\002" + "]".repeat(depth) + "a".repeat(depth - 1) + ".");
    }

    /** A snapshot whose segments are such a nest. */
    public static byte[] nestedSegments(int depth) {
        return Raw.bytes(Raw.segments("]".repeat(depth) + "a".repeat(depth - 1)));
    }

    /** Valid JSON of arrays, each in the next, so many deep. */
    public static byte[] nestedJson(int depth) {
        return Raw.bytes("[".repeat(depth) + "]".repeat(depth));
    }

    /** The classic attack: {@code os.system("true")}, in place of the segments. */
    public static byte[] callOfOsSystem() {
        return Raw.bytes(Raw.segments("cos\nsystem\n(" + Raw.text("true") + "tR"));
    }

    /**
     * A gzip file, a thousandth of what it unpacks to: a valid pickle of an empty list, after very many pushes and pops
     * that need time but no memory.
     */
    public static byte[] gzipBombOfPops(long unpackedBytes) {
        return gzipBomb("N0", unpackedBytes);
    }

    /** The same with marks that are never used, so that the stack of a careless reader grows. */
    public static byte[] gzipBombOfMarks(long unpackedBytes) {
        return gzipBomb("((", unpackedBytes);
    }

    private static byte[] gzipBomb(String pair, long unpackedBytes) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(file, CHUNK)) {
            gzip.write(Raw.bytes("\200\002"));
            repeat(Raw.bytes(pair.repeat(CHUNK / 2)), unpackedBytes / CHUNK, gzip);
            gzip.write(Raw.bytes("]."));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return file.toByteArray();
    }

    private static void repeat(byte[] chunk, long times, OutputStream file) throws IOException {
        for (long i = 0; i < times; i++) {
            file.write(chunk);
        }
    }
}
