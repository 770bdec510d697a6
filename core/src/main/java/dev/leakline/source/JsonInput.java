package dev.leakline.source;

import dev.leakline.source.ReadException.Code;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** JSON that is read value by value; what is not asked for is passed over without being kept. */
public final class JsonInput {
    /** Reads the value that begins with the parser's current token, and leaves the parser at its last one. */
    public interface Part<T> {
        @Nullable
        T read(JsonInput json) throws IOException;
    }

    private final ReadLimits limits;
    private final JsonParser parser;
    /** Names of files and functions come again and again; each is kept once. */
    private final Map<String, String> texts = new HashMap<>();

    private int items;

    public JsonInput(InputStream in, ReadLimits limits) throws IOException {
        this.limits = limits;
        this.parser = JsonParsers.open(in, limits, limits.reportNesting());
    }

    /** Reads the one value that the input is. */
    public <T> @Nullable T read(Part<T> part) throws IOException {
        try {
            parser.nextToken();
            return part.read(this);
        } catch (JacksonException e) {
            throw JsonParsers.explain(e, offset());
        }
    }

    /** An object: its properties that are plain values, and those that {@code parts} knows how to read. */
    public Map<String, Object> object(Map<String, Part<?>> parts) throws IOException {
        expect(JsonToken.START_OBJECT, "an object");
        Map<String, Object> properties = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            Object value = parts.getOrDefault(name, JsonInput::plain).read(this);
            if (value != null) {
                properties.put(name, value);
            }
            if (properties.size() > limits.settings()) {
                throw new ReadException(
                        Code.LIMIT,
                        offset(),
                        "an object of more than " + limits.settings() + " properties, at byte " + offset());
            }
        }
        return properties;
    }

    /** A list of things of one kind. */
    public <T> List<T> list(Part<T> part) throws IOException {
        expect(JsonToken.START_ARRAY, "a list");
        List<T> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            count();
            T item = part.read(this);
            if (item == null) {
                throw wrong("", "something", "null");
            }
            list.add(item);
        }
        return list;
    }

    public String text() throws IOException {
        expect(JsonToken.VALUE_STRING, "a text");
        return pooled(parser.getString());
    }

    /** A whole number of at most 64 bits. */
    public long number() throws IOException {
        Object number = plain();
        if (number instanceof Long whole) {
            return whole;
        }
        throw wrong("", "a whole number", JsonObject.describe(number));
    }

    /** A value of any kind, as settings and metrics have: maps, lists, texts, numbers, truths. */
    @Nullable
    public Object any() throws IOException {
        if (token() == JsonToken.START_ARRAY) {
            return list(JsonInput::any);
        }
        if (token() != JsonToken.START_OBJECT) {
            return plain();
        }
        Map<String, Object> map = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            count();
            String name = parser.currentName();
            parser.nextToken();
            Object value = any();
            if (value != null) {
                map.put(name, value);
            }
        }
        return map;
    }

    /** A plain value; an empty list or map stands for one of any content. */
    private @Nullable Object plain() throws IOException {
        return switch (token()) {
            case VALUE_STRING -> pooled(parser.getString());
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? (Object) parser.getDoubleValue()
                        : (Object) parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case START_ARRAY -> skipped(List.of());
            case START_OBJECT -> skipped(Map.of());
            default -> null;
        };
    }

    private Object skipped(Object sign) {
        parser.skipChildren();
        return sign;
    }

    public boolean isNull() throws IOException {
        return token() == JsonToken.VALUE_NULL;
    }

    private JsonToken token() throws IOException {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw JsonParsers.cut(offset());
        }
        return token;
    }

    private void expect(JsonToken token, String expected) throws IOException {
        if (token() != token) {
            throw wrong("", expected, found());
        }
    }

    private String found() throws IOException {
        return switch (token()) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            default -> JsonObject.describe(plain());
        };
    }

    private String pooled(String text) {
        String known = texts.putIfAbsent(text, text);
        return known == null ? text : known;
    }

    private void count() throws ReadException {
        items++;
        if (items > limits.reportItems()) {
            throw new ReadException(
                    Code.LIMIT, offset(), "more than " + limits.reportItems() + " items of lists, at byte " + offset());
        }
    }

    /** The byte that the parser has come to. */
    long offset() {
        return Math.max(parser.currentLocation().getByteOffset(), 0);
    }

    /** An error that says what was expected, what was found, and where; {@code name} is that of a property, or empty. */
    public ReadException wrong(String name, String expected, String found) {
        String place = parser.streamReadContext().pathAsPointer() + (name.isEmpty() ? "" : "/" + name);
        return new ReadException(
                Code.DAMAGED,
                offset(),
                "at " + (place.isEmpty() ? "its beginning" : place) + " " + expected + " is expected, found " + found
                        + ", before byte " + offset());
    }
}
