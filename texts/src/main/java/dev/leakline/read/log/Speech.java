package dev.leakline.read.log;

import dev.leakline.source.lines.LogPiece;

/**
 * The lines of one speaker. What loggers write before each is taken off: whatever is like the beginning of the line in which a message begins, but for
 * its digits.
 */
final class Speech {
    /** A line that is shorter is not cut at a terminal's last column. */
    static final int FEWEST_COLUMNS = 20;

    private final LogView view = new LogView();
    private final String name;
    private final int rank;

    private LinePrefix prefix = LinePrefix.NONE;
    private int columns;
    private boolean wasCut;

    Speech(String name, int rank) {
        this.name = name;
        this.rank = rank;
    }

    /** The speaker's name. */
    String name() {
        return name;
    }

    /** Its rank, -1 where lines do not say. */
    int rank() {
        return rank;
    }

    /** The text. */
    LogView view() {
        return view;
    }

    /** Adds a line. */
    void append(WindowLine line) {
        LogPiece piece = line.piece();
        int from = piece.isStart() ? piece.speaker().end() : 0;
        int stripped = line.head() >= 0 || !piece.isStart() ? 0 : prefix.lengthIn(piece, from);
        char joint = joint(piece.length(), stripped);
        view.append(piece, from + stripped, LinePrefix.end(piece, from), joint);
        if (line.head() >= 0) {
            prefix = LinePrefix.of(piece, from);
        }
        wasCut = piece.length() == columns && joint == LogView.CUT;
        columns = piece.length();
    }

    private char joint(int length, int stripped) {
        if (stripped > 0 || length > columns || columns < FEWEST_COLUMNS) {
            return LogView.END;
        }
        return length == columns || wasCut ? LogView.CUT : LogView.JOINT;
    }
}
