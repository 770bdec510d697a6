package dev.leakline.source;

import dev.leakline.source.ReadException.Code;
import dev.leakline.text.ByteSize;
import java.io.InputStream;
import java.util.function.Function;

/** A stream that fails where it becomes longer than a limit. */
public final class LimitedInput extends CountedInput {
    /** Says of a file of no known format that the rest of it was not searched for messages; what was found before counts. */
    static final Function<Long, ReadException> UNSEARCHED = limit -> new ReadException(
            Code.TRUNCATED,
            limit,
            "it is no text, and only its first " + ByteSize.format(limit) + " were searched for messages");

    private final long limit;
    private final Function<Long, ReadException> failure;

    /** A stream that unfolds to more than it may. */
    public LimitedInput(InputStream stream, long limit) {
        this(
                stream,
                limit,
                most -> new ReadException(Code.LIMIT, most, "it decompresses to more than " + most + " bytes"));
    }

    LimitedInput(InputStream stream, long limit, Function<Long, ReadException> failure) {
        super(stream);
        this.limit = limit;
        this.failure = failure;
    }

    @Override
    void counted(long bytes) throws ReadException {
        if (bytes > limit) {
            throw failure.apply(limit);
        }
    }
}
