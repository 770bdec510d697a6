package dev.leakline.read.snapshot;

import dev.leakline.columns.StringTable;
import dev.leakline.source.ByteWindow;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.text.Printable;
import java.io.IOException;

/** The operations of a pickle that import, call or build something, known by name so that the refusal names them. */
final class Forbidden {
    private static final int MAX_NAME = 200;

    private Forbidden() {}

    /** Makes the error for an operation that no snapshot needs; an operand that names something is read for the message. */
    static ReadException refuse(int operation, ByteWindow in, ValueStack stack, StringTable strings)
            throws IOException {
        return switch (operation) {
            case 'c' -> forbidden("to import '" + line(in) + "." + line(in) + "'");
            case 'i' -> forbidden("to create a '" + line(in) + "." + line(in) + "'");
            case 0x93 -> forbidden("to import '" + string(stack, strings, 2) + "." + string(stack, strings, 1) + "'");
            case 'R', 'o', 0x81, 0x92 -> forbidden("to call something");
            case 'b' -> forbidden("to set the state of an object");
            case 'P', 'Q' -> forbidden("for an object stored outside of it");
            case 0x82, 0x83, 0x84 -> forbidden("for an object from Python's extension registry");
            case 0x97, 0x98 -> forbidden("for a buffer stored outside of it");
            case 0x8f, 0x90, 0x91 -> damaged("a set, which no snapshot contains");
            default -> damaged(String.format("0x%02x, which is not a pickle operation", operation));
        };
    }

    private static String line(ByteWindow in) throws IOException {
        return Printable.of(new String(in.takeLine(MAX_NAME), java.nio.charset.StandardCharsets.UTF_8), MAX_NAME);
    }

    private static String string(ValueStack stack, StringTable strings, int fromTop) {
        int item = stack.depth - fromTop;
        boolean isString = item >= 0 && stack.kinds[item] == ValueStack.STRING;
        return isString ? Printable.of(strings.get((int) stack.values[item]), MAX_NAME) : "?";
    }

    private static ReadException forbidden(String what) {
        return new ReadException(
                Code.FORBIDDEN, -1, "it asks " + what + ", which no memory snapshot does; nothing was executed");
    }

    private static ReadException damaged(String what) {
        return new ReadException(Code.DAMAGED, -1, what);
    }
}
