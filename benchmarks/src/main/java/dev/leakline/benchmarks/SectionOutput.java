package dev.leakline.benchmarks;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Writes the sections of a holder dump, each of a length that is known before, without keeping any of them. */
final class SectionOutput implements AutoCloseable {
    private static final int ROOM = 1 << 16;

    private final OutputStream file;
    private final CRC32 sum = new CRC32();
    private final ByteBuffer buffer = ByteBuffer.allocate(ROOM).order(ByteOrder.LITTLE_ENDIAN);

    SectionOutput(OutputStream file) {
        this.file = file;
    }

    /** Begins a section of so many bytes. */
    void begin(String tag, long length) throws IOException {
        text(tag);
        number(length);
        flush();
        sum.reset();
    }

    /** Ends it with its sum. */
    void end() throws IOException {
        flush();
        ints((int) sum.getValue());
    }

    void ints(int... values) throws IOException {
        for (int value : values) {
            room(Integer.BYTES).putInt(value);
        }
    }

    void number(long value) throws IOException {
        room(Long.BYTES).putLong(value);
    }

    /** A text in ASCII. */
    void text(String text) throws IOException {
        bytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    void bytes(byte[] bytes) throws IOException {
        room(bytes.length).put(bytes);
    }

    private ByteBuffer room(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            flush();
        }
        return buffer;
    }

    private void flush() throws IOException {
        sum.update(buffer.array(), 0, buffer.position());
        file.write(buffer.array(), 0, buffer.position());
        buffer.clear();
    }

    @Override
    public void close() throws IOException {
        flush();
        file.close();
    }
}
