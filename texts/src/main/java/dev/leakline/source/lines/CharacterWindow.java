package dev.leakline.source.lines;

import java.io.IOException;

/** The next characters of an input. */
final class CharacterWindow {
    private static final int BUFFER = 1 << 16;
    /** The longest escape that is looked at as one: a backslash, {@code u}, four digits. */
    private static final int LOOK_AHEAD = 6;

    private final CharacterInput input;
    private final char[] buffer = new char[BUFFER];
    private int next;
    private int end;
    private long offset;
    private boolean isEnd;

    CharacterWindow(CharacterInput input) {
        this.input = input;
    }

    /** Takes the next character; -1 where there is none. */
    int take() throws IOException {
        int character = peek(0);
        next += character < 0 ? 0 : 1;
        return character;
    }

    /** A character from here on, or -1 behind the end. */
    int peek(int ahead) throws IOException {
        if (next + ahead >= end && !isEnd) {
            fill();
        }
        return next + ahead < end ? buffer[next + ahead] : -1;
    }

    private void fill() throws IOException {
        System.arraycopy(buffer, next, buffer, 0, end - next);
        offset += next;
        end -= next;
        next = 0;
        while (end < LOOK_AHEAD && !isEnd) {
            int read = input.read(buffer, end, BUFFER - end);
            isEnd = read < 0;
            end += Math.max(read, 0);
        }
    }

    /** Passes over characters that were looked at. */
    void skip(int count) {
        next += count;
    }

    /** Takes what stands for itself, which is nearly all there is. */
    void copyPlain(PieceText piece) {
        int to = next + Math.min(end - next, piece.room());
        int at = next;
        while (at < to && isPlain(buffer[at])) {
            at++;
        }
        piece.add(buffer, next, at, offset + next);
        next = at;
    }

    private static boolean isPlain(char character) {
        return character >= ' ' && character != '\\' && character != 0xa0;
    }

    /** Returns whether all that was read is taken. */
    boolean isEmpty() {
        return next == end;
    }

    /** Goes on behind so many characters of the input, as somebody else read those before. */
    void goTo(long position) {
        offset = position - next;
    }

    /** Characters of the input that were taken. */
    long position() {
        return offset + next;
    }
}
