package dev.leakline.read.log;

import dev.leakline.read.log.LogVocabulary.Pattern;
import dev.leakline.source.LogLines;
import java.util.Arrays;

/** The text around a place in a log: the words of the phrase before it, the name of an exception, other words. */
final class Surroundings {
    /** Characters shown on either side of a size that is not understood. */
    private static final int SHOWN = 40;
    /** How far before a message the name of its exception is looked for: {@code CUDA error: } may stand between. */
    private static final int MOST_BEFORE = 24;

    private final LogLines lines;

    Surroundings(LogLines lines) {
        this.lines = lines;
    }

    /** Where the words of a phrase begin in the piece, whose last word begins at {@code from}; where the piece does, if they wrap. */
    int start(Pattern pattern, int from) {
        int start = from;
        int words = (int) Arrays.stream(pattern.symbols())
                .filter(symbol -> symbol != LogVocabulary.COLON)
                .count();
        for (int i = 1; i < words && start > 0; i++) {
            start--;
            while (start > 0 && !isName(lines.text()[start])) {
                start--;
            }
            while (start > 0 && isName(lines.text()[start - 1])) {
                start--;
            }
        }
        return start;
    }

    /** Where the name of an exception begins that stands shortly before a place; -1 where none does. */
    int exception(int before) {
        char[] text = lines.text();
        for (int end = before - 1; end > Math.max(before - MOST_BEFORE, 0); end--) {
            if (text[end] == ':' || text[end] == '(') {
                int start = nameBefore(end);
                String name = new String(text, start, end - start);
                if (name.endsWith("Error") || name.endsWith("Exception")) {
                    return start;
                }
            }
        }
        return -1;
    }

    private int nameBefore(int end) {
        int start = end;
        while (start > 0 && isName(lines.text()[start - 1])) {
            start--;
        }
        return start;
    }

    /** The name that begins at a place. */
    String name(int from) {
        int to = from;
        while (to < lines.length() && isName(lines.text()[to])) {
            to++;
        }
        return new String(lines.text(), from, to - from);
    }

    private static boolean isName(char character) {
        return (Character.isLetterOrDigit(character) && character < 0x80) || character == '.' || character == '_';
    }

    /** The words around a stretch of text, whole ones. */
    String words(int from, int to) {
        char[] text = lines.text();
        int start = Math.max(from - SHOWN, 0);
        int end = Math.min(to + SHOWN, lines.length());
        while (start > 0 && start < from && text[start - 1] != ' ') {
            start++;
        }
        while (end > to && end < lines.length() && text[end] != ' ') {
            end--;
        }
        return new String(text, start, end - start).strip();
    }
}
