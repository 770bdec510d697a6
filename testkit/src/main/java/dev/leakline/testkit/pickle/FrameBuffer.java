package dev.leakline.testkit.pickle;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * The bytes between opcodes and file, cut into frames as CPython cuts them.
 *
 * <p>A frame is closed at the first opcode boundary after {@value #TARGET} bytes; a payload of that size goes out
 * between frames; what is shorter than {@value #MINIMUM} bytes at a close is left without a frame. Without framing the
 * same buffer only collects.
 */
final class FrameBuffer {
    static final int TARGET = 64 * 1024;
    static final int MINIMUM = 4;
    private static final int HEADER = 9;
    private static final int NONE = -1;

    private final OutputStream file;
    private byte[] bytes = new byte[2 * TARGET];
    private int end;
    private int frameStart = NONE;
    private boolean framing;

    FrameBuffer(OutputStream file) {
        this.file = file;
    }

    /** Puts all that follows into frames, or no longer. */
    void framing(boolean on) {
        framing = on;
    }

    /** A place where a frame may end: before every value. */
    void boundary() throws IOException {
        if (end >= TARGET && (!framing || end - frameStart - HEADER >= TARGET)) {
            flush();
        }
    }

    /** Closes the frame and hands everything to the file. */
    void flush() throws IOException {
        closeFrame();
        file.write(bytes, 0, end);
        end = 0;
    }

    void close() throws IOException {
        flush();
        file.close();
    }

    void write(int value) {
        reserve(1);
        bytes[end++] = (byte) value;
    }

    /** The lowest {@code width} bytes of a value, little end first. */
    void writeLittle(long value, int width) {
        reserve(width);
        for (int i = 0; i < width; i++) {
            bytes[end++] = (byte) (value >> (8 * i));
        }
    }

    void write(byte[] payload) {
        reserve(payload.length);
        System.arraycopy(payload, 0, bytes, end, payload.length);
        end += payload.length;
    }

    /** A payload with its header, outside of any frame. */
    void writeUnframed(int opcode, byte[] payload) throws IOException {
        flush();
        boolean before = framing;
        framing = false;
        write(opcode);
        writeLittle(payload.length, 4);
        flush();
        framing = before;
        file.write(payload);
    }

    /** The characters as bytes, one each. */
    void writeLatin1(String text) {
        reserve(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes[end++] = (byte) text.charAt(i);
        }
    }

    private void reserve(int count) {
        boolean opens = framing && frameStart == NONE;
        int needed = end + count + (opens ? HEADER : 0);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
        }
        if (opens) {
            frameStart = end;
            end += HEADER;
        }
    }

    private void closeFrame() {
        if (frameStart == NONE) {
            return;
        }
        int length = end - frameStart - HEADER;
        if (length >= MINIMUM) {
            putHeader(length);
        } else {
            System.arraycopy(bytes, frameStart + HEADER, bytes, frameStart, length);
            end -= HEADER;
        }
        frameStart = NONE;
    }

    private void putHeader(int length) {
        bytes[frameStart] = (byte) Op.FRAME;
        for (int i = 0; i < 8; i++) {
            bytes[frameStart + 1 + i] = (byte) ((long) length >> (8 * i));
        }
    }
}
