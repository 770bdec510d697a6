package dev.leakline.source;

import dev.leakline.hash.LittleEndian;
import dev.leakline.source.ReadException.Code;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A window that slides over the bytes of an input; only the window is ever in memory.
 *
 * <p>{@link ReadAhead} fills the next window while this one is worked on. What is left of a window when it runs low is copied in
 * front of the next one, so a reader that keeps {@value #MARGIN} bytes ahead of it never sees a seam. After the last byte stand
 * zeros: an operation that the end of the file cuts reads them, and the next {@link #slide()} finds out.
 */
public final class ByteWindow {
    /** No operation but strings reads more bytes than this at once. */
    static final int MARGIN = 64;

    private final ReadAhead source;
    private final LongConsumer progress;
    public byte[] bytes = new byte[2 * MARGIN];
    /** The next byte to read. */
    public int at = MARGIN;
    /** One past the last byte of the window. */
    private int end = MARGIN;
    /** From here on the window has to slide. */
    public int low = MARGIN;

    private long base = -MARGIN;
    private boolean isLast;
    private @Nullable IOException failure;

    public ByteWindow(ReadAhead source, LongConsumer progress) {
        this.source = source;
        this.progress = progress;
    }

    /** The offset in the input of the next byte to read. */
    public long offset() {
        return base + at;
    }

    /** Slides the window; fails when nothing is left or something was read past the end. */
    public void slide() throws IOException {
        if (isLast) {
            if (at >= end) {
                throw truncated();
            }
            return;
        }
        int left = end - at;
        ReadAhead.Chunk next = source.next();
        System.arraycopy(bytes, at, next.bytes(), MARGIN - left, left);
        base += at - (MARGIN - left);
        source.recycle(bytes);
        bytes = next.bytes();
        at = MARGIN - left;
        end = MARGIN + next.length();
        isLast = next.isLast();
        failure = next.failure();
        low = isLast ? end : end - MARGIN;
        progress.accept(offset());
        if (isLast) {
            Arrays.fill(bytes, end, end + MARGIN, (byte) 0);
            slide();
        }
    }

    public int unsignedByte() {
        return bytes[at++] & 0xff;
    }

    public int unsignedShort() {
        int value = LittleEndian.getShort(bytes, at) & 0xffff;
        at += 2;
        return value;
    }

    public int int32() {
        int value = LittleEndian.getInt(bytes, at);
        at += 4;
        return value;
    }

    public long int64() {
        long value = LittleEndian.getLong(bytes, at);
        at += 8;
        return value;
    }

    /** The next {@code length} bytes, at most eight, as a little-endian two's complement integer. */
    public long signed(int length) {
        long value = LittleEndian.getLong(bytes, at);
        at += length;
        int unused = 64 - 8 * length;
        return length == 0 ? 0 : value << unused >> unused;
    }

    /** Returns whether the next {@code length} bytes stand in the window. */
    public boolean holds(long length) {
        return length <= end - at;
    }

    /** Copies the next bytes out, sliding as often as it takes. */
    public byte[] take(int length) throws IOException {
        byte[] taken = new byte[Math.min(length, 1 << 16)];
        int filled = 0;
        while (filled < length) {
            if (at >= low) {
                slide();
            }
            int part = Math.min(length - filled, end - at);
            if (filled + part > taken.length) {
                taken = Arrays.copyOf(taken, Math.min(length, Math.max(filled + part, taken.length * 2)));
            }
            System.arraycopy(bytes, at, taken, filled, part);
            at += part;
            filled += part;
        }
        return taken;
    }

    /** Passes over bytes. */
    public void skip(long length) throws IOException {
        for (long left = length; left > 0; ) {
            if (at >= low) {
                slide();
            }
            int part = (int) Math.min(left, end - at);
            at += part;
            left -= part;
        }
    }

    /** The bytes up to the next line feed, which is passed over; at most {@code limit}. */
    public byte[] takeLine(int limit) throws IOException {
        byte[] line = new byte[64];
        for (int length = 0; ; length++) {
            if (at >= low) {
                slide();
            }
            byte next = bytes[at++];
            if (next == '\n') {
                return Arrays.copyOf(line, length);
            }
            if (length == limit) {
                throw new ReadException(Code.LIMIT, offset(), "a line of more than " + limit + " bytes");
            }
            if (length == line.length) {
                line = Arrays.copyOf(line, length * 2);
            }
            line[length] = next;
        }
    }

    private IOException truncated() {
        long offset = base + end;
        if (failure != null) {
            return ReadException.explain(failure, offset);
        }
        return offset == 0
                ? new ReadException(Code.EMPTY, 0, "empty input")
                : new ReadException(Code.TRUNCATED, offset, "truncated after byte " + offset);
    }
}
