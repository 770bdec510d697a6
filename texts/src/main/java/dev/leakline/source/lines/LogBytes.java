package dev.leakline.source.lines;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The bytes of a log, a chunk at a time. A chunk is never written over, so that who keeps it may look later at a line in it. The same bytes are kept as
 * words of eight, the first the lowest, as lines are compared by those.
 */
final class LogBytes implements CharacterInput {
    private static final int CHUNK = 1 << 17;
    /** As much is read at a time: what a stream fails in the middle of is lost. */
    private static final int MOST_READ = 1 << 13;

    private final InputStream stream;
    private final long[] words = new long[CHUNK / Long.BYTES + 2];
    private byte[] chunk = new byte[CHUNK];
    private LongBuffer asWords = words(chunk);
    private int next;
    private int end;
    private long chunkOffset;
    private boolean isEnd;

    LogBytes(InputStream stream) {
        this.stream = stream;
    }

    private static LongBuffer words(byte[] chunk) {
        return ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    }

    /** How many bytes stand before the next control character, such as the end of a line; more than {@code most} where it is further or there is none. */
    int untilControl(int most) throws IOException {
        int found = ByteWords.firstControl(words, next, last());
        while (found < 0 && end - next <= most && fill()) {
            found = ByteWords.firstControl(words, next, last());
        }
        return found < 0 ? Integer.MAX_VALUE : found - next;
    }

    /** Where bytes end behind which one more is known, as a carriage return is told by what stands behind it. */
    private int last() {
        return isEnd ? end : end - 1;
    }

    /** Returns whether a line, or what a carriage return takes back, ends behind so many bytes. */
    boolean isEndOfLine(int length) {
        int at = next + length;
        return at < last() && (chunk[at] == '\n' || chunk[at] == '\r');
    }

    /** Goes on behind so many bytes and the end of the line there; false where that is but a carriage return in it. */
    boolean skipLine(int length) {
        next += length + 1;
        boolean isReturn = chunk[next - 1] == '\r';
        boolean isLine = !isReturn || (next < end && chunk[next] == '\n');
        next += isReturn && isLine ? 1 : 0;
        return isLine;
    }

    /** Reads more, into a new chunk where this one is full; false where there is no more. */
    private boolean fill() throws IOException {
        if (isEnd) {
            return false;
        }
        if (chunk.length - end < MOST_READ) {
            beginChunk();
        }
        int count = stream.read(chunk, end, MOST_READ);
        isEnd = count < 0;
        int first = end / Long.BYTES;
        end += Math.max(count, 0);
        asWords.get(first, words, first, (end + Long.BYTES - 1) / Long.BYTES - first);
        return true;
    }

    private void beginChunk() {
        byte[] old = chunk;
        chunk = new byte[CHUNK];
        asWords = words(chunk);
        System.arraycopy(old, next, chunk, 0, end - next);
        chunkOffset += next;
        end -= next;
        next = 0;
        asWords.get(0, words, 0, (end + Long.BYTES - 1) / Long.BYTES);
    }

    /** Up to the end of the line, or as many as there is room for: characters that take a byte each. */
    @Override
    public int read(char[] buffer, int from, int most) throws IOException {
        while (next == end && fill()) {}
        int count = 0;
        byte last = 0;
        while (count < most && next < end && last != '\n') {
            last = chunk[next++];
            buffer[from + count++] = (char) (last & 0xff);
        }
        return count == 0 ? -1 : count;
    }

    /** The chunk that the next byte is in. */
    byte[] chunk() {
        return chunk;
    }

    /** The chunk as words. */
    long[] words() {
        return words;
    }

    /** Where the next byte stands in its chunk. */
    int next() {
        return next;
    }

    /** Bytes before the next one. */
    long position() {
        return chunkOffset + next;
    }
}
