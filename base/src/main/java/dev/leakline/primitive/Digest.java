package dev.leakline.primitive;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A short name for a text that hardly any other text has. */
public final class Digest {
    /** Bytes of the digest that are shown: a trillion values, so that the dumps of a whole fleet hardly ever clash. */
    private static final int SHOWN = 5;

    private Digest() {}

    /** Ten hexadecimal digits that stand for a text. */
    public static String of(String text) {
        byte[] digest = sha256().digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest, 0, SHOWN);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
