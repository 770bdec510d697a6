package dev.leakline.codec;

import dev.leakline.result.FindingHolder;
import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Group;
import io.avaje.json.JsonAdapter;
import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;
import io.avaje.jsonb.Jsonb;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How values are written and read that are no records, or not as records are. */
final class Adapters {
    private Adapters() {}

    /** Adapters of enums; null for other types. */
    static @Nullable JsonAdapter<?> ofEnum(Type type, Jsonb jsonb) {
        return type instanceof Class<?> kind && kind.isEnum()
                ? new Constants(List.of((Enum<?>[]) kind.getEnumConstants()))
                : null;
    }

    /** Constants are their names in small letters. */
    private record Constants(List<Enum<?>> all) implements JsonAdapter<Object> {
        @Override
        public void toJson(JsonWriter writer, Object constant) {
            writer.value(Names.inJson((Enum<?>) constant));
        }

        @Override
        public Object fromJson(JsonReader reader) {
            String name = reader.readString();
            for (Enum<?> constant : all) {
                if (Names.inJson(constant).equals(name)) {
                    return constant;
                }
            }
            String known = all.toString().toLowerCase(Locale.ROOT);
            throw reader.unwrap(JsonIn.class)
                    .wrong("one of " + known + ", which a later version of leakline may know more of,");
        }
    }

    /** Values of any kind that readers make: maps, lists, finite numbers, truths; anything else is its text. */
    static final class Any implements JsonAdapter<Object> {
        @Override
        public void toJson(JsonWriter writer, @Nullable Object value) {
            switch (value) {
                case null -> writer.nullValue();
                case Map<?, ?> map -> {
                    writer.beginObject();
                    map.forEach((key, entry) -> {
                        writer.name(String.valueOf(key));
                        toJson(writer, entry);
                    });
                    writer.endObject();
                }
                case List<?> list -> {
                    writer.beginArray();
                    list.forEach(item -> toJson(writer, item));
                    writer.endArray();
                }
                case Integer number -> writer.value(number.intValue());
                case Long number -> writer.value(number.longValue());
                case Double number when Double.isFinite(number) -> writer.value(number.doubleValue());
                case Boolean truth -> writer.value(truth.booleanValue());
                default -> writer.value(value.toString());
            }
        }

        @Override
        public @Nullable Object fromJson(JsonReader reader) {
            return read(reader.unwrap(JsonIn.class));
        }

        private static @Nullable Object read(JsonIn json) {
            return switch (json.currentToken()) {
                case BEGIN_OBJECT -> readMap(json);
                case BEGIN_ARRAY -> readList(json);
                default -> json.readPlain();
            };
        }

        static Map<String, Object> readMap(JsonIn json) {
            Map<String, Object> map = new LinkedHashMap<>();
            json.beginObject();
            while (json.hasNextField()) {
                String name = json.nextField();
                Object value = read(json);
                if (value != null) {
                    map.put(name, value);
                }
            }
            json.endObject();
            return map;
        }

        private static List<Object> readList(JsonIn json) {
            List<Object> list = new ArrayList<>();
            json.beginArray();
            while (json.hasNextElement()) {
                Object value = read(json);
                if (value != null) {
                    list.add(value);
                }
            }
            json.endArray();
            return list;
        }
    }

    /** Who holds a finding: the properties of the group stand among its own. */
    static final class HolderOfFinding implements JsonAdapter<FindingHolder> {
        private static final Names NAMES = new Names("input", "findingBytes", "findingBlocks", "cycle");

        private final JsonAdapter<Group> groups;
        private final JsonAdapter<Cycle> cycles;

        HolderOfFinding(Jsonb jsonb) {
            this.groups = jsonb.adapter(Group.class);
            this.cycles = jsonb.adapter(Cycle.class);
        }

        @Override
        public void toJson(JsonWriter writer, FindingHolder holder) {
            writer.beginObject(NAMES);
            writer.name(0);
            writer.value(holder.input());
            writer.name(1);
            writer.value(holder.findingBytes());
            writer.name(2);
            writer.value(holder.findingBlocks());
            writer.unwrap(JsonOut.class).partOfThis();
            groups.toJson(writer, holder.group());
            writer.name(3);
            cycles.toJson(writer, holder.cycle());
            writer.endObject();
        }

        @Override
        public FindingHolder fromJson(JsonReader reader) {
            Own own = new Own();
            reader.unwrap(JsonIn.class).handStrangersOfNext(name -> own.read(name, reader, cycles));
            Group group = groups.fromJson(reader);
            return new FindingHolder(own.input, own.bytes, own.blocks, Objects.requireNonNull(group), own.cycle);
        }

        /** What is not the group's. */
        private static final class Own {
            private int input;
            private long bytes;
            private int blocks;
            private @Nullable Cycle cycle;

            boolean read(String name, JsonReader reader, JsonAdapter<Cycle> cycles) {
                switch (name) {
                    case "input" -> input = reader.readInt();
                    case "finding_bytes" -> bytes = reader.readLong();
                    case "finding_blocks" -> blocks = reader.readInt();
                    case "cycle" -> cycle = cycles.fromJson(reader);
                    default -> {
                        return false;
                    }
                }
                return true;
            }
        }
    }
}
