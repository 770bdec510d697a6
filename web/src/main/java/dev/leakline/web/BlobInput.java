package dev.leakline.web;

import java.io.InputStream;
import org.teavm.jso.JSObject;
import org.teavm.jso.typedarrays.Int8Array;

/** The bytes of a file in the browser, read piece by piece: no more than one piece is in memory. */
final class BlobInput extends InputStream {
    private static final int PIECE = 4 << 20;

    /** A file of which the worker reads a part at once. */
    interface Blob extends JSObject {
        /** Bytes from {@code from} on, fewer than {@code most} at the end alone. */
        Int8Array read(double from, int most);
    }

    private final Blob blob;
    private byte[] piece = {};
    private int next;
    private long before;

    BlobInput(Blob blob) {
        this.blob = blob;
    }

    private boolean isAtEnd() {
        if (next == piece.length) {
            before += piece.length;
            piece = blob.read((double) before, PIECE).copyToJavaArray();
            next = 0;
        }
        return piece.length == 0;
    }

    @Override
    public int read() {
        return isAtEnd() ? -1 : piece[next++] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int most) {
        if (most == 0) {
            return 0;
        }
        if (isAtEnd()) {
            return -1;
        }
        int count = Math.min(most, piece.length - next);
        System.arraycopy(piece, next, target, from, count);
        next += count;
        return count;
    }

    @Override
    public int available() {
        return piece.length - next;
    }
}
