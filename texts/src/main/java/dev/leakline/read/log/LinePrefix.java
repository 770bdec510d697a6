package dev.leakline.read.log;

import dev.leakline.source.lines.LogPiece;
import dev.leakline.text.Ascii;

/**
 * The text before each line of a message: time, level, name of the logger, a quotation mark, the edge of a box. It is known by being alike in
 * the line in which the message begins and in those that follow; digits may differ.
 */
final class LinePrefix {
    static final LinePrefix NONE = new LinePrefix("");

    /** Longer prefixes are none. */
    private static final int MOST = 200;
    /** The most pairs of key and value in JSON that loggers write behind the message. */
    private static final int MOST_PAIRS = 12;

    private static final int MOST_VALUE = 80;
    private static final int MOST_KEY = 32;

    private final String head;

    private LinePrefix(String head) {
        this.head = head;
    }

    /** The line in which a message begins, behind the mark of its speaker. */
    static LinePrefix of(LogPiece piece, int from) {
        return new LinePrefix(new String(piece.text(), from, Math.min(piece.length() - from, MOST)));
    }

    /** How many characters from a place on are such a prefix. */
    int lengthIn(LogPiece piece, int from) {
        char[] text = piece.text();
        int in = 0;
        int at = from;
        int end = from;
        while (in < head.length() && at < piece.length()) {
            char character = text[at];
            if (Ascii.isDigit(character) && Ascii.isDigit(head.charAt(in))) {
                at = digits(text, at, piece.length());
                in = digits(head, in);
            } else if (character == head.charAt(in)) {
                at++;
                in++;
            } else {
                break;
            }
            end = isEdge(text, at, piece.length()) ? at : end;
        }
        return hasMore(text, from, end) ? end - from : 0;
    }

    /** Returns whether a prefix may end at a place: behind a blank or a quotation mark, before what is no blank. */
    private static boolean isEdge(char[] text, int at, int length) {
        char before = text[at - 1];
        return (before == ' ' || before == '"' || before == '>' || before == '|') && (at == length || text[at] != ' ');
    }

    /** Returns whether it is more than digits and blanks, which may be anything. */
    private static boolean hasMore(char[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] != ' ' && !Ascii.isDigit(text[i])) {
                return true;
            }
        }
        return false;
    }

    private static int digits(char[] text, int from, int length) {
        int to = from;
        while (to < length && Ascii.isDigit(text[to])) {
            to++;
        }
        return to;
    }

    private static int digits(String text, int from) {
        int to = from;
        while (to < text.length() && Ascii.isDigit(text.charAt(to))) {
            to++;
        }
        return to;
    }

    /** Where the text of a line ends that is an object of JSON, before the short values behind it; else where the line does. */
    static int end(LogPiece piece, int from) {
        char[] text = piece.text();
        int end = piece.length();
        while (end > from && text[end - 1] == ' ') {
            end--;
        }
        if (end - from < 2 || text[from] != '{' || text[end - 1] != '}') {
            return piece.length();
        }
        end--;
        for (int i = 0; i < MOST_PAIRS; i++) {
            int before = pair(text, from, end);
            if (before < 0) {
                break;
            }
            end = before;
        }
        return end;
    }

    /** Where the comma stands before the last pair of a key and a short value; -1 where there is none. */
    private static int pair(char[] text, int from, int end) {
        int value = end - 1;
        if (value > from && text[value] == '"') {
            value = quote(text, from, value, MOST_VALUE);
        } else {
            while (value > from && end - value < MOST_VALUE && text[value] != ' ' && text[value] != ':') {
                value--;
            }
            value++;
        }
        int colon = value - 1;
        while (colon > from && text[colon] == ' ') {
            colon--;
        }
        if (value < 0 || colon <= from || text[colon] != ':' || text[colon - 1] != '"') {
            return -1;
        }
        int comma = quote(text, from, colon - 1, MOST_KEY) - 1;
        while (comma > from && text[comma] == ' ') {
            comma--;
        }
        return comma > from && text[comma] == ',' ? comma : -1;
    }

    /** Where the string begins whose closing quotation mark stands at a place; -1 where it is longer than so many characters. */
    private static int quote(char[] text, int from, int close, int most) {
        for (int i = close - 1; i > from && close - i < most; i--) {
            if (text[i] == '"') {
                return i;
            }
        }
        return -1;
    }
}
