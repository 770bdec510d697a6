package io.avaje.jsonb.core;

import io.avaje.json.JsonAdapter;
import io.avaje.jsonb.AdapterFactory;
import io.avaje.jsonb.Jsonb;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Avaje's adapters for dates and times, of which results have none. */
final class JavaTimeAdapters {
    static final AdapterFactory FACTORY = (type, jsonb) -> null;

    private JavaTimeAdapters() {}

    static final class CalendarFactory implements AdapterFactory {
        CalendarFactory(boolean isEpochMillis) {}

        @Override
        public @Nullable JsonAdapter<?> create(Type type, Jsonb jsonb) {
            return null;
        }
    }
}
