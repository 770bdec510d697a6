package dev.leakline.python;

/** The characters of a text, with a few zeros behind them, so that nobody who looks ahead has to ask for the end. */
final class Characters {
    private static final int AHEAD = 4;
    private static final byte LETTER = 1;
    private static final byte DIGIT = 2;
    /** The part that each character of ASCII has in a word: a letter, a digit or nothing. */
    private static final byte[] CLASSES = classes();

    final char[] chars;
    final int end;

    Characters(String text) {
        end = text.length();
        chars = new char[end + AHEAD];
        text.getChars(0, end, chars, 0);
    }

    private static byte[] classes() {
        byte[] classes = new byte[128];
        for (char c = 0; c < classes.length; c++) {
            if (c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
                classes[c] = LETTER;
            } else if (c >= '0' && c <= '9') {
                classes[c] = DIGIT;
            }
        }
        return classes;
    }

    static boolean isLetter(char c) {
        return c < CLASSES.length && CLASSES[c] == LETTER;
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Tells whether a character may stand in the name of a character, as in {@code \N{EM DASH}}. */
    static boolean isNameOfCharacter(char c) {
        return isLetter(c) || isDigit(c) || c == ' ' || c == '-' || c == '(' || c == ')';
    }

    /** The end of the word that begins here, with whatever character. */
    int wordEnd(int start) {
        int i = start + characterLength(start);
        while (true) {
            char c = chars[i];
            if (c < CLASSES.length) {
                if (CLASSES[c] == 0) {
                    return i;
                }
                i++;
            } else if (Character.isUnicodeIdentifierPart(codePoint(i))
                    && !Character.isIdentifierIgnorable(codePoint(i))) {
                i += characterLength(i);
            } else {
                return i;
            }
        }
    }

    boolean isIdentifierStart(int at) {
        return Character.isUnicodeIdentifierStart(codePoint(at));
    }

    private int codePoint(int at) {
        return Character.codePointAt(chars, at);
    }

    int characterLength(int at) {
        return Character.charCount(codePoint(at));
    }

    int lineEnd(int start) {
        int i = start;
        while (i < end && chars[i] != '\n' && chars[i] != '\r') {
            i++;
        }
        return i;
    }

    /** The start of the next line, if a line break is here. */
    int afterBreak(int at) {
        return chars[at] == '\r' && chars[at + 1] == '\n' ? at + 2 : at + 1;
    }

    /** The start of the line of a place that has only white space before it. */
    int lineStart(int place) {
        int i = place;
        while (i > 0 && isSpace(chars[i - 1])) {
            i--;
        }
        return i;
    }

    boolean isFirstOfLine(int place) {
        int start = lineStart(place);
        return start == 0 || chars[start - 1] == '\n' || chars[start - 1] == '\r';
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\f';
    }

    /** The last character that a backslash takes its meaning from; a line break is one, be it of two characters. */
    int escaped(int backslash) {
        int next = backslash + 1;
        return chars[next] == '\r' && chars[next + 1] == '\n' ? next + 1 : next;
    }

    /** Tells whether the character stands here three times. */
    boolean isTriple(int at) {
        return chars[at + 1] == chars[at] && chars[at + 2] == chars[at];
    }
}
