package dev.leakline.detect;

import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Frame;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A finding's id: the same bug has the same in every run, on every rank, with every batch size, and after edits elsewhere in the
 * file. So it is made of the kind of finding and of the functions on the way to the line, with the names of their files but not their
 * folders; no line number, address or size.
 */
final class Fingerprint {
    /** Bytes of the digest that are shown: a trillion values, so that the dumps of a whole fleet hardly ever clash. */
    private static final int SHOWN = 5;

    private Fingerprint() {}

    /** The id of a finding, from the user's calls that lead to it, outermost first. */
    static String of(Kind kind, List<Frame> path) {
        StringBuilder text = new StringBuilder(kind.name());
        for (Frame frame : path) {
            text.append('\n').append(frame.fileName()).append(' ').append(frame.function());
        }
        byte[] digest = sha256().digest(text.toString().getBytes(StandardCharsets.UTF_8));
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
