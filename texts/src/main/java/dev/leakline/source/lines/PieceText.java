package dev.leakline.source.lines;

/** The characters of a piece of a line. A piece that is full ends before the word that it would cut in two. */
final class PieceText {
    /** Longer than any message, and than nearly every line. */
    static final int MOST = 8192;

    private final char[] text = new char[MOST];
    private final Origins origins = new Origins();
    private int length;
    /** Characters behind those of the piece that belong to the next. */
    private int carried;

    /** Begins the next piece. */
    void begin() {
        int from = MOST - carried;
        System.arraycopy(text, from, text, 0, carried);
        if (carried == 0) {
            origins.clear();
        } else {
            origins.drop(from);
        }
        length = carried;
        carried = 0;
    }

    /** How many more characters it may have. */
    int room() {
        return MOST - length;
    }

    /** Adds characters between two places of a buffer, of which the first is from a place in the input. */
    void add(char[] buffer, int from, int to, long origin) {
        if (to > from) {
            origins.come(length, origin);
            System.arraycopy(buffer, from, text, length, to - from);
            length += to - from;
        }
    }

    /** Adds a character; some are blanks. */
    void add(char character, long origin) {
        origins.come(length, origin);
        text[length++] = character == '\t' || character == 0xa0 ? ' ' : character;
    }

    /** Keeps for the next piece the word that this one would cut in two. */
    void cut() {
        int blank = length;
        while (blank > 0 && text[blank - 1] != ' ') {
            blank--;
        }
        carried = blank == 0 ? 0 : MOST - blank;
        length = MOST - carried;
    }

    /** Returns whether the next piece has a beginning. */
    boolean isCarried() {
        return carried > 0;
    }

    /** The characters; those from {@link #length} on mean nothing. */
    char[] text() {
        return text;
    }

    /** How many there are. */
    int length() {
        return length;
    }

    /** Where they stood. */
    Origins origins() {
        return origins;
    }
}
