package dev.leakline.web.zstd;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Decompresses Zstandard (RFC 8878): frames one after another, without dictionaries; checksums are passed over. */
public class ZstdInput extends InputStream {
    private static final int MAGIC = 0xfd2fb528;
    private static final int SKIPPABLE = 0x184d2a50;
    private static final int MAX_BLOCK = 1 << 17;
    /** The largest window that zstd takes by default: 128 MiB. */
    private static final int MAX_WINDOW = 1 << 27;

    private final InputStream in;
    private BlockDecoder decoder = new BlockDecoder();
    /** Decompressed bytes: the window behind {@code next}, and what is not read yet up to {@code end}. */
    private byte[] out = new byte[MAX_BLOCK];

    private int next;
    private int end;
    private int window;
    private boolean isInFrame;
    private boolean isLast;
    private boolean hasSum;

    public ZstdInput(InputStream in) {
        this.in = in;
    }

    static IOException damaged(String what) {
        return new IOException("damaged zstd data: " + what);
    }

    @Override
    public int read() throws IOException {
        return isAtEnd() ? -1 : out[next++] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int most) throws IOException {
        if (most == 0) {
            return 0;
        }
        if (isAtEnd()) {
            return -1;
        }
        int count = Math.min(most, end - next);
        System.arraycopy(out, next, target, from, count);
        next += count;
        return count;
    }

    private boolean isAtEnd() throws IOException {
        while (next == end) {
            if (!isInFrame && !beginFrame()) {
                return true;
            }
            readBlock();
        }
        return false;
    }

    /** Reads the header of the next frame; false where there is none. */
    private boolean beginFrame() throws IOException {
        int first = in.read();
        if (first < 0) {
            return false;
        }
        int magic = first | (int) number(3) << 8;
        if ((magic & ~15) == SKIPPABLE) {
            in.skipNBytes(number(4));
            return beginFrame();
        }
        if (magic != MAGIC) {
            throw damaged("no frame where one should begin");
        }
        int descriptor = (int) number(1);
        boolean isSingle = (descriptor & 32) != 0;
        hasSum = (descriptor & 4) != 0;
        long size = isSingle ? 0 : window((int) number(1));
        if (number(new int[] {0, 1, 2, 4}[descriptor & 3]) != 0) {
            throw damaged("a dictionary is needed");
        }
        int sizeBytes = new int[] {isSingle ? 1 : 0, 2, 4, 8}[descriptor >> 6];
        long content = number(sizeBytes) + (sizeBytes == 2 ? 256 : 0);
        size = isSingle ? content : size;
        if (size < 0 || size > MAX_WINDOW) {
            throw damaged("a window of " + size + " bytes");
        }
        window = (int) size;
        decoder = new BlockDecoder();
        next = 0;
        end = 0;
        isInFrame = true;
        return true;
    }

    private static long window(int descriptor) {
        long base = 1L << (10 + (descriptor >> 3));
        return base + base / 8 * (descriptor & 7);
    }

    private void readBlock() throws IOException {
        int header = (int) number(3);
        isLast = (header & 1) != 0;
        int type = header >> 1 & 3;
        int size = header >> 3;
        if (type == 3 || size > MAX_BLOCK) {
            throw damaged("a block of " + size + " bytes");
        }
        makeRoom();
        switch (type) {
            case 0 -> {
                readFully(out, end, size);
                end += size;
            }
            case 1 -> {
                Arrays.fill(out, end, end + size, (byte) number(1));
                end += size;
            }
            default -> {
                byte[] block = new byte[size];
                readFully(block, 0, size);
                end = decoder.decode(block, out, end);
            }
        }
        if (isLast) {
            isInFrame = false;
            number(hasSum ? 4 : 0);
        }
    }

    /** Room for a block behind the window. */
    private void makeRoom() {
        if (out.length - end >= MAX_BLOCK) {
            return;
        }
        int kept = Math.min(window, end);
        int length = kept + MAX_BLOCK <= out.length / 2 ? out.length : 2 * (kept + MAX_BLOCK);
        byte[] moved = length == out.length ? out : new byte[length];
        System.arraycopy(out, end - kept, moved, 0, kept);
        out = moved;
        next = kept;
        end = kept;
    }

    private long number(int bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            int read = in.read();
            if (read < 0) {
                throw new EOFException("truncated zstd data");
            }
            value |= (long) read << (i * Byte.SIZE);
        }
        return value;
    }

    private void readFully(byte[] target, int at, int length) throws IOException {
        if (in.readNBytes(target, at, length) < length) {
            throw new EOFException("truncated zstd data");
        }
    }
}
