package dev.leakline.report.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A struct of Thrift's compact protocol while it is written. Fields come in the order of their numbers, of which none skips more than 14. */
final class Struct {
    private static final int I32 = 5;
    private static final int I64 = 6;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;
    private static final int STOP = 0;
    /** Elements of a list from which on their number does not fit beside their type. */
    private static final int LONG_LIST = 15;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int last;

    Struct i32(int field, int value) {
        return number(field, I32, value);
    }

    Struct i64(int field, long value) {
        return number(field, I64, value);
    }

    private Struct number(int field, int type, long value) {
        begin(field, type);
        signed(value);
        return this;
    }

    Struct text(int field, String text) {
        begin(field, BINARY);
        text(text);
        return this;
    }

    Struct struct(int field, Struct struct) {
        begin(field, STRUCT);
        out.writeBytes(struct.bytes());
        return this;
    }

    Struct structs(int field, List<Struct> structs) {
        beginList(field, STRUCT, structs.size());
        structs.forEach(struct -> out.writeBytes(struct.bytes()));
        return this;
    }

    Struct texts(int field, List<String> texts) {
        beginList(field, BINARY, texts.size());
        texts.forEach(this::text);
        return this;
    }

    Struct numbers(int field, List<Integer> numbers) {
        beginList(field, I32, numbers.size());
        numbers.forEach(this::signed);
        return this;
    }

    /** The bytes written, with their end; once. */
    byte[] bytes() {
        out.write(STOP);
        return out.toByteArray();
    }

    private void begin(int field, int type) {
        out.write(((field - last) << 4) | type);
        last = field;
    }

    private void beginList(int field, int type, int count) {
        begin(field, LIST);
        out.write((Math.min(count, LONG_LIST) << 4) | type);
        if (count >= LONG_LIST) {
            Runs.varint(count, out);
        }
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Runs.varint(bytes.length, out);
        out.writeBytes(bytes);
    }

    /** A number whose lowest bit is its sign. */
    private void signed(long value) {
        Runs.varint((value << 1) ^ (value >> 63), out);
    }
}
