package dev.leakline.report.html;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Where a page is written: counts its bytes, and lets whoever owns the stream close it. */
final class PageOutput extends FilterOutputStream {
    private long count;

    PageOutput(OutputStream out) {
        super(out);
    }

    /** Bytes that were written. */
    long count() {
        return count;
    }

    @Override
    public void write(int value) throws IOException {
        out.write(value);
        count++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        count += length;
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
