package dev.leakline.codec;

import dev.leakline.text.Printable;
import io.avaje.json.JsonWriter;
import io.avaje.json.PropertyNames;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes records as JSON; numbers that are NaN or infinite are null. Numbers that are none are null, for which JSON has no number. */
final class JsonOut implements JsonWriter {
    private static final Names NO_NAMES = new Names();
    /** Digits of shares, rates and times; no clock and no statistic of ours has more. */
    private static final MathContext DIGITS = new MathContext(6);
    /** From here on the digits before the point are as many. */
    private static final double LARGE = 1e6;
    /** From here on it may be a clock's seconds since 1970, which have milliseconds. */
    private static final double CLOCK = 1e9;
    /** From here on a clock counts milliseconds or less. */
    private static final double FINE_CLOCK = 1e12;

    private static final double MILLIS = 1e3;
    /** Below this, all whole numbers are doubles. */
    private static final double WHOLE = 1L << 53;

    private final JsonGenerator generator;
    private final int longest;
    private final boolean isExact;
    /** State of the open objects, innermost first. */
    private final Deque<Names> names = new ArrayDeque<>();

    /** Writes to a generator, which stays the caller's; of strings of more characters than {@code longest} the beginning is written, and all digits where it is exact. */
    JsonOut(JsonGenerator generator, int longest, boolean isExact) {
        this.generator = generator;
        this.longest = longest;
        this.isExact = isExact;
    }

    @Override
    public void beginObject(PropertyNames properties) {
        names.push((Names) properties);
        generator.writeStartObject();
    }

    @Override
    public void beginObject() {
        beginObject(NO_NAMES);
    }

    @Override
    public void endObject() {
        names.pop();
        generator.writeEndObject();
    }

    @Override
    public void name(int number) {
        generator.writeName(names.element().name(number));
    }

    @Override
    public void name(String name) {
        generator.writeName(Printable.cut(name, longest));
    }

    @Override
    public void beginArray() {
        generator.writeStartArray();
    }

    @Override
    public void endArray() {
        generator.writeEndArray();
    }

    @Override
    public void emptyArray() {
        generator.writeStartArray();
        generator.writeEndArray();
    }

    @Override
    public void nullValue() {
        generator.writeNull();
    }

    @Override
    public void value(@Nullable String value) {
        if (value == null) {
            generator.writeNull();
        } else {
            generator.writeString(Printable.cut(value, longest));
        }
    }

    @Override
    public void value(boolean value) {
        generator.writeBoolean(value);
    }

    @Override
    public void value(int value) {
        generator.writeNumber(value);
    }

    @Override
    public void value(long value) {
        generator.writeNumber(value);
    }

    @Override
    public void value(double value) {
        if (!Double.isFinite(value)) {
            generator.writeNull();
            return;
        }
        double meant = isExact ? value : meant(value);
        if (!isExact && meant == Math.rint(meant) && Math.abs(meant) < WHOLE) {
            generator.writeNumber((long) meant);
        } else {
            generator.writeNumber(meant);
        }
    }

    /** Writes a number as it was given: 0.0 is no whole number. */
    void given(double value) {
        generator.writeNumber(value);
    }

    /** A figure as it is meant: digits before the point, and as many in all as a measurement has. */
    private static double meant(double value) {
        if (Math.abs(value) >= CLOCK && Math.abs(value) < FINE_CLOCK) {
            return Math.rint(value * MILLIS) / MILLIS;
        }
        return Math.abs(value) >= LARGE
                ? Math.rint(value)
                : new BigDecimal(value).round(DIGITS).doubleValue();
    }

    @Override
    public void value(Boolean value) {
        value(value.booleanValue());
    }

    @Override
    public void value(Integer value) {
        value(value.intValue());
    }

    @Override
    public void value(Long value) {
        value(value.longValue());
    }

    @Override
    public void value(Double value) {
        value(value.doubleValue());
    }

    @Override
    public void flush() {
        generator.flush();
    }

    @Override
    public void close() {
        generator.flush();
    }

    @Override
    public void allNames(PropertyNames properties) {
        // names are those of the objects
    }

    @Override
    public boolean serializeNulls() {
        return true;
    }

    @Override
    public boolean serializeEmpty() {
        return true;
    }

    @Override
    public void serializeNulls(boolean value) {
        throw unused();
    }

    @Override
    public void serializeEmpty(boolean value) {
        throw unused();
    }

    @Override
    public void pretty(boolean value) {
        throw unused();
    }

    @Override
    public void markIncomplete() {
        throw unused();
    }

    @Override
    public String path() {
        return String.valueOf(generator.streamWriteContext().pathAsPointer());
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return type.cast(this);
    }

    @Override
    public void value(BigDecimal value) {
        throw unused();
    }

    @Override
    public void value(BigInteger value) {
        throw unused();
    }

    @Override
    public void value(byte[] value) {
        throw unused();
    }

    @Override
    public void jsonValue(Object value) {
        throw unused();
    }

    @Override
    public void rawValue(String value) {
        throw unused();
    }

    @Override
    public void rawChunkStart() {
        throw unused();
    }

    @Override
    public void rawChunk(char value) {
        throw unused();
    }

    @Override
    public void rawChunk(String value) {
        throw unused();
    }

    @Override
    public void rawChunkEncode(String value) {
        throw unused();
    }

    @Override
    public void rawChunkEnd() {
        throw unused();
    }

    @Override
    public void writeNewLine() {
        throw unused();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("no record holds this");
    }
}
