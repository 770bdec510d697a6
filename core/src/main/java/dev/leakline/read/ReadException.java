package dev.leakline.read;

import java.io.IOException;

/** An input that cannot be read as what it should be; the message says what was expected, what was found, where, what to do. */
public final class ReadException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Why an input cannot be read. */
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

    ReadException(Code code, long offset, String message) {
        super(message);
        this.code = code;
        this.offset = offset;
    }

    /** Why. */
    public Code code() {
        return code;
    }

    /** The byte, counted from 0 after decompression, at which reading stopped; -1 where no byte is to blame. */
    public long offset() {
        return offset;
    }
}
