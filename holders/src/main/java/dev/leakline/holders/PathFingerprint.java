package dev.leakline.holders;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A short name for a path, the same in every run. */
final class PathFingerprint {
    /** Characters: two of a thousand groups are the same by chance once in ten billion analyses. */
    private static final int LENGTH = 16;

    private PathFingerprint() {}

    static String of(String path) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-1").digest(path.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum).substring(0, LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
