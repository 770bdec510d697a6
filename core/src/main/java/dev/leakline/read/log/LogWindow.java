package dev.leakline.read.log;

import dev.leakline.read.log.WordingMatcher.Hit;
import dev.leakline.source.lines.FormMemo;
import dev.leakline.source.lines.LogPiece;
import dev.leakline.source.lines.Speaker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A few lines among which messages are, and who says which of them.
 *
 * <p>What loggers write before each line is taken off: whatever is like the beginning of the line in which a message begins, but for its
 * digits. Lines of different ranks, and of different processes where their numbers stand there, are read apart.
 */
final class LogWindow {
    /** Lines and characters of a window after which it is read at the next message that begins behind a line of other things. */
    private static final int MOST_LINES = 256;

    private static final int MOST_CHARACTERS = 1 << 16;
    /** So many times more, it is read at the next message; twice that, in any case. */
    private static final int FOUR_TIMES = 4;

    private static final int EIGHT_TIMES = 8;
    /** Lines that are looked at once more in the next window, for what stands before a message. */
    private static final int BEFORE = 8;
    /** A line that is shorter is not cut at a terminal's last column. */
    private static final int FEWEST_COLUMNS = 20;

    /** A line, and where in it the words that begin a message were found first, or -1. */
    private record Line(LogPiece piece, int head) {}

    /** The lines of one speaker. */
    private static final class Speech {
        private final LogView view = new LogView();
        private final String name;
        private final int rank;
        private LinePrefix prefix = LinePrefix.NONE;
        private int columns;
        private boolean wasCut;

        private Speech(String name, int rank) {
            this.name = name;
            this.rank = rank;
        }
    }

    private final List<Line> lines = new ArrayList<>();
    private final FormMemo<LineMatches> known = new FormMemo<>();
    private final FormMemo<Integer> plain = new FormMemo<>();
    private long characters;
    /** Messages that begin before this byte were read. */
    private long firstNew;

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /**
     * Whether the window has to be read before more is added: a line in which a message begins ({@code isHead}), behind one of other things
     * ({@code isFresh}), or any.
     */
    boolean isFull(boolean isHead, boolean isFresh) {
        return (isHead && isFresh && isOver(1)) || (isHead && isOver(FOUR_TIMES)) || isOver(EIGHT_TIMES);
    }

    private boolean isOver(int times) {
        return lines.size() >= times * MOST_LINES || characters >= (long) times * MOST_CHARACTERS;
    }

    void add(LogPiece piece, int head) {
        lines.add(new Line(piece, head));
        characters += piece.length();
    }

    /** Adds the messages of all lines to {@code groups}, and forgets the lines. */
    void read(MessageGroups groups) {
        readNew(groups);
        lines.clear();
        characters = 0;
        firstNew = 0;
    }

    /** Does the same, but keeps the last lines for what stands before a message. */
    void readMost(MessageGroups groups) {
        readNew(groups);
        lines.subList(0, Math.max(lines.size() - BEFORE, 0)).clear();
        characters = 0;
        LogPiece last = lines.getLast().piece;
        firstNew = last.length() == 0 ? firstNew : last.offset(last.length() - 1) + 1;
    }

    private void readNew(MessageGroups groups) {
        Map<String, Speech> speeches = new LinkedHashMap<>();
        Speaker speaker = Speaker.NOBODY;
        Speech speech = null;
        Line before = null;
        for (Line line : lines) {
            Speaker own = line.piece.speaker();
            speaker = before != null && isWrapped(before, line) ? speaker : own;
            if (speech == null || !speaker.name().equals(speech.name)) {
                int rank = speaker.rank();
                speech = speeches.computeIfAbsent(speaker.name(), name -> new Speech(name, rank));
            }
            append(speech, line);
            before = line;
        }
        for (Speech each : speeches.values()) {
            List<Hit> hits = new WordingMatcher(each.view, known).hits();
            new MessageAssembler(each.view, firstNew, groups, each.rank).run(hits);
        }
    }

    /**
     * Whether a line without a mark goes on with the sentence of the one before: a terminal or an editor that wraps does not repeat the mark. Its first
     * word would not have fitted there, by the length of both, no message begins in it, and the line before does not end a sentence.
     */
    private static boolean isWrapped(Line before, Line line) {
        LogPiece piece = line.piece;
        boolean isBare = piece.isStart() && piece.speaker().name().isEmpty() && line.head < 0;
        int first = wordLength(piece);
        int columns = Math.max(before.piece.length(), piece.length());
        return isBare
                && first > 0
                && columns >= FEWEST_COLUMNS
                && before.piece.length() + 1 + first > columns
                && !endsSentence(before.piece);
    }

    private static int wordLength(LogPiece piece) {
        int to = 0;
        while (to < piece.length() && piece.text()[to] > ' ') {
            to++;
        }
        return to;
    }

    private static boolean endsSentence(LogPiece piece) {
        int last = piece.length() - 1;
        return last < 0 || ".!?:".indexOf(piece.text()[last]) >= 0;
    }

    /** From which place behind the mark of its speaker on a piece stands for itself, as all of its form do. */
    private int plainFrom(LogPiece piece, int from) {
        Integer known = plain.get(piece.form());
        if (known == null) {
            known = LogView.plainFrom(piece, from) - from;
            plain.put(piece.form(), known);
        }
        return known;
    }

    private void append(Speech speech, Line line) {
        LogPiece piece = line.piece;
        int from = piece.isStart() ? piece.speaker().end() : 0;
        int stripped = line.head >= 0 || !piece.isStart() ? 0 : speech.prefix.lengthIn(piece, from);
        int to = LinePrefix.end(piece, from);
        char joint = stripped > 0 || piece.length() > speech.columns || speech.columns < FEWEST_COLUMNS
                ? LogView.END
                : piece.length() == speech.columns || speech.wasCut ? LogView.CUT : LogView.JOINT;
        speech.view.append(piece, from + stripped, to, joint, from + plainFrom(piece, from));
        if (line.head >= 0) {
            speech.prefix = LinePrefix.of(piece, from);
        }
        speech.wasCut = piece.length() == speech.columns && joint == LogView.CUT;
        speech.columns = piece.length();
    }
}
