package dev.leakline.source.lines;

/** A piece of a line all of whose characters stand for themselves. It stays in its chunk until somebody wants characters. */
final class PlainText {
    private byte[] chunk = {};
    private int from;
    private int length;
    private long offset;
    private char[] text = {};
    private boolean isDecoded;

    /** Goes to a stretch of a chunk, which begins at a byte of the input. */
    void goTo(byte[] bytes, int place, int count, long origin) {
        chunk = bytes;
        from = place;
        length = count;
        offset = origin;
        isDecoded = false;
    }

    /** Has another one go where this is. */
    void copyTo(PlainText other) {
        other.goTo(chunk, from, length, offset);
    }

    /** The characters; those behind the last mean nothing. */
    char[] text() {
        if (!isDecoded) {
            text = text.length < length ? new char[length] : text;
            for (int i = 0; i < length; i++) {
                text[i] = (char) (chunk[from + i] & 0xff);
            }
            isDecoded = true;
        }
        return text;
    }

    /** Copies bytes from a place on. */
    void copy(int index, byte[] bytes, int count) {
        System.arraycopy(chunk, from + index, bytes, 0, count);
    }

    /** A byte. */
    byte at(int index) {
        return chunk[from + index];
    }

    /** The byte of the input at which it begins. */
    long offset() {
        return offset;
    }
}
