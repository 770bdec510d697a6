package dev.leakline.codec;

import dev.leakline.source.JsonParsers;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.text.Printable;
import io.avaje.json.JsonReader;
import io.avaje.json.PropertyNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads records from JSON that anybody may have written: every length is bounded, properties that no record knows are passed over, and what is
 * of the wrong kind is a {@link ReadException} that names its place, within an {@link UncheckedIOException}. Null is a number that is none.
 */
final class JsonIn implements JsonReader {
    /** Characters of a text that an error shows. */
    private static final int SHOWN = 60;

    private static final Names NO_NAMES = new Names();

    private final ReadLimits limits;
    private final String schema;
    private final JsonParser parser;
    /** Names of files and functions come again and again; each is kept once. */
    private final Map<String, String> texts = new HashMap<>();

    private final Deque<Names> names = new ArrayDeque<>();
    private int items;

    /** Reads records of {@code schema}, of which none may say that it is of another. */
    JsonIn(InputStream in, ReadLimits limits, String schema) throws IOException {
        this.limits = limits;
        this.schema = schema;
        this.parser = JsonParsers.open(in, limits, limits.reportNesting());
    }

    /** Comes to the first token. */
    void begin() {
        parser.nextToken();
    }

    /** The byte that was come to. */
    long offset() {
        return Math.max(parser.currentLocation().getByteOffset(), 0);
    }

    @Override
    public void beginObject(PropertyNames properties) {
        expect(JsonToken.START_OBJECT, "an object");
        names.push((Names) properties);
        count();
    }

    @Override
    public void beginObject() {
        beginObject(NO_NAMES);
    }

    @Override
    public boolean hasNextField() {
        return next() == JsonToken.PROPERTY_NAME;
    }

    @Override
    public String nextField() {
        String name = parser.currentName();
        next();
        return pooled(names.element().component(name));
    }

    @Override
    public void endObject() {
        expect(JsonToken.END_OBJECT, "the end of an object");
        names.pop();
    }

    @Override
    public void beginArray() {
        expect(JsonToken.START_ARRAY, "a list");
    }

    @Override
    public boolean hasNextElement() {
        boolean isThere = next() != JsonToken.END_ARRAY;
        if (isThere) {
            count();
        }
        return isThere;
    }

    @Override
    public void endArray() {
        expect(JsonToken.END_ARRAY, "the end of a list");
    }

    @Override
    public boolean isNullValue() {
        return token() == JsonToken.VALUE_NULL;
    }

    @Override
    public boolean readBoolean() {
        if (token() != JsonToken.VALUE_TRUE && token() != JsonToken.VALUE_FALSE) {
            throw wrong("true or false");
        }
        return parser.getBooleanValue();
    }

    @Override
    public int readInt() {
        long number = readLong();
        if (number < Integer.MIN_VALUE || number > Integer.MAX_VALUE) {
            throw wrong("a number of at most 32 bits");
        }
        return (int) number;
    }

    @Override
    public long readLong() {
        if (token() != JsonToken.VALUE_NUMBER_INT || parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            throw wrong("a whole number");
        }
        return parser.getLongValue();
    }

    @Override
    public double readDouble() {
        return switch (token()) {
            case VALUE_NULL -> Double.NaN;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            default -> throw wrong("a number");
        };
    }

    @Override
    public @Nullable String readString() {
        if (isNullValue()) {
            return null;
        }
        expect(JsonToken.VALUE_STRING, "a text");
        String text = parser.getString();
        if (names.element().isOf("schema") && "schema".equals(parser.currentName()) && !text.equals(schema)) {
            throw wrong("'" + schema + "'");
        }
        return pooled(text);
    }

    /** A text, a number or a truth; null for null. */
    @Nullable
    Object readPlain() {
        return switch (token()) {
            case VALUE_STRING -> readString();
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? (Object) parser.getDoubleValue()
                        : (Object) parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    @Override
    public void unmappedField(String name) {
        // a later version's; skipValue() follows
    }

    @Override
    public void skipValue() {
        parser.skipChildren();
    }

    @Override
    public String location() {
        return String.valueOf(parser.streamReadContext().pathAsPointer());
    }

    @Override
    public Token currentToken() {
        return switch (token()) {
            case START_OBJECT -> Token.BEGIN_OBJECT;
            case START_ARRAY -> Token.BEGIN_ARRAY;
            case VALUE_STRING -> Token.STRING;
            case VALUE_TRUE, VALUE_FALSE -> Token.BOOLEAN;
            case VALUE_NULL -> Token.NULL;
            default -> Token.NUMBER;
        };
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return type.cast(this);
    }

    @Override
    public void close() {
        parser.close();
    }

    private JsonToken next() {
        parser.nextToken();
        return token();
    }

    private JsonToken token() {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new UncheckedIOException(JsonParsers.cut(offset()));
        }
        return token;
    }

    private void expect(JsonToken token, String expected) {
        if (token() != token) {
            throw wrong(expected);
        }
    }

    private void count() {
        items++;
        if (items > limits.reportItems()) {
            throw new UncheckedIOException(new ReadException(
                    Code.LIMIT, offset(), "more than " + limits.reportItems() + " items, at byte " + offset()));
        }
    }

    private String pooled(String text) {
        String known = texts.putIfAbsent(text, text);
        return known == null ? text : known;
    }

    /** An error about the value that was come to. */
    UncheckedIOException wrong(String expected) {
        return new UncheckedIOException(wrong(location(), expected, found(), offset()));
    }

    /** An error that says what was expected, what was found, and where. */
    static ReadException wrong(String place, String expected, String found, long offset) {
        return new ReadException(
                Code.DAMAGED,
                offset,
                "at " + (place.isEmpty() ? "its beginning" : place) + ": expected " + expected + ", found " + found
                        + ", before byte " + offset);
    }

    private String found() {
        return switch (token()) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case VALUE_NULL -> "null";
            case VALUE_STRING -> "'" + Printable.of(parser.getString(), SHOWN) + "'";
            default -> Printable.of(parser.getString(), SHOWN);
        };
    }

    @Override
    public BigDecimal readDecimal() {
        throw unused();
    }

    @Override
    public BigInteger readBigInteger() {
        throw unused();
    }

    @Override
    public byte[] readBinary() {
        throw unused();
    }

    @Override
    public String readRaw() {
        throw unused();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("no record holds this");
    }
}
