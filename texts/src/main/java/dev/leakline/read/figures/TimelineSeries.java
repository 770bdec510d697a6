package dev.leakline.read.figures;

import com.carrotsearch.hppc.DoubleArrayList;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.read.figures.Whereabouts.Place;
import dev.leakline.source.JsonParsers;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The memory of a profiled program, category by category, as torch.profiler's memory timeline has it: a series for each that ever holds memory,
 * and one, without a name, for all together.
 */
public final class TimelineSeries {
    /** In the order of {@code _CATEGORY_TO_INDEX} in torch/profiler/_memory_profiler.py of torch 2.0 to 2.14. */
    private static final List<String> CATEGORIES = List.of(
            "parameter",
            "optimizer_state",
            "input",
            "temporary",
            "activation",
            "gradient",
            "autograd_detail",
            "unknown");

    /** Kineto of torch 2.2 and later writes Unix times; microseconds from here on are some of after 2001. */
    private static final double LEAST_UNIX = 1e15;

    private final SeriesBook book;
    private final double[] levels = new double[CATEGORIES.size()];
    /** Categories that have held memory, from 1 on; 0 is all together. */
    private final BitSet held = new BitSet();

    /** A timeline that goes into a book. */
    public TimelineSeries(SeriesBook book) {
        this.book = book;
    }

    /** All sizes at a moment in microseconds, behind a zero that plots stack them on. */
    public void level(double micros, DoubleArrayList sizes) {
        Place place = place(micros);
        double total = 0;
        for (int i = 1; i < sizes.size(); i++) {
            total += sizes.get(i);
            add(place, i - 1, sizes.get(i));
        }
        add(place, -1, total);
    }

    /** A change: a moment in nanoseconds, -1 for what there was before, an action, bytes more, a category. */
    public void change(DoubleArrayList change) {
        int category = (int) change.get(3);
        if (category < 0 || category >= levels.length) {
            return;
        }
        levels[category] += change.get(2);
        if (change.get(0) >= 0) {
            Place place = place(change.get(0) / 1e3);
            add(place, category, levels[category]);
            add(place, -1, Arrays.stream(levels).sum());
        }
    }

    private static Place place(double micros) {
        return new Place(micros < LEAST_UNIX ? Axis.ELAPSED : Axis.TIME, micros);
    }

    private void add(Place place, int category, double bytes) {
        if (bytes > 0) {
            held.set(category + 1);
        }
        if (!held.get(category + 1)) {
            return;
        }
        String label =
                category < 0 ? "" : category < CATEGORIES.size() ? CATEGORIES.get(category) : "category " + category;
        book.add(new Subject(Source.TIMELINE, Quantity.ALLOCATED, place.axis(), -1, -1, label), place, bytes, 1);
    }

    /**
     * Reads what torch.profiler's {@code export_memory_timeline} writes: {@code [times, [sizes of all categories, ...]]}, or its raw form, a list of
     * {@code [time, action, bytes, category]}. Both begin alike, with a list of numbers; the second item tells them apart.
     */
    static final class TimelineRows {
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
                    throw wrong(Code.DAMAGED, "expected lists of numbers in a memory timeline");
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
}
