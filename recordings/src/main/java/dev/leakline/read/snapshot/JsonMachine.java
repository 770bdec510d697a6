package dev.leakline.read.snapshot;

import dev.leakline.source.JsonParsers;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A snapshot written as JSON: the same values in the same order as in a pickle, for the same {@link Assembler}. */
final class JsonMachine {
    private final Assembler assembler;
    private final ReadLimits limits;
    private final ValueStack stack;
    private final JsonParser parser;

    JsonMachine(InputStream in, Assembler assembler, ReadLimits limits) throws IOException {
        this.assembler = assembler;
        this.limits = limits;
        this.stack = assembler.stack;
        this.parser = JsonParsers.open(in, limits, limits.nesting());
    }

    /** Reads the one value that the file is. */
    void run() throws IOException {
        try {
            do {
                take(parser.nextToken());
            } while (stack.hasMark());
        } catch (JacksonException e) {
            throw JsonParsers.explain(e, offset());
        } catch (ReadException e) {
            throw e.offset() >= 0 ? e : new ReadException(e.code(), offset(), e.getMessage() + ", at byte " + offset());
        }
    }

    /** The byte that the parser has come to. */
    long offset() {
        return Math.max(parser.currentLocation().getByteOffset(), 0);
    }

    private void take(@org.jspecify.annotations.Nullable JsonToken token) throws IOException {
        switch (token) {
            case null -> throw JsonParsers.cut(offset());
            case START_OBJECT -> open(ValueStack.DICT);
            case END_OBJECT -> assembler.setItems(stack.popMark());
            case START_ARRAY -> open(ValueStack.LIST);
            case END_ARRAY -> assembler.appends(stack.popMark());
            case PROPERTY_NAME -> push(parser.currentName());
            case VALUE_STRING -> push(parser.getString());
            case VALUE_NUMBER_INT -> stack.push(ValueStack.INT, integer());
            case VALUE_NUMBER_FLOAT ->
                stack.push(ValueStack.FLOAT, Double.doubleToRawLongBits(parser.getDoubleValue()));
            case VALUE_TRUE -> stack.push(ValueStack.BOOL, 1);
            case VALUE_FALSE -> stack.push(ValueStack.BOOL, 0);
            default -> stack.push(ValueStack.NULL, 0);
        }
    }

    private void open(byte kind) throws ReadException {
        stack.pushOpen(kind);
        stack.mark();
    }

    private void push(String text) throws ReadException {
        stack.push(ValueStack.STRING, assembler.columns.strings.intern(text));
        limits.checkStrings(assembler.columns.strings);
    }

    private long integer() throws ReadException {
        if (parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
            return parser.getLongValue();
        }
        BigInteger value = parser.getBigIntegerValue();
        if (value.bitLength() > 64) {
            throw new ReadException(Code.LIMIT, offset(), "an integer of more than 64 bits at byte " + offset());
        }
        return value.longValue();
    }
}
