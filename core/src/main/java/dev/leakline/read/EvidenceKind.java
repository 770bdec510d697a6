package dev.leakline.read;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells snapshots from logs by their first bytes. */
public final class EvidenceKind {
    /** Enough of a compressed input to take the compression off its beginning; zstd's blocks have at most half of that. */
    private static final int HEAD = 1 << 18;

    private static final Pattern FIRST_KEY = Pattern.compile("^[\\s\\ufeff]*[\\[{][\\s\\[{]*\"([a-z_]{1,40})\"");

    private EvidenceKind() {}

    /** Opens a file; errors say what is wrong with it, and do not name it. */
    public static InputStream open(Path path) throws IOException {
        return Inputs.open(path);
    }

    /**
     * Whether an input is a snapshot, or something that must be refused like one; anything else is text. The stream must support marks, and
     * stands where it stood.
     */
    public static boolean isSnapshot(InputStream stream) throws IOException {
        stream.mark(HEAD);
        byte[] head = stream.readNBytes(HEAD);
        stream.reset();
        try {
            return isSnapshot(Inputs.open(new ByteArrayInputStream(head), ReadLimits.DEFAULT)
                    .head());
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean isSnapshot(byte[] head) {
        String text = new String(head, StandardCharsets.ISO_8859_1);
        return switch (Inputs.firstInk(head)) {
            case 0x80 -> true;
            case '{', '[' -> isSnapshotJson(text);
            case '<' -> isPage(text.toLowerCase(Locale.ROOT));
            case '(', ']', '}' -> isPickle(head);
            default -> false;
        };
    }

    /** A line of a log may begin like JSON, with a rank or a time, or be JSON; a snapshot begins with one of its own keys, or has none. */
    static boolean isSnapshotJson(String text) {
        Matcher first = FIRST_KEY.matcher(text);
        boolean isEmpty = text.strip().equals("{}") || text.strip().equals("[]");
        return isEmpty || (first.find() && Vocabulary.isKey(first.group(1)));
    }

    /** Whether what begins with a bracket or a brace is an old pickle; logs begin so too, with the name of whoever speaks. */
    static boolean isPickle(byte[] head) {
        String text = Inputs.text(head);
        return text.startsWith("(d") || text.startsWith("(l") || hasControls(head);
    }

    private static boolean isPage(String text) {
        return text.contains("<html") || text.contains("<!doctype");
    }

    /** Whether there are bytes that texts do not have; terminals' escapes and the NULs of rotated logs are in some. */
    static boolean hasControls(byte[] head) {
        for (byte value : head) {
            if (value > 0 && value < ' ' && value != 0x1b && (value < '\b' || value > '\r')) {
                return true;
            }
        }
        return false;
    }
}
