package dev.leakline.source;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads, and where need be decompresses, the next piece of an input in a thread of its own while the last one is worked on.
 *
 * <p>At most {@value #CHUNKS} pieces of a mebibyte exist at a time. Closing it stops the thread; the stream stays the caller's.
 */
public final class ReadAhead implements Closeable {
    private static final int CHUNK = 1 << 20;
    private static final int CHUNKS = 3;

    /** Bytes from {@link ByteWindow#MARGIN} on, with as much room behind them; {@code failure} is why there are no more. */
    @SuppressWarnings("ArrayRecordComponent") // handed from one thread to another, never compared
    record Chunk(
            byte[] bytes,
            int length,
            boolean isLast,
            @Nullable IOException failure) {}

    private final InputStream stream;
    private final BlockingQueue<Chunk> full = new ArrayBlockingQueue<>(CHUNKS);
    private final BlockingQueue<byte[]> empty = new ArrayBlockingQueue<>(CHUNKS + 1);
    private final Thread thread;

    public ReadAhead(InputStream stream) {
        this.stream = stream;
        for (int i = 0; i < CHUNKS; i++) {
            empty.add(new byte[CHUNK + 2 * ByteWindow.MARGIN]);
        }
        thread = Thread.ofPlatform().daemon().name("read-ahead").start(this::fill);
    }

    /** The next piece; waits for it. */
    Chunk next() throws IOException {
        try {
            return full.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading", e);
        }
    }

    /** Gives a piece back that is no longer used. */
    void recycle(byte[] bytes) {
        if (bytes.length == CHUNK + 2 * ByteWindow.MARGIN) {
            empty.add(bytes);
        }
    }

    private void fill() {
        try {
            for (boolean isLast = false; !isLast; ) {
                byte[] bytes = empty.take();
                Chunk chunk = chunk(bytes);
                isLast = chunk.isLast;
                full.put(chunk);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Chunk chunk(byte[] bytes) {
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
        } catch (RuntimeException | Error e) { // whoever waits for the piece would wait forever
            return new Chunk(bytes, length, true, new IOException(e));
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
