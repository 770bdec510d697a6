package dev.leakline.source;

import com.github.luben.zstd.ZstdIOException;
import java.io.EOFException;
import java.io.IOException;
import java.util.zip.ZipException;

/** Thrown for an input that cannot be read: the message says what was expected, what was found, where, and what to do. */
public final class ReadException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Reasons why an input cannot be read. */
    public enum Code {
        /** There is nothing in it. */
        EMPTY,
        /** It cannot be opened: not there, a directory, no permission, a broken device. */
        UNREADABLE,
        /** It is something else than a memory snapshot. */
        NOT_A_SNAPSHOT,
        /** It asks to import or to call something; nothing was run. */
        FORBIDDEN,
        /** It ends too early. */
        TRUNCATED,
        /** It contradicts its own format. */
        DAMAGED,
        /** It claims more than a {@link ReadLimits limit} allows. */
        LIMIT
    }

    private final Code code;
    private final long offset;

    public ReadException(Code code, long offset, String message) {
        super(message);
        this.code = code;
        this.offset = offset;
    }

    /** That an input is something else than all that is understood; {@code what} says what it is. */
    public static ReadException notASnapshot(String what) {
        return new ReadException(
                Code.NOT_A_SNAPSHOT,
                0,
                "not a memory snapshot: " + what
                        + ". Expected a file written by torch.cuda.memory._dump_snapshot(): a pickle, plain, gzip or"
                        + " zstd, or the same as JSON");
    }

    /** A failure of the stream below as one that says what it means for the input. */
    public static ReadException explain(IOException failure, long offset) {
        return switch (failure) {
            case ReadException known -> known;
            case EOFException _ ->
                new ReadException(
                        Code.TRUNCATED,
                        offset,
                        "its compressed data is truncated after " + offset + " bytes of content");
            case ZipException _ -> damaged(failure, offset);
            case ZstdIOException _ -> damaged(failure, offset);
            default ->
                new ReadException(
                        Code.UNREADABLE, offset, "read error at byte " + offset + ": " + failure.getMessage());
        };
    }

    private static ReadException damaged(IOException failure, long offset) {
        boolean isCut = String.valueOf(failure.getMessage()).contains("Truncated");
        return new ReadException(
                isCut ? Code.TRUNCATED : Code.DAMAGED,
                offset,
                "its compressed data is damaged after " + offset + " bytes of content: " + failure.getMessage());
    }

    /** Why. */
    public Code code() {
        return code;
    }

    /** The byte, counted from 0 after decompression, at which reading stopped; -1 where no byte is known. */
    public long offset() {
        return offset;
    }
}
