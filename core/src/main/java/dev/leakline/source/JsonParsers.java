package dev.leakline.source;

import dev.leakline.source.ReadException.Code;
import java.io.IOException;
import java.io.InputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/** Parsers of JSON that anybody may have written, and what their failures mean. */
public final class JsonParsers {
    private JsonParsers() {}

    /** A parser that takes no more than the limits allow; it reads the first bytes at once, to learn their encoding. */
    public static JsonParser open(InputStream in, ReadLimits limits, int nesting) throws IOException {
        StreamReadConstraints constraints = StreamReadConstraints.builder()
                .maxNestingDepth(nesting)
                .maxStringLength(limits.stringBytes())
                .maxNameLength(limits.stringBytes())
                .build();
        try {
            return JsonFactory.builder()
                    .streamReadConstraints(constraints)
                    .build()
                    .createParser(ObjectReadContext.empty(), in);
        } catch (JacksonException e) {
            throw explain(e, 0);
        }
    }

    /** A failure of the parser as one that says what it means for the input. */
    public static IOException explain(JacksonException failure, long offset) {
        if (failure.getCause() instanceof IOException io) {
            return ReadException.explain(io, offset);
        }
        return switch (failure) {
            case UnexpectedEndOfInputException _ -> cut(offset);
            case StreamConstraintsException _ ->
                new ReadException(Code.LIMIT, offset, failure.getOriginalMessage() + ", at byte " + offset);
            default ->
                new ReadException(
                        Code.DAMAGED, offset, "invalid JSON at byte " + offset + ": " + failure.getOriginalMessage());
        };
    }

    public static ReadException cut(long offset) {
        return new ReadException(Code.TRUNCATED, offset, "truncated after byte " + offset);
    }
}
