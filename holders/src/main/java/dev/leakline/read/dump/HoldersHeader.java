package dev.leakline.read.dump;

import dev.leakline.codec.Codec;
import dev.leakline.objects.DumpHeader;
import dev.leakline.result.Frame;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadLimits;
import dev.leakline.text.Printable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the header of a holder dump: JSON of which everything but the schema may be missing, or be of a type that nobody expected. */
final class HoldersHeader {
    static final String SCHEMA = "leakline.holders/1";
    /** Characters of another schema that an error shows. */
    private static final int SHOWN = 40;
    /** Sentences that are shown; a probe that has more to excuse has a fault. */
    private static final int MOST_NOTES = 100;

    /** The parts of a call of the collector: a file, a line and a function. */
    private static final int CALL = 3;

    private final Map<?, ?> properties;
    private final Map<?, ?> collector;

    private HoldersHeader(Map<?, ?> properties) {
        this.properties = properties;
        this.collector = properties.get("gc") instanceof Map<?, ?> map ? map : Map.of();
    }

    /** Reads a header; fails where it is no JSON object, or one of another schema. */
    static DumpHeader read(byte[] json, long offset) throws IOException {
        Map<String, Object> properties = Codec.readObject(new ByteArrayInputStream(json), ReadLimits.DEFAULT);
        if (!SCHEMA.equals(properties.get("schema"))) {
            throw new ReadException(
                    ReadException.Code.NOT_A_SNAPSHOT,
                    offset,
                    "the header at byte " + offset + " has the schema '" + schema(properties) + "', expected '" + SCHEMA
                            + "'; a newer version of leakline may be able to read it");
        }
        return new HoldersHeader(properties).header();
    }

    private static String schema(Map<String, Object> properties) {
        return Printable.of(String.valueOf(properties.get("schema")), SHOWN);
    }

    private DumpHeader header() {
        return new DumpHeader(
                text("python"),
                text("torch"),
                text("argv0"),
                text("reason"),
                number(properties, "pid", 0),
                number(properties, "started_us", 0),
                number(properties, "time_us", 0),
                number(properties, "pause_ms", 0),
                number(properties, "rank", -1),
                number(properties, "step", -1),
                Boolean.TRUE.equals(properties.get("inherited")),
                number(properties, "objects", 0),
                number(properties, "frozen", 0),
                number(properties, "threads", 1),
                number(collector, "gpu_bytes_freed", 0),
                number(collector, "runs_that_freed", 0),
                collectCalls(),
                text("graph"),
                text("graph_reason"),
                bounds(),
                properties.get("notes") instanceof List<?> notes
                        ? notes.stream().limit(MOST_NOTES).map(String::valueOf).toList()
                        : List.of());
    }

    private List<Frame> collectCalls() {
        List<Frame> calls = new ArrayList<>();
        for (Object each : collector.get("called") instanceof List<?> list ? list : List.of()) {
            if (each instanceof List<?> call
                    && call.size() == CALL
                    && call.get(0) instanceof String file
                    && call.get(1) instanceof Number line
                    && call.get(2) instanceof String function) {
                calls.add(new Frame(file, line.intValue(), function));
            }
        }
        return calls;
    }

    private Map<Integer, Long> bounds() {
        Map<Integer, Long> bounds = new HashMap<>();
        for (Object each : properties.get("bounds") instanceof List<?> list ? list : List.of()) {
            if (each instanceof List<?> pair
                    && pair.size() == 2
                    && pair.getFirst() instanceof Number node
                    && pair.getLast() instanceof Number most) {
                bounds.put(node.intValue(), most.longValue());
            }
        }
        return bounds;
    }

    private String text(String name) {
        return properties.get(name) instanceof String text ? text : "";
    }

    private static long number(Map<?, ?> from, String name, long otherwise) {
        @Nullable Object found = from.get(name);
        return found instanceof Number number ? number.longValue() : otherwise;
    }
}
