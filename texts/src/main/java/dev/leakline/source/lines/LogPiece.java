package dev.leakline.source.lines;

/** A piece of a line, for whoever looks back; it is filled again and again. */
public final class LogPiece {
    private final PlainText plain = new PlainText();
    private final Origins origins = new Origins();
    private char[] text = {};
    private boolean isPlain;
    private int length;
    private int bytesPerCharacter;
    private long number;
    private boolean isStart;
    private Speaker speaker = Speaker.NOBODY;
    private long form = LineForms.NONE;

    /** Takes over what {@code lines} stand at, who speaks there, and the form of what is said. */
    public void copy(LogLines lines, Speaker mark, long formOfIt) {
        lines.copyTo(this);
        length = lines.length();
        bytesPerCharacter = lines.isUtf16() ? 2 : 1;
        number = lines.number();
        isStart = lines.isStart();
        speaker = mark;
        form = formOfIt;
    }

    /** Goes where a line is that stands for itself. */
    void goTo(PlainText line) {
        isPlain = true;
        line.copyTo(plain);
    }

    /** Takes a copy of a piece. */
    void goTo(PieceText piece) {
        isPlain = false;
        text = text.length < piece.length() ? new char[Math.max(piece.length(), 2 * text.length)] : text;
        System.arraycopy(piece.text(), 0, text, 0, piece.length());
        origins.copy(piece.origins());
    }

    /** The byte of the input that a character of the piece was. */
    public long offset(int index) {
        return isPlain ? plain.offset() + index : origins.of(index) * bytesPerCharacter;
    }

    /** The characters; those from {@link #length} on mean nothing. */
    public char[] text() {
        return isPlain ? plain.text() : text;
    }

    /** How many characters there are. */
    public int length() {
        return length;
    }

    /** The number of the line, from 1. */
    public long number() {
        return number;
    }

    /** Returns whether the piece begins a line. */
    public boolean isStart() {
        return isStart;
    }

    /** The speaker, where the line names one. */
    public Speaker speaker() {
        return speaker;
    }

    /** The form of what is said ({@link LineForms}). */
    public long form() {
        return form;
    }
}
