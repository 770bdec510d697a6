package io.avaje.jsonb.core;

import io.avaje.jsonb.spi.GeneratedComponent;
import io.avaje.jsonb.spi.JsonStreamFactory;
import io.avaje.jsonb.spi.JsonbComponent;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Avaje's extensions: none beside those that {@code Codec} names. */
final class ExtensionLoader {
    private ExtensionLoader() {}

    static void init(@Nullable ClassLoader loader) {}

    static List<GeneratedComponent> generatedComponents() {
        return List.of();
    }

    static List<JsonbComponent> userComponents() {
        return List.of();
    }

    static Optional<JsonStreamFactory> adapterFactory() {
        return Optional.empty();
    }

    static MethodHandles.@Nullable Lookup lookupLookup(Class<?> type) {
        return null;
    }
}
