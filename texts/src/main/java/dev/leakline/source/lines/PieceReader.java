package dev.leakline.source.lines;

import java.io.IOException;

/** Reads pieces of lines a character at a time, and leaves out what hides words: colours, NULs, the escapes of JSON and of Python's repr. */
final class PieceReader {
    /** How a piece ended. */
    enum End {
        /** At the end of a line. */
        LINE,
        /** At a carriage return in it. */
        RETURN,
        /** In its middle, as it is too long. */
        CUT,
        /** At the end of the input. */
        INPUT
    }

    private final PieceText piece = new PieceText();
    private final CharacterWindow input;
    private final Escapes escapes;

    PieceReader(CharacterInput input) {
        this.input = new CharacterWindow(input);
        this.escapes = new Escapes(this.input, piece);
    }

    /** Reads the next piece. */
    End read() throws IOException {
        piece.begin();
        input.copyPlain(piece);
        while (piece.room() > 0) {
            int character = input.take();
            if (character < 0) {
                return End.INPUT;
            }
            if (character == '\n' || character == '\r') {
                return end(character);
            }
            escapes.keep(character);
            input.copyPlain(piece);
        }
        piece.cut();
        return End.CUT;
    }

    private End end(int character) throws IOException {
        boolean isLine = character == '\n' || input.peek(0) == '\n';
        if (character == '\r' && isLine) {
            input.skip(1);
        }
        return isLine ? End.LINE : End.RETURN;
    }

    /** Returns whether nothing was taken that is of the next piece. */
    boolean isBetween() {
        return input.isEmpty() && !piece.isCarried();
    }

    /** Moves to a position of the input, in characters. */
    void goTo(long position) {
        input.goTo(position);
    }

    /** Characters of the input that were taken. */
    long position() {
        return input.position();
    }

    /** The piece. */
    PieceText piece() {
        return piece;
    }
}
