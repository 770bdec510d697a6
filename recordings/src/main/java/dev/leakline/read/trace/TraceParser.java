package dev.leakline.read.trace;

import dev.leakline.columns.SnapshotColumns;
import dev.leakline.read.trace.TraceEvent.Category;
import dev.leakline.source.JsonParsers;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.TorchVersion;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Goes through the JSON of a trace: an object that has the events and says a few things about the machine, or the bare list of events.
 * Of each event only what {@link TraceEvent} has room for is looked at, and of most, once their category is known, nothing more.
 */
final class TraceParser {
    private static final long NANOS_PER_MICRO = 1000;
    /** Beyond that many microseconds before or after 1970, in nanoseconds and with room for sums, nothing is a time. */
    private static final double FURTHEST = 1e15 * 2;
    /** How often progress is told: every so many events. */
    private static final int OFTEN = 1 << 14;

    private final JsonParser parser;
    private final TraceCollector collector;
    private final SnapshotColumns columns;
    private final LongConsumer progress;
    private final TraceEvent event = new TraceEvent();
    private int events;
    private long baseNanos;

    TraceParser(
            InputStream in, TraceCollector collector, SnapshotColumns columns, ReadLimits limits, LongConsumer progress)
            throws IOException {
        this.parser = JsonParsers.open(in, limits, limits.nesting());
        this.collector = collector;
        this.columns = columns;
        this.progress = progress;
    }

    /** Reads the trace to its end. */
    void run() throws IOException {
        try {
            parser.nextToken();
            if (parser.currentToken() == JsonToken.START_ARRAY) {
                events();
            } else {
                trace();
            }
        } catch (JacksonException e) {
            throw JsonParsers.explain(e, offset());
        } catch (ReadException e) {
            throw e.offset() >= 0 ? e : new ReadException(e.code(), offset(), e.getMessage() + ", at byte " + offset());
        }
    }

    /** The byte that the parser has come to. */
    long offset() {
        return Math.max(parser.currentLocation().getByteOffset(), 0);
    }

    /** The moment that the times of events count from, in nanoseconds since 1970. */
    long baseNanos() {
        return baseNanos;
    }

    private void trace() throws IOException {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (name) {
                case "traceEvents" -> events();
                case "deviceProperties" -> devices();
                case TorchVersion.BASE_TIME -> {
                    columns.topKeys.add(name);
                    baseNanos = TraceEvent.orZero(integer(value));
                }
                default -> parser.skipChildren();
            }
        }
        if (parser.currentToken() == null) {
            throw JsonParsers.cut(offset());
        }
    }

    private void devices() throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() == JsonToken.START_OBJECT) {
            device();
        }
    }

    private void device() throws IOException {
        long id = TraceEvent.NONE;
        long bytes = TraceEvent.NONE;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (name) {
                case "id" -> id = integer(value);
                case "totalGlobalMem" -> bytes = integer(value);
                default -> parser.skipChildren();
            }
        }
        collector.device(id, bytes);
    }

    private void events() throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw new ReadException(Code.DAMAGED, offset(), "traceEvents is not a list, at byte " + offset());
        }
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token == null) {
                throw JsonParsers.cut(offset());
            }
            if (token == JsonToken.START_OBJECT) {
                event();
            } else {
                parser.skipChildren();
            }
            events++;
            if (events % OFTEN == 0) {
                progress.accept(offset());
            }
        }
    }

    private void event() throws IOException {
        event.clear();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            property(parser.currentName(), parser.nextToken());
        }
        if (parser.currentToken() == null) {
            throw JsonParsers.cut(offset());
        }
        collector.take(event);
    }

    private void property(String name, @Nullable JsonToken value) {
        boolean isWanted = event.category != Category.OTHER;
        switch (name) {
            case "ph" -> event.phase = text(value);
            case "cat" -> event.category = Category.of(text(value));
            case "name" -> event.name = isWanted ? text(value) : "";
            case "ts" -> event.time = isWanted ? nanos(value) : TraceEvent.NONE;
            case "dur" -> event.duration = isWanted ? nanos(value) : TraceEvent.NONE;
            case "pid" -> event.process = isWanted ? identifier(value) : TraceEvent.NONE;
            case "tid" -> event.thread = isWanted ? identifier(value) : TraceEvent.NONE;
            case "args" -> arguments(isWanted, value);
            default -> parser.skipChildren();
        }
    }

    private void arguments(boolean isWanted, @Nullable JsonToken value) {
        if (!isWanted || value != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            argument(parser.currentName(), parser.nextToken());
        }
    }

    private void argument(String name, @Nullable JsonToken value) {
        switch (name) {
            case "Bytes" -> event.bytes = integer(value);
            case "Addr" -> event.address = integer(value);
            case "Total Allocated" -> event.allocated = integer(value);
            case "Total Reserved" -> event.reserved = integer(value);
            case "Device Type" -> event.deviceType = integer(value);
            case "Device Id" -> event.device = integer(value);
            case "Sequence number" -> event.sequence = integer(value);
            case "Fwd thread id" -> event.forwardThread = integer(value);
            case "Call stack" -> event.callStack = text(value);
            default -> parser.skipChildren();
        }
    }

    private String text(@Nullable JsonToken value) {
        if (value == JsonToken.VALUE_STRING) {
            return parser.getString();
        }
        parser.skipChildren();
        return "";
    }

    /** A whole number; addresses may take all 64 bits. */
    private long integer(@Nullable JsonToken value) {
        if (value != JsonToken.VALUE_NUMBER_INT) {
            parser.skipChildren();
            return TraceEvent.NONE;
        }
        boolean isBig = parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER;
        return isBig ? parser.getBigIntegerValue().longValue() : parser.getLongValue();
    }

    /** Microseconds, whole or with a fraction, as nanoseconds. */
    private long nanos(@Nullable JsonToken value) {
        if (value == JsonToken.VALUE_NUMBER_INT || value == JsonToken.VALUE_NUMBER_FLOAT) {
            double micros = parser.getDoubleValue();
            if (Math.abs(micros) > FURTHEST) {
                return TraceEvent.NONE;
            }
            return value == JsonToken.VALUE_NUMBER_INT
                    ? parser.getLongValue() * NANOS_PER_MICRO
                    : Math.round(micros * NANOS_PER_MICRO);
        }
        parser.skipChildren();
        return TraceEvent.NONE;
    }

    /** The number of a process or thread; old traces write it as text, and streams of a GPU as words, which are no threads. */
    private long identifier(@Nullable JsonToken value) {
        if (value == JsonToken.VALUE_STRING) {
            String text = parser.getString();
            boolean isNumber = !text.isEmpty()
                    && text.length() < 19
                    && text.chars().allMatch(digit -> digit >= '0' && digit <= '9');
            return isNumber ? Long.parseLong(text) : TraceEvent.NONE;
        }
        return integer(value);
    }
}
