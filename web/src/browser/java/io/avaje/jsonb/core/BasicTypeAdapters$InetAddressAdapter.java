package io.avaje.jsonb.core;

import io.avaje.json.JsonAdapter;
import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;

/** Avaje's adapter for network addresses, of which results have none. */
@SuppressWarnings("ClassNamedLikeTypeParameter")
final class BasicTypeAdapters$InetAddressAdapter implements JsonAdapter<Object> {
    @Override
    public void toJson(JsonWriter writer, Object value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Object fromJson(JsonReader reader) {
        throw new UnsupportedOperationException();
    }
}
