package dev.leakline.source;

import dev.leakline.source.ReadException.Code;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that refuses to become longer than a limit: a small compressed file may unfold to anything. */
public final class LimitedInput extends FilterInputStream {
    private final long limit;
    private long read;

    public LimitedInput(InputStream stream, long limit) {
        super(stream);
        this.limit = limit;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        count(next < 0 ? 0 : 1);
        return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = super.read(bytes, offset, length);
        count(Math.max(count, 0));
        return count;
    }

    private void count(int more) throws ReadException {
        read += more;
        if (read > limit) {
            throw new ReadException(Code.LIMIT, read, "it decompresses to more than " + limit + " bytes");
        }
    }
}
