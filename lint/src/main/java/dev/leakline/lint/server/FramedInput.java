package dev.leakline.lint.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a client without those that would leave the listener deaf: a header without a length, a length that no message has, JSON that is
 * nested deeper than its reader's stack. What is no message is skipped up to the next header.
 */
final class FramedInput extends InputStream {
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length:[ \\t]{0,4}(\\d{1,9})[ \\t]{0,4}$");
    /** Characters of a line of a header. */
    private static final int MOST_OF_LINE = 1024;
    /** Bytes of a message; a document has far less. */
    private static final int MOST = 64 << 20;
    /** No message of the protocol is nested a tenth as deep. */
    private static final int MOST_DEPTH = 200;

    private final BufferedInputStream in;
    private InputStream message = InputStream.nullInputStream();

    FramedInput(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = message.read(bytes, offset, length);
        while (count < 0) {
            InputStream next = next();
            if (next == null) {
                return -1;
            }
            message = next;
            count = message.read(bytes, offset, length);
        }
        return count;
    }

    /** The next message with its header, null at the end. */
    private @Nullable InputStream next() throws IOException {
        int length = -1;
        for (String line = line(); line != null; line = line()) {
            Matcher matcher = LENGTH.matcher(line);
            if (matcher.find()) {
                length = Integer.parseInt(matcher.group(1));
            } else if (line.isEmpty() && length > 0 && length <= MOST) {
                byte[] body = in.readNBytes(length);
                if (body.length == length && depth(body) <= MOST_DEPTH) {
                    byte[] head = ("Content-Length: " + length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
                    ByteArrayOutputStream whole = new ByteArrayOutputStream(head.length + length);
                    whole.writeBytes(head);
                    whole.writeBytes(body);
                    return new ByteArrayInputStream(whole.toByteArray());
                }
                length = -1;
            } else if (line.isEmpty()) {
                length = -1;
            }
        }
        return null;
    }

    /** The end of a line, without what ends it; null at the end of all. */
    private @Nullable String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        if (next < 0) {
            return null;
        }
        while (next >= 0 && next != '\n') {
            if (line.length() == MOST_OF_LINE) {
                line.delete(0, MOST_OF_LINE / 2);
            }
            line.append((char) next);
            next = in.read();
        }
        int end = line.length();
        return line.substring(0, end > 0 && line.charAt(end - 1) == '\r' ? end - 1 : end);
    }

    private static int depth(byte[] json) {
        int depth = 0;
        int most = 0;
        boolean isText = false;
        for (int i = 0; i < json.length; i++) {
            switch (json[i]) {
                case '\\' -> i += isText ? 1 : 0;
                case '"' -> isText = !isText;
                case '[', '{' -> depth += isText ? 0 : 1;
                case ']', '}' -> depth -= isText ? 0 : 1;
                default -> {}
            }
            most = Math.max(most, depth);
        }
        return most;
    }

    @Override
    public int available() throws IOException {
        return message.available();
    }
}
