package dev.leakline.report.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A column, with its values of the row group that is being filled. Each value may be missing. Numbers stand as they are; of texts each is written once, and
 * numbers stand for it.
 *
 * @param <R> a row
 */
public final class Column<R> {
    /** Types of values. */
    public enum Type {
        BOOLEAN(0, null),
        INT32(1, null),
        INT64(2, null),
        /** Microseconds since 1970, UTC. */
        TIMESTAMP(2, 10),
        TEXT(6, 0);

        /** Parquet's number of the stored type. */
        private final int physical;

        private final @Nullable Integer converted;

        Type(int physical, @Nullable Integer converted) {
            this.physical = physical;
            this.converted = converted;
        }
    }

    private static final int OPTIONAL = 1;

    private final String name;
    private final Type type;
    private final Function<R, ? extends @Nullable Object> value;
    private final Function<R, String> text;

    private final Runs present = new Runs(1);
    private final ByteArrayOutputStream plain = new ByteArrayOutputStream();
    private final Runs indexes = new Runs(ParquetFile.INDEX_BITS);
    private final Map<Object, Integer> dictionary = new HashMap<>();

    private Column(String name, Type type, Function<R, ? extends @Nullable Object> value, Function<R, String> text) {
        this.name = name;
        this.type = type;
        this.value = value;
        this.text = text;
    }

    /** A column of numbers, times or truths; a value is null where it is missing. */
    public static <R> Column<R> of(String name, Type type, Function<R, ? extends @Nullable Object> value) {
        return new Column<>(name, type, value, _ -> "");
    }

    /** A column of texts; {@code text} is asked once for rows of equal keys, and the key is null where the text is missing. */
    public static <R> Column<R> texts(
            String name, Function<R, ? extends @Nullable Object> key, Function<R, String> text) {
        return new Column<>(name, Type.TEXT, key, text);
    }

    /** The column in the schema. */
    Struct schema() {
        Struct schema = new Struct().i32(1, type.physical).i32(3, OPTIONAL).text(4, name);
        return type.converted == null ? schema : schema.i32(6, type.converted);
    }

    String name() {
        return name;
    }

    int physical() {
        return type.physical;
    }

    boolean hasDictionary() {
        return type == Type.TEXT;
    }

    /** Texts that have come up so far. */
    int words() {
        return dictionary.size();
    }

    void add(R row) {
        Object found = value.apply(row);
        present.add(found == null ? 0 : 1);
        if (found != null) {
            put(found, row);
        }
    }

    private void put(Object found, R row) {
        switch (type) {
            case BOOLEAN -> plain.write((Boolean) found ? 1 : 0);
            case INT32 -> little(((Number) found).longValue(), Integer.BYTES, plain);
            case INT64, TIMESTAMP -> little(((Number) found).longValue(), Long.BYTES, plain);
            case TEXT -> indexes.add(index(found, row));
        }
    }

    private int index(Object key, R row) {
        Integer known = dictionary.get(key);
        if (known != null) {
            return known;
        }
        byte[] word = text.apply(row).getBytes(StandardCharsets.UTF_8);
        little(word.length, Integer.BYTES, plain);
        plain.writeBytes(word);
        dictionary.put(key, dictionary.size());
        return dictionary.size() - 1;
    }

    /** The bytes of the dictionary's page, to be taken before {@link #takeValues}. */
    byte[] takeDictionary() {
        dictionary.clear();
        return takePlain();
    }

    /** The bytes of the page of values: which are there, then those. */
    byte[] takeValues() {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        byte[] levels = present.take();
        little(levels.length, Integer.BYTES, page);
        page.writeBytes(levels);
        if (type == Type.TEXT) {
            page.write(ParquetFile.INDEX_BITS);
            page.writeBytes(indexes.take());
        } else {
            page.writeBytes(type == Type.BOOLEAN ? packed(takePlain()) : takePlain());
        }
        return page.toByteArray();
    }

    private byte[] takePlain() {
        byte[] bytes = plain.toByteArray();
        plain.reset();
        return bytes;
    }

    /** A bit for each byte. */
    private static byte[] packed(byte[] truths) {
        BitSet bits = new BitSet(truths.length);
        for (int index = 0; index < truths.length; index++) {
            bits.set(index, truths[index] != 0);
        }
        return Arrays.copyOf(bits.toByteArray(), (truths.length + Byte.SIZE - 1) / Byte.SIZE);
    }

    /** Writes a number, its lowest byte first. */
    static void little(long number, int bytes, ByteArrayOutputStream out) {
        for (int index = 0; index < bytes; index++) {
            out.write((int) (number >>> (8 * index)));
        }
    }
}
