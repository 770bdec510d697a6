package dev.leakline.read.log;

import dev.leakline.source.lines.FormMemo;
import dev.leakline.source.lines.LogPiece;
import dev.leakline.source.lines.Speaker;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the lines of a window closely. Lines of different ranks, and of different processes where their numbers stand there, are read apart. */
final class WindowReader {
    private final FormMemo<LineMatches> known = new FormMemo<>();

    /** Adds the messages in some lines that begin at a byte or behind it. */
    void read(List<WindowLine> lines, long firstNew, MessageGroups groups) {
        for (Speech speech : speeches(lines)) {
            List<Hit> hits = new WordingMatcher(speech.view(), known).hits();
            new MessageAssembler(speech.view(), firstNew, groups, speech.rank()).run(hits);
        }
    }

    private static Iterable<Speech> speeches(List<WindowLine> lines) {
        Map<String, Speech> speeches = new LinkedHashMap<>();
        Speaker speaker = Speaker.NOBODY;
        Speech speech = null;
        WindowLine before = null;
        for (WindowLine line : lines) {
            speaker = before != null && isWrapped(before, line)
                    ? speaker
                    : line.piece().speaker();
            if (speech == null || !speaker.name().equals(speech.name())) {
                speech = speech(speeches, speaker);
            }
            speech.append(line);
            before = line;
        }
        return speeches.values();
    }

    private static Speech speech(Map<String, Speech> speeches, Speaker speaker) {
        return speeches.computeIfAbsent(speaker.name(), name -> new Speech(name, speaker.rank()));
    }

    /**
     * Returns whether a line without a mark goes on with the sentence of the one before: a terminal or an editor that wraps does not repeat the mark. Its first
     * word would not have fitted there, by the length of both, no message begins in it, and the line before does not end a sentence.
     */
    private static boolean isWrapped(WindowLine before, WindowLine line) {
        LogPiece piece = line.piece();
        LogPiece last = before.piece();
        boolean isBare = piece.isStart() && piece.speaker().name().isEmpty() && line.head() < 0;
        int first = wordLength(piece);
        int columns = Math.max(last.length(), piece.length());
        return isBare
                && first > 0
                && columns >= Speech.FEWEST_COLUMNS
                && last.length() + 1 + first > columns
                && !endsSentence(last);
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
}
