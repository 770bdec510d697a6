package dev.leakline.read.log;

import dev.leakline.source.lines.LogPiece;
import java.util.ArrayList;
import java.util.List;

/** A few lines among which messages are. */
final class LogWindow {
    /** Lines and characters of a window after which it is read at the next message that begins behind a line of other things. */
    private static final int MOST_LINES = 256;

    private static final int MOST_CHARACTERS = 1 << 16;
    /** Multiple of that size at which it is read at the next message; at twice that, in any case. */
    private static final int FOUR_TIMES = 4;

    private static final int EIGHT_TIMES = 8;
    /** Lines that are looked at once more in the next window, for what stands before a message. */
    private static final int BEFORE = 8;

    private final List<WindowLine> lines = new ArrayList<>();
    private final WindowReader reader = new WindowReader();
    private long characters;
    /** Messages that begin before this byte were read. */
    private long firstNew;

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /**
     * Returns whether the window has to be read before more is added: a line in which a message begins ({@code isHead}), behind one of other things
     * ({@code isFresh}), or any.
     */
    boolean isFull(boolean isHead, boolean isFresh) {
        return (isHead && isFresh && isOver(1)) || (isHead && isOver(FOUR_TIMES)) || isOver(EIGHT_TIMES);
    }

    private boolean isOver(int times) {
        return lines.size() >= times * MOST_LINES || characters >= (long) times * MOST_CHARACTERS;
    }

    void add(LogPiece piece, int head) {
        lines.add(new WindowLine(piece, head));
        characters += piece.length();
    }

    /** Adds the messages of all lines to {@code groups}, and forgets the lines. */
    void read(MessageGroups groups) {
        reader.read(lines, firstNew, groups);
        lines.clear();
        characters = 0;
        firstNew = 0;
    }

    /** Does the same, but keeps the last lines for what stands before a message. */
    void readMost(MessageGroups groups) {
        reader.read(lines, firstNew, groups);
        lines.subList(0, Math.max(lines.size() - BEFORE, 0)).clear();
        characters = 0;
        LogPiece last = lines.getLast().piece();
        firstNew = last.length() == 0 ? firstNew : last.offset(last.length() - 1) + 1;
    }
}
