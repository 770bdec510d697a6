package dev.leakline.source;

import dev.leakline.source.ReadException.Code;
import dev.leakline.text.ByteSize;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** What a compressed file unfolds to, which may be anything: it is refused where it is far larger than any recording would be. */
final class UnfoldedInput extends FilterInputStream {
    private final FileInput file;
    private final ReadLimits limits;
    private long read;

    UnfoldedInput(InputStream stream, FileInput file, ReadLimits limits) {
        super(stream);
        this.file = file;
        this.limits = limits;
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
        if (read > limits.inflatedBytes()) {
            throw refusal(ByteSize.format(limits.inflatedBytes()));
        }
        if (read > limits.unfoldedFreely() && read / limits.unfolding() > file.read) {
            throw refusal(limits.unfolding() + " times its size");
        }
    }

    private ReadException refusal(String most) {
        return new ReadException(
                Code.LIMIT,
                read,
                "it decompresses to more than " + most + ", which no recording does; if you trust it, "
                        + ReadLimits.UNFOLD + "=1024 lets it unfold to 1024 GiB");
    }

    /** A file, of which it is counted how much was read. */
    static final class FileInput extends FilterInputStream {
        private long read;

        FileInput(InputStream stream) {
            super(stream);
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            read += next < 0 ? 0 : 1;
            return next;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            read += Math.max(count, 0);
            return count;
        }
    }
}
