package dev.leakline.lint.python;

/** The text between the nodes of a syntax tree, which has no node of its own there: brackets, operators, keywords and names. */
final class SourceGaps {
    private final String text;

    SourceGaps(String text) {
        this.text = text;
    }

    /** The start of the next token: behind white space, comments and lines that go on. */
    int next(int from) {
        int i = from;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '#') {
                while (i < text.length() && text.charAt(i) != '\n' && text.charAt(i) != '\r') {
                    i++;
                }
            } else if (!Character.isWhitespace(c) && c != '\\') {
                return i;
            } else {
                i++;
            }
        }
        return i;
    }

    boolean hasNext(int from, String token) {
        return text.startsWith(token, next(from));
    }

    /** The end of a token that comes next. */
    int behind(int from, String token) {
        int at = next(from);
        return text.startsWith(token, at) ? at + token.length() : at;
    }

    /** The start of a keyword that comes after a block: the last statement of it may end in a semicolon. */
    int keyword(int from) {
        int at = next(from);
        while (at < text.length() && text.charAt(at) == ';') {
            at = next(at + 1);
        }
        return at;
    }

    /** The end of the name that begins here. */
    int wordEnd(int start) {
        int i = start;
        while (i < text.length() && Character.isUnicodeIdentifierPart(text.codePointAt(i))) {
            i += Character.charCount(text.codePointAt(i));
        }
        return i;
    }

    /** The start of a token of characters of one kind, such as two stars, that stands before the place. */
    int before(int place, char token) {
        int i = place;
        while (i > 0 && (Character.isWhitespace(text.charAt(i - 1)) || text.charAt(i - 1) == '\\')) {
            i--;
        }
        while (i > 0 && text.charAt(i - 1) == token) {
            i--;
        }
        return i;
    }

    boolean startsWith(String token, int at) {
        return text.startsWith(token, at);
    }

    /** Tells whether a string consists of several, side by side. */
    boolean isJoined(int start, int end) {
        int quotes = start;
        while (Character.isLetter(text.charAt(quotes))) {
            quotes++;
        }
        char quote = text.charAt(quotes);
        String close = text.startsWith(String.valueOf(quote).repeat(3), quotes)
                ? String.valueOf(quote).repeat(3)
                : String.valueOf(quote);
        int i = quotes + close.length();
        while (i < end && !text.startsWith(close, i)) {
            i += text.charAt(i) == '\\' ? 2 : 1;
        }
        return i + close.length() < end;
    }
}
