package dev.leakline.result;

import io.avaje.json.JsonAdapter;
import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;

/** Writes zero, which says that nobody knows, as null: recordings of torch before 2.2 have no times, which is not the same as 1970. */
public final class UnknownIfZero implements JsonAdapter<Long> {
    @Override
    public void toJson(JsonWriter writer, Long number) {
        if (number == 0) {
            writer.nullValue();
        } else {
            writer.value(number.longValue());
        }
    }

    @Override
    public Long fromJson(JsonReader reader) {
        return reader.isNullValue() ? 0L : reader.readLong();
    }
}
