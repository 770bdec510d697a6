package dev.leakline.read.figures;

import com.carrotsearch.hppc.DoubleArrayList;
import dev.leakline.source.JsonParsers;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads JSON of any shape as rows, one at a time: an item of a list is a row, and so is an object that stands alone; objects within it are
 * part of it by dotted names. Of an object of lists of numbers that are equally long, each place is a row. So profiles, telemetry, counters
 * and logs are all read alike, and none of them is in memory as a whole.
 *
 * <p>An object that has lists of rows says of itself what they say in detail, so it is none.
 */
final class JsonRows {
    /** Values of one row; {@code memory_stats()} has 120. */
    private static final int MOST_VALUES = 4096;
    /** Numbers of the lists of one object: 32 MiB. */
    private static final int MOST_NUMBERS = 4 << 20;
    /** Characters that are kept of a name or of a text; longer ones are messages. */
    private static final int MOST_TEXT = 500;

    private final JsonParser parser;
    private final RowReader reader;
    private final Utterance speech;

    JsonRows(JsonParser parser, RowReader reader, Utterance speech) {
        this.parser = parser;
        this.reader = reader;
        this.speech = speech;
    }

    /** Reads the value that begins with the parser's current token. */
    void read() throws IOException {
        switch (parser.currentToken()) {
            case START_OBJECT -> row();
            case START_ARRAY -> list(null, "");
            default -> {}
        }
    }

    private void row() throws IOException {
        Draft row = new Draft();
        object(row, "");
        row.finish();
    }

    private void object(Draft row, String prefix) throws IOException {
        while (next() == JsonToken.PROPERTY_NAME) {
            String name = cut(prefix + parser.currentName());
            switch (next()) {
                case START_OBJECT -> object(row, cut(name + '.'));
                case START_ARRAY -> list(row, name);
                default -> row.put(name, plain());
            }
        }
    }

    /** A list: of rows, or of numbers that are a property of {@code row}, or of neither. */
    private void list(@Nullable Draft row, String name) throws IOException {
        DoubleArrayList numbers = new DoubleArrayList();
        for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
            switch (token) {
                case START_OBJECT -> {
                    row();
                    if (row != null) {
                        row.hasRows = true;
                    }
                }
                case START_ARRAY -> list(null, "");
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                    if (row != null) {
                        row.count();
                        numbers.add(parser.getDoubleValue());
                    }
                }
                default -> {}
            }
        }
        if (row != null && !numbers.isEmpty()) {
            row.lists.put(name, numbers);
        }
    }

    private JsonToken next() throws IOException {
        JsonToken token = parser.nextToken();
        if (token == null) {
            throw JsonParsers.cut(offset());
        }
        return token;
    }

    private @Nullable Object plain() {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> cut(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private Object number() {
        return parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER
                ? (Object) parser.getLongValue()
                : (Object) parser.getDoubleValue();
    }

    private static String cut(String text) {
        return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT);
    }

    private long offset() {
        return Math.max(parser.currentLocation().getByteOffset(), 0);
    }

    /** An object on the way to being a row. */
    private final class Draft {
        private final Map<String, Object> values = new LinkedHashMap<>();
        private final Map<String, DoubleArrayList> lists = new LinkedHashMap<>();
        private int numbers;
        private boolean hasRows;

        void put(String name, @Nullable Object value) throws ReadException {
            if (value == null) {
                return;
            }
            values.put(name, value);
            if (values.size() > MOST_VALUES) {
                throw new ReadException(
                        Code.LIMIT, offset(), "an object of more than " + MOST_VALUES + " values, at byte " + offset());
            }
        }

        void count() throws ReadException {
            numbers++;
            if (numbers > MOST_NUMBERS) {
                throw new ReadException(
                        Code.LIMIT, offset(), "lists of more than " + MOST_NUMBERS + " numbers, at byte " + offset());
            }
        }

        void finish() {
            if (!lists.isEmpty()) {
                readPlaces();
            }
            if (!hasRows && !values.isEmpty()) {
                reader.read(values, speech);
            }
        }

        private void readPlaces() {
            int length = lists.values().iterator().next().size();
            lists.values().removeIf(list -> list.size() != length);
            Map<String, Object> place = new LinkedHashMap<>();
            for (int i = 0; i < length; i++) {
                for (Map.Entry<String, DoubleArrayList> list : lists.entrySet()) {
                    place.put(list.getKey(), list.getValue().get(i));
                }
                reader.read(place, speech);
            }
        }
    }
}
