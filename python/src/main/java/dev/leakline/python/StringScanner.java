package dev.leakline.python;

/** Finds where strings end, and stretches of text in format strings. A string that ends nowhere ends with its line, and is an error. */
final class StringScanner {
    static final String UNTERMINATED = "unterminated string literal";
    /** The bits for letters before the quotes. */
    static final int RAW = 1;

    static final int BYTES = 2;
    static final int FORMAT = 8;
    static final int TEMPLATE = 16;
    private static final String LETTERS = "rbuft";
    private static final int UNICODE = 4;

    private final Characters text;
    private final char[] chars;
    private final int end;
    private final Tokens tokens;
    /** Set where strings of three quotes, double or single ones, are known to end nowhere. */
    private boolean noDoubleTriple;

    private boolean noSingleTriple;

    StringScanner(Characters text, Tokens tokens) {
        this.text = text;
        this.chars = text.chars;
        this.end = text.end;
        this.tokens = tokens;
    }

    /** Forgets what was found out further on. */
    void forget() {
        noDoubleTriple = false;
        noSingleTriple = false;
    }

    /** The letters before quotes as bits; -1 if they belong to no string. */
    int prefix(int start, int quotes) {
        int seen = 0;
        for (int i = start; i < quotes && i < start + 3; i++) {
            int letter = LETTERS.indexOf(chars[i] | ' ');
            if (letter < 0 || (seen & (1 << letter)) != 0) {
                return -1;
            }
            seen |= 1 << letter;
        }
        boolean isPair = quotes - start == 2 && (seen & RAW) != 0 && (seen & UNICODE) == 0;
        return quotes - start <= 1 || isPair ? seen : -1;
    }

    int shortEnd(int inside, char quote) {
        int i = inside;
        for (; i < end && chars[i] != '\n' && chars[i] != '\r'; i++) {
            if (chars[i] == quote) {
                return i + 1;
            }
            if (chars[i] == '\\') {
                i = text.escaped(i);
            }
        }
        int stop = Math.min(i, end);
        tokens.error(stop, UNTERMINATED);
        return stop;
    }

    int tripleEnd(int inside, char quote) {
        if (quote == '"' ? !noDoubleTriple : !noSingleTriple) {
            for (int i = inside; i < end; i++) {
                if (chars[i] == quote && text.isTriple(i)) {
                    return i + 3;
                }
                if (chars[i] == '\\') {
                    i = text.escaped(i);
                }
            }
        }
        noDoubleTriple |= quote == '"';
        noSingleTriple |= quote != '"';
        tokens.error(inside, UNTERMINATED);
        return text.lineEnd(inside);
    }

    /** The end of the text of a format string that begins here: before a field, the quotes, or the brace behind a specification. */
    int textEnd(int start, OpenBrackets open) {
        boolean isText = open.top() == OpenBrackets.STRING;
        boolean isTriple = open.isTriple();
        boolean isRaw = open.isRaw();
        char quote = open.quote();
        int i = start;
        while (i < end) {
            char c = chars[i];
            if (c == '\\') {
                i = afterBackslash(i, isRaw);
            } else if ((c == '{' || c == '}') && isText && chars[i + 1] == c) {
                i += 2;
            } else if (c == '{' || (c == '}' && !isText) || (c == quote && (!isTriple || text.isTriple(i)))) {
                break;
            } else if ((c == '\n' || c == '\r') && !isTriple) {
                break;
            } else {
                i++;
            }
        }
        return Math.min(i, end);
    }

    private int afterBackslash(int i, boolean isRaw) {
        char next = chars[i + 1];
        if (next == '{' || next == '}') {
            return i + 1;
        }
        if (next == 'N' && chars[i + 2] == '{' && !isRaw) {
            int close = i + 3;
            while (close < end && Characters.isNameOfCharacter(chars[close])) {
                close++;
            }
            return chars[close] == '}' ? close + 1 : i + 2;
        }
        return text.escaped(i) + 1;
    }
}
