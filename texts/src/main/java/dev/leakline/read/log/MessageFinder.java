package dev.leakline.read.log;

import dev.leakline.source.FoundMessages;
import dev.leakline.source.lines.FormMemo;
import dev.leakline.source.lines.LogLines;
import dev.leakline.source.lines.LogPiece;
import dev.leakline.source.lines.Speaker;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Finds the messages about memory that ran out in the lines of any text: logs of one process or of many, JSON lines, notebooks, pages.
 *
 * <p>All characters go through one automaton ({@link KeywordIndex}). Where it finds words that begin a message, the lines around are put
 * aside ({@link LogWindow}) and read closely. So a log without messages costs little, and work and memory are bounded by the length of the
 * text and that of a window.
 */
public final class MessageFinder {
    /** Lines kept in case a message begins in the next: what belongs to one stands there, such as the figures of TensorFlow's allocator. */
    private static final int BEFORE = 8;
    /** Lines without any known word after which a message is over: loggers put lines of others in between. */
    private static final int AFTER = 8;

    /**
     * Keywords found in a piece.
     *
     * @param before the state of the index before it
     * @param after the state behind it
     * @param rank the highest rank of a keyword, -1 where there is none
     * @param head the place behind the first that begins a message, or -1
     */
    private record Scan(int before, int after, int rank, int head) {}

    private final LogLines lines;
    private final MessageGroups groups;
    private final KeywordIndex index = Wordings.ALL.index();
    private final FormMemo<Scan> scans = new FormMemo<>();
    private final Deque<LogPiece> recent = new ArrayDeque<>();
    private final LogWindow window = new LogWindow();
    private int silent;

    /** Finds what stands in {@code lines}, which the caller moves on; of one line at most {@code mostOfLine} messages are taken. */
    public MessageFinder(LogLines lines, int mostOfLine) {
        this.lines = lines;
        this.groups = new MessageGroups(mostOfLine);
    }

    /**
     * Takes the piece of a line at which the lines stand; {@code mark} is who speaks, where a line begins with it, {@code whole} the form of the piece
     * ({@link dev.leakline.source.lines.LineForms}), and {@code form} that of what is said.
     */
    public void take(Speaker mark, long whole, long form) {
        Scan scan = scan(whole);
        if (window.isEmpty() && scan.rank < Wordings.PIECE) {
            keep(mark, form);
        } else {
            add(mark, form, scan);
        }
    }

    /** Looks for keywords, of which all lines of a form have the same behind lines that ended alike. */
    private Scan scan(long form) {
        int before = index.state();
        Scan known = scans.get(form);
        if (known != null && known.before == before) {
            index.resume(known.after);
            return known;
        }
        int head = -1;
        int rank = -1;
        for (int at = find(0); at >= 0; at = find(at)) {
            rank = Math.max(rank, index.rank());
            head = head < 0 && index.rank() == Wordings.OPENS ? at : head;
        }
        Scan scan = new Scan(before, index.state(), rank, head);
        scans.put(form, scan);
        return scan;
    }

    private int find(int from) {
        return index.find(lines.text(), from, lines.length());
    }

    private void keep(Speaker mark, long form) {
        LogPiece piece = recent.size() < BEFORE ? new LogPiece() : recent.removeFirst();
        piece.copy(lines, mark, form);
        recent.addLast(piece);
    }

    private void add(Speaker mark, long form, Scan scan) {
        if (window.isFull(scan.head >= 0 && lines.isStart(), silent > 0)) {
            window.readMost(groups);
        }
        while (!recent.isEmpty()) {
            window.add(recent.removeFirst(), -1);
        }
        LogPiece piece = new LogPiece();
        piece.copy(lines, mark, form);
        window.add(piece, scan.head);
        silent = scan.rank >= 0 ? 0 : silent + 1;
        if (silent >= AFTER) {
            window.read(groups);
            silent = 0;
        }
    }

    /** The messages found, after the last line. */
    public FoundMessages finish() {
        window.read(groups);
        return new FoundMessages(
                lines.count(), groups.found(), groups.omitted(), groups.mentions(), groups.mentionCount());
    }
}
