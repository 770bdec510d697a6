package dev.leakline.source;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that counts the bytes read from it; a subclass may fail when they are too many. */
class CountedInput extends FilterInputStream {
    private long bytes;

    CountedInput(InputStream stream) {
        super(stream);
    }

    /** Is told after each reading how many bytes were read so far; what it throws is thrown to the reader. */
    void counted(long bytes) throws ReadException {}

    final long bytes() {
        return bytes;
    }

    @Override
    public final int read() throws IOException {
        int next = super.read();
        count(next < 0 ? 0 : 1);
        return next;
    }

    @Override
    public final int read(byte[] into, int offset, int length) throws IOException {
        int count = super.read(into, offset, length);
        count(Math.max(count, 0));
        return count;
    }

    private void count(int more) throws ReadException {
        bytes += more;
        counted(bytes);
    }
}
