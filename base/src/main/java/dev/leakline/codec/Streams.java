package dev.leakline.codec;

import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;
import io.avaje.json.PropertyNames;
import io.avaje.json.stream.BufferedJsonWriter;
import io.avaje.json.stream.BytesJsonWriter;
import io.avaje.json.stream.JsonOutput;
import io.avaje.json.stream.JsonStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;

/** Tells generated code how properties are named; {@link Codec} alone makes readers and writers. */
final class Streams implements JsonStream {
    @Override
    public PropertyNames properties(String... names) {
        return new Names(names);
    }

    @Override
    public JsonReader reader(String json) {
        throw unused();
    }

    @Override
    public JsonReader reader(byte[] json) {
        throw unused();
    }

    @Override
    public JsonReader reader(Reader reader) {
        throw unused();
    }

    @Override
    public JsonReader reader(InputStream stream) {
        throw unused();
    }

    @Override
    public JsonWriter writer(Writer writer) {
        throw unused();
    }

    @Override
    public JsonWriter writer(OutputStream stream) {
        throw unused();
    }

    @Override
    public JsonWriter writer(JsonOutput output) {
        throw unused();
    }

    @Override
    public BufferedJsonWriter bufferedWriter() {
        throw unused();
    }

    @Override
    public BytesJsonWriter bufferedWriterAsBytes() {
        throw unused();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("Codec makes readers and writers");
    }
}
