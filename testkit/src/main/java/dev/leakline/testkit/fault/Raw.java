package dev.leakline.testkit.fault;

import java.nio.charset.StandardCharsets;

/** Opcodes written down as text, one character a byte. */
final class Raw {
    /** The start of a snapshot, up to where the value of {@code segments} is due. */
    static final String BEFORE_SEGMENTS = "\200\002}(" + text("segments");

    private static final String AFTER_SEGMENTS = text("device_traces") + "]u.";

    private Raw() {}

    /** A snapshot whose segments are what these opcodes leave on the stack. */
    static String segments(String opcodes) {
        return BEFORE_SEGMENTS + opcodes + AFTER_SEGMENTS;
    }

    /** A BINUNICODE of ASCII characters. */
    static String text(String text) {
        return "X" + little(text.length(), 4) + text;
    }

    /** The lowest {@code width} bytes of a value, little end first. */
    static String little(long value, int width) {
        StringBuilder bytes = new StringBuilder();
        for (int i = 0; i < width; i++) {
            bytes.append((char) (value >> (8 * i) & 0xff));
        }
        return bytes.toString();
    }

    static byte[] bytes(String opcodes) {
        return opcodes.getBytes(StandardCharsets.ISO_8859_1);
    }
}
