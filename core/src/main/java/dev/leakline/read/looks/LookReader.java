package dev.leakline.read.looks;

import dev.leakline.objects.HostCall;
import dev.leakline.objects.HostLevel;
import dev.leakline.objects.HostLook;
import dev.leakline.objects.HostPile;
import dev.leakline.result.Frame;
import dev.leakline.result.HostMemory.Kind;
import dev.leakline.source.Content;
import dev.leakline.source.JsonParsers;
import dev.leakline.source.ReadLimits;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads the rows that the probe writes of its looks, to the last whole one: the process may have been killed while it wrote. */
final class LookReader {
    /** Rows; the probe writes some hundreds in a day, and they get rarer. */
    private static final int MOST_ROWS = 1 << 14;
    /** Collections of a look, of which the probe names eight, and calls, of which it names 24. */
    private static final int MOST_ROWS_OF_LOOK = 64;
    /** Packages that a process has imported. */
    private static final int MOST_VERSIONS = 4096;
    /** Characters of a name; the probe cuts paths at 400. */
    private static final int MOST_TEXT = 1000;

    private static final int MOST_NESTING = 8;
    /** Bytes, as large as no memory is: a sum of all rows stays a long. */
    private static final double MOST_BYTES = 1L << 56;

    private static final double MICROS = 1e6;

    private final JsonParser parser;
    /** The collections of the last row. */
    private Map<String, Long> levels = Map.of();

    private LookReader(JsonParser parser) {
        this.parser = parser;
    }

    static Content.Looks read(InputStream in) throws IOException {
        List<HostLook> looks = new ArrayList<>();
        List<HostLevel> levels = new ArrayList<>();
        long bytes = 0;
        try (JsonParser parser = JsonParsers.open(in, ReadLimits.DEFAULT, MOST_NESTING)) {
            LookReader reader = new LookReader(parser);
            while (looks.size() + levels.size() < MOST_ROWS && parser.nextToken() == JsonToken.START_OBJECT) {
                HostLook look = reader.look();
                if (!reader.levels.isEmpty()) {
                    levels.add(new HostLevel(look.seconds(), reader.levels));
                } else if (look.resident() > 0 && !look.parts().isEmpty()) {
                    looks.add(look);
                }
                bytes = parser.currentLocation().getByteOffset();
            }
        } catch (JacksonException e) {
            // The row that was cut, or what is no row.
            bytes = Math.max(
                    bytes, e.getLocation() == null ? 0 : e.getLocation().getByteOffset());
        }
        return new Content.Looks(looks, levels, bytes);
    }

    private HostLook look() {
        levels = new HashMap<>();
        Map<String, Double> numbers = new HashMap<>();
        Map<Kind, Long> parts = new EnumMap<>(Kind.class);
        Map<Long, Long> children = new HashMap<>();
        List<HostPile> piles = new ArrayList<>();
        List<HostCall> calls = new ArrayList<>();
        Map<String, String> versions = new HashMap<>();
        String trouble = "";
        String remark = "";
        boolean isCoarse = false;
        boolean isSampled = false;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = parser.currentName();
            JsonToken token = parser.nextToken();
            switch (field) {
                case "parts" -> parts.putAll(bytes());
                case "children" -> children(parts, children);
                case "levels" -> numbers().forEach((name, bytes) -> levels.put(name, bytes.longValue()));
                case "piles" -> rows(piles, this::pile);
                case "natives" -> {
                    isSampled = true;
                    rows(calls, this::call);
                }
                case "versions" -> versions(versions, token);
                case "native_trouble" -> trouble = text(token);
                case "remark" -> remark = text(token);
                case "coarse" -> isCoarse = token == JsonToken.VALUE_TRUE;
                default -> number(field, numbers);
            }
        }
        return new HostLook(
                numbers.getOrDefault("time_us", 0.0) / MICROS,
                numbers.getOrDefault("pid", 0.0).longValue(),
                numbers.getOrDefault("steps", -1.0).longValue(),
                numbers.getOrDefault("resident", 0.0).longValue(),
                parts,
                children,
                piles,
                versions,
                calls,
                isSampled,
                trouble,
                isCoarse,
                remark);
    }

    private void number(String field, Map<String, Double> numbers) {
        if (parser.currentToken().isNumeric()) {
            numbers.put(field, Math.clamp(parser.getDoubleValue(), 0, MOST_BYTES));
        } else {
            parser.skipChildren();
        }
    }

    private Map<String, Double> numbers() {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            return fields();
        }
        parser.skipChildren();
        return new HashMap<>();
    }

    /** The numbers of an object that has begun. */
    private Map<String, Double> fields() {
        Map<String, Double> numbers = new HashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            number(field, numbers);
        }
        return numbers;
    }

    private Map<Kind, Long> bytes() {
        Map<String, Double> numbers = numbers();
        Map<Kind, Long> bytes = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            Double found = numbers.get(kind.name().toLowerCase(Locale.ROOT));
            if (found != null) {
                bytes.put(kind, found.longValue());
            }
        }
        return bytes;
    }

    private void children(Map<Kind, Long> parts, Map<Long, Long> children) {
        Map<String, Double> numbers = new HashMap<>();
        List<Map<String, Double>> named = new ArrayList<>();
        boolean isObject = parser.currentToken() == JsonToken.START_OBJECT;
        if (!isObject) {
            parser.skipChildren();
        }
        while (isObject && parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            if (field.equals("named")) {
                rows(named, this::fields);
            } else {
                number(field, numbers);
            }
        }
        parts.put(Kind.CHILDREN, numbers.getOrDefault("alone", 0.0).longValue());
        parts.put(Kind.COPY_ON_WRITE, numbers.getOrDefault("copied", 0.0).longValue());
        named.forEach(child -> children.put(
                child.getOrDefault("pid", 0.0).longValue(),
                child.getOrDefault("bytes", 0.0).longValue()));
    }

    private <T> void rows(List<T> rows, Supplier<T> row) {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() == JsonToken.START_OBJECT) {
            T read = row.get();
            if (rows.size() < MOST_ROWS_OF_LOOK) {
                rows.add(read);
            }
        }
    }

    private String text(JsonToken token) {
        if (token != JsonToken.VALUE_STRING) {
            parser.skipChildren();
            return "";
        }
        String text = parser.getString();
        return text.substring(0, Math.min(text.length(), MOST_TEXT));
    }

    private void versions(Map<String, String> versions, JsonToken token) {
        while (token == JsonToken.START_OBJECT && parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            String version = text(parser.nextToken());
            if (versions.size() < MOST_VERSIONS) {
                versions.put(name, version);
            }
        }
    }

    private HostCall call() {
        Map<String, Double> numbers = new HashMap<>();
        Map<String, String> texts = new HashMap<>();
        List<Frame> frames = new ArrayList<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = parser.currentName();
            JsonToken token = parser.nextToken();
            if (field.equals("frames") && token == JsonToken.START_ARRAY) {
                frames(frames);
            } else if (token == JsonToken.VALUE_STRING) {
                texts.put(field, text(token));
            } else {
                number(field, numbers);
            }
        }
        return new HostCall(
                texts.getOrDefault("library", ""),
                texts.getOrDefault("function", ""),
                List.copyOf(frames),
                numbers.getOrDefault("bytes", 0.0).longValue());
    }

    /** Frames, each as a list of file, line and function. */
    private void frames(List<Frame> frames) {
        while (parser.nextToken() == JsonToken.START_ARRAY) {
            String file = text(parser.nextToken());
            Map<String, Double> line = new HashMap<>();
            parser.nextToken();
            number("line", line);
            Frame frame = new Frame(
                    file, (int) Math.min(line.getOrDefault("line", 0.0), Integer.MAX_VALUE), text(parser.nextToken()));
            if (frames.size() < MOST_ROWS_OF_LOOK) {
                frames.add(frame);
            }
            parser.nextToken();
        }
    }

    private HostPile pile() {
        Map<String, Double> numbers = new HashMap<>();
        Map<String, String> texts = new HashMap<>();
        Map<Kind, Long> bytes = Map.of();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = parser.currentName();
            JsonToken token = parser.nextToken();
            if (field.equals("bytes")) {
                bytes = bytes();
            } else if (token == JsonToken.VALUE_STRING) {
                texts.put(field, text(token));
            } else {
                number(field, numbers);
            }
        }
        return new HostPile(
                texts.getOrDefault("kind", ""),
                texts.getOrDefault("module", ""),
                texts.getOrDefault("name", ""),
                texts.getOrDefault("attribute", ""),
                texts.getOrDefault("rest", ""),
                texts.getOrDefault("file", ""),
                texts.getOrDefault("function", ""),
                numbers.getOrDefault("most", 0.0).longValue(),
                numbers.getOrDefault("items", 0.0).longValue(),
                numbers.getOrDefault("grown", 0.0).longValue(),
                numbers.getOrDefault("rises", 0.0).longValue(),
                bytes,
                texts.getOrDefault("holds", ""));
    }
}
