package dev.leakline.source;

import com.github.luben.zstd.ZstdInputStream;
import dev.leakline.source.ReadException.Code;
import dev.leakline.text.ByteSize;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** A decompressed input, positioned at its beginning; readers advance it. */
public final class Source {
    /** Enough of an input to tell what it is, byte order marks and leading blank lines included. */
    private static final int HEAD = 4096;
    /** As far as anybody may look ahead. */
    private static final int BUFFER = 1 << 16;
    /** A file compressed twice is a mistake that happens; more often than this nobody makes it. */
    private static final int MAX_COMPRESSIONS = 3;

    /** Opens an input, as often as it is to be read. */
    @FunctionalInterface
    public interface Opener {
        InputStream open() throws IOException;
    }

    private final Head head;
    private final String compression;
    private final InputStream stream;

    private Source(Head head, String compression, InputStream stream) {
        this.head = head;
        this.compression = compression;
        this.stream = stream;
    }

    /** Opens a file; errors do not name it, since the caller knows best how to. */
    public static InputStream open(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            String[] files = path.toFile().list();
            boolean isEmpty = files != null && files.length == 0;
            throw new ReadException(
                    Code.UNREADABLE, -1, isEmpty ? "the folder is empty" : "it is a directory; give a file in it");
        }
        try {
            return Files.newInputStream(path);
        } catch (NoSuchFileException e) {
            throw new ReadException(Code.UNREADABLE, -1, "no such file");
        } catch (AccessDeniedException e) {
            throw new ReadException(Code.UNREADABLE, -1, "no permission to read it");
        }
    }

    /** Takes compression away; the stream stays the caller's to close. Fails where there is nothing in it. */
    public static Source of(InputStream raw, ReadLimits limits) throws IOException {
        CountedInput file = new CountedInput(raw);
        InputStream stream = new BufferedInputStream(file, BUFFER);
        String compression = "";
        for (int i = 0; i < MAX_COMPRESSIONS; i++) {
            Head head = head(stream, HEAD);
            if (head.startsWith(0x1f, 0x8b)) {
                compression = "gzip";
                stream = unfolded(new GZIPInputStream(stream, BUFFER), file, limits);
            } else if (head.startsWith(0x28, 0xb5, 0x2f, 0xfd)) {
                compression = "zstd";
                ZstdLibrary.load();
                stream = unfolded(new ZstdInputStream(stream), file, limits);
            } else {
                return new Source(head, compression, stream);
            }
        }
        throw ReadException.notASnapshot("it is compressed more than " + MAX_COMPRESSIONS + " times");
    }

    private static InputStream unfolded(InputStream stream, CountedInput file, ReadLimits limits) {
        return new BufferedInputStream(new UnfoldedInput(stream, file, limits), BUFFER);
    }

    /** The same input, of which no more is read than its first bytes. */
    public Source upTo(long bytes) {
        return new Source(head, compression, new LimitedInput(stream, bytes, LimitedInput.UNSEARCHED));
    }

    private static Head head(InputStream stream, int length) throws IOException {
        stream.mark(length);
        try {
            Head head = new Head(stream.readNBytes(length));
            stream.reset();
            return head;
        } catch (IOException e) {
            throw ReadException.explain(e, 0);
        }
    }

    /** The first 4 KiB. */
    public Head head() {
        return head;
    }

    /** The first 64 KiB; no more than the first 4 KiB where an error of the stream stands between. */
    public Head longHead() throws IOException {
        stream.mark(BUFFER);
        try {
            return new Head(stream.readNBytes(BUFFER));
        } catch (IOException e) {
            return head; // whoever reads on will meet the error again
        } finally {
            stream.reset();
        }
    }

    /** The name of a format with that of the compression, such as {@code JSON, gzip}. */
    public String format(String format) {
        return compression.isEmpty() ? format : format + ", " + compression;
    }

    /** The content, from its beginning on. */
    public InputStream stream() {
        return stream;
    }

    /** The unpacked content of a compressed file, refused where it is far larger than any recording would be. */
    private static final class UnfoldedInput extends CountedInput {
        private final CountedInput file;
        private final ReadLimits limits;

        UnfoldedInput(InputStream stream, CountedInput file, ReadLimits limits) {
            super(stream);
            this.file = file;
            this.limits = limits;
        }

        @Override
        void counted(long bytes) throws ReadException {
            if (bytes > limits.inflatedBytes()) {
                throw refusal(ByteSize.format(limits.inflatedBytes()));
            }
            if (bytes > limits.unfoldedFreely() && bytes / limits.unfolding() > file.bytes()) {
                throw refusal(limits.unfolding() + " times its size");
            }
        }

        private ReadException refusal(String most) {
            return new ReadException(
                    Code.LIMIT,
                    bytes(),
                    "it decompresses to more than " + most + ", which no recording does; if you trust it, "
                            + ReadLimits.howToTrust(System.getenv(ReadLimits.UNFOLD)));
        }
    }
}
