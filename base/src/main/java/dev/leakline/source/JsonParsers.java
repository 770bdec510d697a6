package dev.leakline.source;

import dev.leakline.source.ReadException.Code;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.core.util.JsonParserDelegate;

/** Parsers of JSON that anybody may have written, and what their failures mean. */
public final class JsonParsers {
    /** The parser's settings, or the start of a container as the parser describes its own source. */
    private static final Pattern INTERNALS = Pattern.compile(
            "[:,-]?\\s{0,4}(?:from|enable)\\s{1,4}`[^`]{0,200}`(?: to allow)?|\\s{0,4}\\((?:for|start marker)\\b[^\\[]{0,200}\\[Source:.*",
            Pattern.DOTALL);

    private JsonParsers() {}

    /** Python writes NaN and Infinity for what it does not know; null says the same. */
    private static final class UnknownNumbers extends JsonParserDelegate {
        private boolean isUnknown;

        UnknownNumbers(JsonParser parser) {
            super(parser);
        }

        @Override
        public @Nullable JsonToken nextToken() {
            JsonToken token = delegate.nextToken();
            isUnknown = token == JsonToken.VALUE_NUMBER_FLOAT && delegate.isNaN();
            return isUnknown ? JsonToken.VALUE_NULL : token;
        }

        @Override
        public @Nullable JsonToken currentToken() {
            return isUnknown ? JsonToken.VALUE_NULL : delegate.currentToken();
        }

        @Override
        public JsonParser skipChildren() {
            delegate.skipChildren();
            return this;
        }
    }

    /** A parser that takes no more than the limits allow; it reads the first bytes at once, to learn their encoding. */
    public static JsonParser open(InputStream in, ReadLimits limits, int nesting) throws IOException {
        StreamReadConstraints constraints = StreamReadConstraints.builder()
                .maxNestingDepth(nesting)
                .maxStringLength(limits.stringBytes())
                .maxNameLength(limits.stringBytes())
                .build();
        try {
            return new UnknownNumbers(JsonFactory.builder()
                    .streamReadConstraints(constraints)
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .build()
                    .createParser(ObjectReadContext.empty(), in));
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
                new ReadException(Code.LIMIT, offset, reason(failure) + ", at byte " + offset);
            default ->
                new ReadException(Code.DAMAGED, offset, "invalid JSON at byte " + offset + ": " + reason(failure));
        };
    }

    /** The parser's message, without the names of its own parts. */
    private static String reason(JacksonException failure) {
        return INTERNALS.matcher(String.valueOf(failure.getOriginalMessage())).replaceAll("");
    }

    public static ReadException cut(long offset) {
        return new ReadException(Code.TRUNCATED, offset, "truncated after byte " + offset);
    }
}
