package dev.leakline.source.lines;

import java.io.IOException;

/** Takes characters that may stand for others, or for none. */
final class Escapes {
    /** A control sequence of a terminal has a few parameters; what goes on longer is none. */
    private static final int MOST_SEQUENCE = 64;

    private static final char ESCAPE = 0x1b;
    private static final char BELL = 0x07;

    private final CharacterWindow input;
    private final PieceText piece;

    /** Goes on in the input where an escape does, and adds to a piece what it stands for. */
    Escapes(CharacterWindow input, PieceText piece) {
        this.input = input;
        this.piece = piece;
    }

    /** Takes a character of the input and what belongs to it. */
    void keep(int character) throws IOException {
        switch (character) {
            case 0 -> {}
            case ESCAPE -> skipSequence();
            case '\\' -> unescape();
            default -> add((char) character);
        }
    }

    private void add(char character) {
        piece.add(character, input.position() - 1);
    }

    /** An escape in a string of JSON or of Python's repr; of several backslashes before it, as strings within strings have, the last counts. */
    private void unescape() throws IOException {
        switch (input.peek(0)) {
            case 'n', 'r', 't' -> {
                input.skip(1);
                add(' ');
            }
            case 'u' -> unescape(1, 4);
            case 'x' -> unescape(1, 2);
            case '\\', '"', '\'', '/' -> {}
            default -> add('\\');
        }
    }

    private void unescape(int from, int digits) throws IOException {
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = Character.digit(input.peek(i), 16);
            if (digit < 0) {
                add('\\');
                return;
            }
            value = value * 16 + digit;
        }
        input.skip(from + digits);
        switch (value) {
            case ESCAPE -> skipSequence();
            default -> add(value >= ' ' && value < 0x80 ? (char) value : ' ');
        }
    }

    /** Skips what follows an escape character: a control sequence up to its letter, or a title up to its bell. */
    private void skipSequence() throws IOException {
        int kind = input.peek(0);
        if (kind != '[' && kind != ']') {
            return;
        }
        input.skip(1);
        for (int i = 0; i < MOST_SEQUENCE; i++) {
            int character = input.peek(0);
            if (character < ' ' && character != BELL) {
                return;
            }
            input.skip(1);
            if (kind == '[' ? character >= '@' && character <= '~' : character == BELL) {
                return;
            }
        }
    }
}
