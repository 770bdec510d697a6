package dev.leakline.read.figures;

import com.carrotsearch.hppc.DoubleArrayList;
import dev.leakline.source.JsonParsers;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads what torch.profiler's {@code export_memory_timeline} writes: {@code [times, [sizes of all categories, ...]]}, or its raw form, a list of
 * {@code [time, action, bytes, category]}. Both begin alike, with a list of numbers; the second item tells them apart.
 */
final class TimelineRows {
    /** Moments: 128 MiB of them. */
    private static final int MOST_TIMES = 16 << 20;
    /** Numbers of an item; torch 2.14 writes nine. */
    private static final int MOST_SIZES = 64;

    private static final int RAW_SIZE = 4;

    private final JsonParser parser;
    private final TimelineSeries timeline;

    TimelineRows(JsonParser parser, TimelineSeries timeline) {
        this.parser = parser;
        this.timeline = timeline;
    }

    /** Reads the rest of the list whose first item, a list, begins with the parser's current token. */
    void read() throws IOException {
        DoubleArrayList times = numbers(MOST_TIMES);
        if (next() != JsonToken.START_ARRAY) {
            return;
        }
        if (next() == JsonToken.START_ARRAY) {
            sizes(times);
        } else if (times.size() == RAW_SIZE) {
            raw(times);
        }
    }

    /** The sizes at each moment; the parser stands at the beginning of the first. */
    private void sizes(DoubleArrayList times) throws IOException {
        for (int moment = 0; parser.currentToken() == JsonToken.START_ARRAY; moment++) {
            DoubleArrayList sizes = numbers(MOST_SIZES);
            if (moment < times.size()) {
                timeline.level(times.get(moment), sizes);
            }
            next();
        }
    }

    /** One change after the other; the parser stands at the first number of the second. */
    private void raw(DoubleArrayList first) throws IOException {
        timeline.change(first);
        DoubleArrayList second = rest(MOST_SIZES);
        while (second.size() == RAW_SIZE) {
            timeline.change(second);
            second = next() == JsonToken.START_ARRAY ? numbers(MOST_SIZES) : new DoubleArrayList();
        }
    }

    private DoubleArrayList numbers(int most) throws IOException {
        next();
        return rest(most);
    }

    /** The numbers from the parser's current token up to the end of their list. */
    private DoubleArrayList rest(int most) throws IOException {
        DoubleArrayList numbers = new DoubleArrayList();
        for (JsonToken token = parser.currentToken(); token != JsonToken.END_ARRAY; token = next()) {
            if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
                throw wrong(Code.DAMAGED, "a memory timeline has lists of numbers; something else stands");
            }
            if (numbers.size() == most) {
                throw wrong(Code.LIMIT, "a list of more than " + most + " numbers");
            }
            numbers.add(parser.getDoubleValue());
        }
        return numbers;
    }

    private JsonToken next() throws IOException {
        @Nullable JsonToken token = parser.nextToken();
        if (token == null) {
            throw JsonParsers.cut(offset());
        }
        return token;
    }

    private ReadException wrong(Code code, String what) {
        return new ReadException(code, offset(), what + ", before byte " + offset());
    }

    private long offset() {
        return Math.max(parser.currentLocation().getByteOffset(), 0);
    }
}
