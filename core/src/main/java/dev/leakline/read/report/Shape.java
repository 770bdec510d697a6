package dev.leakline.read.report;

import dev.leakline.source.JsonInput;
import dev.leakline.source.JsonInput.Part;
import dev.leakline.source.JsonObject;
import dev.leakline.source.ReadException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How objects of one kind are read. Their plain values are collected first; those of their properties that hold more objects become
 * records as they are read, so that what is kept of a file is records and never a tree of JSON; all that no shape knows is passed over.
 */
final class Shape<T> implements Part<T> {
    /** Makes a record of an object's properties. */
    interface Maker<T> {
        T make(JsonObject json) throws ReadException;
    }

    private final Maker<T> maker;
    private final Map<String, Part<?>> parts = new HashMap<>();

    Shape(Maker<T> maker) {
        this.maker = maker;
    }

    /** With a property that is an object, or anything else that {@code part} reads. */
    Shape<T> with(String name, Part<?> part) {
        parts.put(name, json -> json.isNull() ? null : part.read(json));
        return this;
    }

    /** With a property that is a list. */
    Shape<T> withList(String name, Part<?> part) {
        return with(name, json -> json.list(part));
    }

    /** With properties that are lists of texts. */
    Shape<T> withTexts(String... names) {
        List.of(names).forEach(name -> withList(name, JsonInput::text));
        return this;
    }

    @Override
    public @Nullable T read(JsonInput json) throws IOException {
        return maker.make(new JsonObject(json, json.object(parts)));
    }
}
