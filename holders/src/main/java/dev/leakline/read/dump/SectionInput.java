package dev.leakline.read.dump;

import dev.leakline.hash.LittleEndian;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;

/** The bytes of a holder dump, little endian, counted and summed; no more is kept than a few kibibytes. */
final class SectionInput {
    private static final int BUFFER = 1 << 16;

    private final InputStream stream;
    private final CRC32 sum = new CRC32();
    private final byte[] buffer = new byte[BUFFER];
    private int next;
    private int end;
    private int summed;
    private long before;

    SectionInput(InputStream stream) {
        this.stream = stream;
    }

    /** The byte that comes next, counted from 0. */
    long position() {
        return before + next;
    }

    int readInt() throws IOException {
        need(Integer.BYTES);
        int value = LittleEndian.getInt(buffer, next);
        next += Integer.BYTES;
        return value;
    }

    long readLong() throws IOException {
        long low = readInt() & 0xffff_ffffL;
        return low | (long) readInt() << 32;
    }

    /** A count or length that may not be larger than a limit. */
    int readCount(int most, String what) throws IOException {
        long at = position();
        long count = readInt() & 0xffff_ffffL;
        if (count > most) {
            throw new ReadException(
                    Code.LIMIT, at, what + " of " + count + " at byte " + at + ", more than the limit of " + most);
        }
        return (int) count;
    }

    void readFully(byte[] target, int length) throws IOException {
        for (int done = 0; done < length; ) {
            need(1);
            int part = Math.min(length - done, end - next);
            System.arraycopy(buffer, next, target, done, part);
            next += part;
            done += part;
        }
    }

    void skip(long length) throws IOException {
        for (long left = length; left > 0; ) {
            need(1);
            int part = (int) Math.min(left, end - next);
            next += part;
            left -= part;
        }
    }

    /** Begins a new sum. */
    void beginSum() {
        sum.reset();
        summed = next;
    }

    /** The sum over what was read since it began. */
    int sum() {
        sum.update(buffer, summed, next - summed);
        summed = next;
        return (int) sum.getValue();
    }

    private void need(int bytes) throws IOException {
        if (end - next < bytes) {
            fill(bytes);
        }
    }

    private void fill(int bytes) throws IOException {
        sum();
        System.arraycopy(buffer, next, buffer, 0, end - next);
        before += next;
        end -= next;
        next = 0;
        summed = 0;
        while (end < bytes) {
            int count = stream.read(buffer, end, buffer.length - end);
            if (count < 0) {
                next = end;
                throw new EOFException("the file ends");
            }
            end += count;
        }
    }
}
