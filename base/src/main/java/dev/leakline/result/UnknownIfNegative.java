package dev.leakline.result;

import io.avaje.json.JsonAdapter;
import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;

/** Writes negative numbers, which say that nobody knows, as null. */
public final class UnknownIfNegative implements JsonAdapter<Long> {
    @Override
    public void toJson(JsonWriter writer, Long number) {
        if (number < 0) {
            writer.nullValue();
        } else {
            writer.value(number.longValue());
        }
    }

    @Override
    public Long fromJson(JsonReader reader) {
        return reader.isNullValue() ? -1L : reader.readLong();
    }
}
