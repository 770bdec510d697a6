package dev.leakline.testkit.pickle;

import java.io.OutputStream;
import java.math.BigInteger;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** JSON of the values: tuples become arrays, shared objects are written out at every occurrence. */
public final class JsonWriter implements ValueStream {
    private final JsonGenerator json;

    private JsonWriter(JsonGenerator json) {
        this.json = json;
    }

    /** Begins a document in UTF-8. */
    public static JsonWriter open(OutputStream file) {
        return new JsonWriter(new JsonFactory().createGenerator(ObjectWriteContext.empty(), file));
    }

    @Override
    public void beginDict(int size) {
        json.writeStartObject();
    }

    @Override
    public void key(String name) {
        json.writeName(name);
    }

    @Override
    public void key(String name, Handle identity) {
        key(name);
    }

    @Override
    public void endDict() {
        json.writeEndObject();
    }

    @Override
    public void beginList(int size) {
        json.writeStartArray();
    }

    @Override
    public void endList() {
        json.writeEndArray();
    }

    @Override
    public void beginTuple(int size) {
        beginList(size);
    }

    @Override
    public void endTuple() {
        endList();
    }

    @Override
    public void text(String text) {
        json.writeString(text);
    }

    @Override
    public void symbol(String text) {
        text(text);
    }

    @Override
    public void number(long value) {
        json.writeNumber(value);
    }

    @Override
    public void number(BigInteger value) {
        json.writeNumber(value);
    }

    @Override
    public void number(double value) {
        json.writeNumber(value);
    }

    @Override
    public void bool(boolean value) {
        json.writeBoolean(value);
    }

    @Override
    public void none() {
        json.writeNull();
    }

    @Override
    public boolean refer(Handle handle) {
        return false;
    }

    @Override
    public void close() {
        json.close();
    }
}
