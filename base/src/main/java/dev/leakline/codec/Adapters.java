package dev.leakline.codec;

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
import org.jspecify.annotations.Nullable;

/** Adapters for values that are not records, or not written as records are. */
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
        public void toJson(JsonWriter writer, @Nullable Object constant) {
            if (constant == null) {
                writer.nullValue();
            } else {
                writer.value(Names.inJson((Enum<?>) constant));
            }
        }

        @Override
        public @Nullable Object fromJson(JsonReader reader) {
            if (reader.isNullValue()) {
                return null;
            }
            String name = reader.readString();
            for (Enum<?> constant : all) {
                if (Names.inJson(constant).equals(name)) {
                    return constant;
                }
            }
            String known = all.toString().toLowerCase(Locale.ROOT);
            throw reader.unwrap(JsonIn.class).wrong("one of " + known + " (a newer version of leakline may know more)");
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
                case Double number when Double.isFinite(number) -> ((JsonOut) writer).given(number);
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
}
