package dev.leakline.web.jdk.util;

/** {@code java.util.HexFormat}, as far as it is used. */
public final class HexFormat {
    private static final HexFormat PLAIN = new HexFormat();

    private HexFormat() {}

    public static HexFormat of() {
        return PLAIN;
    }

    public String formatHex(byte[] bytes) {
        return formatHex(bytes, 0, bytes.length);
    }

    public String formatHex(byte[] bytes, int from, int to) {
        StringBuilder digits = new StringBuilder();
        for (int i = from; i < to; i++) {
            digits.append(Character.forDigit((bytes[i] >> 4) & 15, 16)).append(Character.forDigit(bytes[i] & 15, 16));
        }
        return digits.toString();
    }
}
