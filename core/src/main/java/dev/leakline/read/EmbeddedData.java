package dev.leakline.read;

import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * The decoded base64 data of an HTML page: the pickle in a page that {@code torch.cuda._memory_viz} wrote, which is the first string after
 * {@code "base64":}, or the report in a page of Leakline, which is the content of the element {@code leakline-data}.
 */
final class EmbeddedData extends InputStream {
    private static final byte[] PICKLE = "\"base64\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REPORT = "id=\"leakline-data\"".getBytes(StandardCharsets.US_ASCII);
    /** Characters decoded at a time; a multiple of four. */
    private static final int GROUP = 1 << 14;

    private final InputStream page;
    private final boolean isReport;
    private final char end;
    private byte[] decoded = new byte[0];
    private int at;
    private boolean isLast;

    /** Looks for the data; the page stays the caller's to close. */
    EmbeddedData(InputStream page) throws IOException {
        this.page = page;
        this.isReport = findReport();
        this.end = isReport ? '<' : '"';
        skipTo(isReport ? '>' : '"');
    }

    /** Returns whether it is a report, and no snapshot. */
    boolean isReport() {
        return isReport;
    }

    /** Reads until either of the two begins; answers whether it is the report. */
    private boolean findReport() throws IOException {
        int pickle = 0;
        int report = 0;
        while (pickle < PICKLE.length && report < REPORT.length) {
            int next = page.read();
            if (next < 0) {
                throw new ReadException(
                        Code.NOT_A_SNAPSHOT,
                        0,
                        "not a memory snapshot: it is an HTML page that contains neither a snapshot nor a report");
            }
            pickle = next == PICKLE[pickle] ? pickle + 1 : next == PICKLE[0] ? 1 : 0;
            report = next == REPORT[report] ? report + 1 : next == REPORT[0] ? 1 : 0;
        }
        return report == REPORT.length;
    }

    private void skipTo(char begin) throws IOException {
        for (int next = page.read(); next != begin; next = page.read()) {
            if (next != ':' && !Character.isWhitespace(next)) {
                throw new ReadException(
                        Code.DAMAGED,
                        0,
                        "the page refers to a " + (isReport ? "report" : "snapshot") + " but does not contain it");
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
        boolean isCut = false;
        while (!isLast && filled < GROUP) {
            int next = page.read();
            isCut = next < 0;
            isLast = next == end || isCut;
            if (!isLast && next != '\\') { // JSON may write a slash as backslash and slash
                group[filled++] = (byte) next;
            }
        }
        try {
            decoded = Base64.getDecoder().decode(Arrays.copyOf(group, isCut ? filled / 4 * 4 : filled));
        } catch (IllegalArgumentException e) {
            throw new ReadException(Code.DAMAGED, -1, "the data in the page is not base64: " + e.getMessage());
        }
        at = 0;
        return decoded.length > 0;
    }
}
