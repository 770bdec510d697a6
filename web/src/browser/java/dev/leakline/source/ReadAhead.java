package dev.leakline.source;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads the next piece of an input when it is asked for: a browser's worker is one thread. */
public final class ReadAhead implements Closeable {
    private static final int CHUNK = 1 << 20;

    /** Bytes from {@link ByteWindow#MARGIN} on, with as much room behind them; {@code failure} is why there are no more. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Chunk(
            byte[] bytes,
            int length,
            boolean isLast,
            @Nullable IOException failure) {}

    private final InputStream stream;
    private byte @Nullable [] spare;

    public ReadAhead(InputStream stream) {
        this.stream = stream;
    }

    /** The next piece. */
    Chunk next() throws IOException {
        byte[] bytes = spare != null ? spare : new byte[CHUNK + 2 * ByteWindow.MARGIN];
        spare = null;
        int length = 0;
        try {
            while (length < CHUNK) {
                int read = stream.read(bytes, ByteWindow.MARGIN + length, CHUNK - length);
                if (read < 0) {
                    return new Chunk(bytes, length, true, null);
                }
                length += read;
            }
            return new Chunk(bytes, length, false, null);
        } catch (IOException e) {
            return new Chunk(bytes, length, true, e);
        }
    }

    /** Gives a piece back that is no longer used. */
    void recycle(byte[] bytes) {
        if (bytes.length == CHUNK + 2 * ByteWindow.MARGIN) {
            spare = bytes;
        }
    }

    @Override
    public void close() {
        spare = null;
    }
}
