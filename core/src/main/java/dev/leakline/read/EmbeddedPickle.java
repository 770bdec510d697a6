package dev.leakline.read;

import dev.leakline.read.ReadException.Code;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The pickle inside a page that {@code torch.cuda._memory_viz} wrote: the first string after {@code "base64":}, decoded. */
final class EmbeddedPickle extends InputStream {
    private static final byte[] KEY = "\"base64\"".getBytes(StandardCharsets.US_ASCII);
    /** What a page of ours holds instead, and no page of torch's does. */
    private static final byte[] OURS = "id=\"leakline-data\"".getBytes(StandardCharsets.US_ASCII);
    /** Characters decoded at a time; a multiple of four. */
    private static final int GROUP = 1 << 14;

    private final InputStream page;
    private byte[] decoded = new byte[0];
    private int at;
    private boolean isLast;

    /** Looks for the pickle; the page stays the caller's to close. */
    EmbeddedPickle(InputStream page) throws IOException {
        this.page = page;
        int matched = 0;
        int ours = 0;
        while (matched < KEY.length) {
            int next = page.read();
            if (next < 0) {
                throw new ReadException(
                        Code.NOT_A_SNAPSHOT, 0, "not a memory snapshot: it is an HTML page without a snapshot inside");
            }
            matched = next == KEY[matched] ? matched + 1 : next == KEY[0] ? 1 : 0;
            ours = next == OURS[ours] ? ours + 1 : next == OURS[0] ? 1 : 0;
            if (ours == OURS.length) {
                throw new ReadException(
                        Code.NOT_A_SNAPSHOT,
                        0,
                        "not a memory snapshot: it is a page that leakline wrote; give the snapshot that it names");
            }
        }
        for (int next = page.read(); next != '"'; next = page.read()) {
            if (next != ':' && !Character.isWhitespace(next)) {
                throw new ReadException(Code.DAMAGED, 0, "the page names a snapshot but does not hold one");
            }
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (at == decoded.length && !decode()) {
            return -1;
        }
        int count = Math.min(length, decoded.length - at);
        System.arraycopy(decoded, at, bytes, offset, count);
        at += count;
        return count;
    }

    private boolean decode() throws IOException {
        byte[] group = new byte[GROUP];
        int filled = 0;
        while (!isLast && filled < GROUP) {
            int next = page.read();
            isLast = next == '"' || next < 0;
            if (!isLast && next != '\\') { // JSON may write a slash as backslash and slash
                group[filled++] = (byte) next;
            }
        }
        try {
            decoded = Base64.getDecoder().decode(java.util.Arrays.copyOf(group, filled));
        } catch (IllegalArgumentException e) {
            throw new ReadException(Code.DAMAGED, -1, "the snapshot inside the page is not base64: " + e.getMessage());
        }
        at = 0;
        return decoded.length > 0;
    }
}
