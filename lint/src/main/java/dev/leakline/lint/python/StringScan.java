package dev.leakline.lint.python;

import dev.leakline.lint.python.Tokens.Unexpected;

/** Finds where string literals end, and the parts of what is in braces in f-strings. */
final class StringScan {
    private static final int LONGEST_PREFIX = 2;

    private StringScan() {}

    /** Whether this word before a quote belongs to the string. */
    static boolean isPrefix(String text, int start, int end) {
        for (int i = start; i < end; i++) {
            if ("rRbBuUfFtT".indexOf(text.charAt(i)) < 0) {
                return false;
            }
        }
        return end - start <= LONGEST_PREFIX;
    }

    /** The first quote of a string that begins here. */
    static int quote(String text, int start) {
        int at = start;
        while (text.charAt(at) != '"' && text.charAt(at) != '\'') {
            at++;
        }
        return at;
    }

    static boolean isFormatted(String text, int start, int quote) {
        for (int i = start; i < quote; i++) {
            if ("fFtT".indexOf(text.charAt(i)) >= 0) {
                return true;
            }
        }
        return false;
    }

    static int quotes(String text, int quote, int limit) {
        char c = text.charAt(quote);
        boolean triple = quote + 2 < limit && text.charAt(quote + 1) == c && text.charAt(quote + 2) == c;
        return triple ? 3 : 1;
    }

    /** Where a string ends that begins here, behind its last quote. */
    static int end(String text, int start, int limit) {
        int quote = quote(text, start);
        int quotes = quotes(text, quote, limit);
        boolean formatted = isFormatted(text, start, quote);
        char mark = text.charAt(quote);
        int at = quote + quotes;
        while (at < limit) {
            char c = text.charAt(at);
            if (c == mark && isClosed(text, at, mark, quotes, limit)) {
                return at + quotes;
            }
            if (c == '\\') {
                at += formatted && at + 1 < limit && "{}".indexOf(text.charAt(at + 1)) >= 0 ? 1 : 2;
            } else if (formatted && c == '{' && at + 1 < limit && text.charAt(at + 1) == '{') {
                at += 2;
            } else if (formatted && c == '{') {
                at = Field.at(text, at, limit).end;
            } else if (quotes == 1 && (c == '\n' || c == '\r')) {
                throw new Unexpected();
            } else {
                at++;
            }
        }
        throw new Unexpected();
    }

    private static boolean isClosed(String text, int at, char mark, int quotes, int limit) {
        return quotes == 1 || (at + 2 < limit && text.charAt(at + 1) == mark && text.charAt(at + 2) == mark);
    }

    /**
     * What is in braces in an f-string.
     *
     * @param start of the opening brace
     * @param expressionEnd where its expression ends
     * @param conversion where the exclamation mark is, or -1
     * @param format where the colon is, or -1
     * @param end behind the closing brace
     */
    record Field(int start, int expressionEnd, int conversion, int format, int end) {
        static Field at(String text, int start, int limit) {
            int depth = 0;
            int expressionEnd = -1;
            int conversion = -1;
            for (int at = start + 1; at < limit; at++) {
                char c = text.charAt(at);
                boolean outside = depth == 0;
                if (c == '"' || c == '\'') {
                    int first = at;
                    while (first > start + 1 && Character.isLetter(text.charAt(first - 1))) {
                        first--;
                    }
                    at = StringScan.end(text, isPrefix(text, first, at) ? first : at, limit) - 1;
                } else if (c == '(' || c == '[' || c == '{') {
                    depth++;
                } else if (outside && c == '}') {
                    return new Field(start, expressionEnd < 0 ? at : expressionEnd, conversion, -1, at + 1);
                } else if (c == ')' || c == ']' || c == '}') {
                    depth--;
                } else if (outside && c == '!' && text.charAt(at + 1) != '=') {
                    conversion = at;
                    expressionEnd = expressionEnd < 0 ? at : expressionEnd;
                } else if (outside && c == '=' && isShown(text, at, limit)) {
                    expressionEnd = at;
                } else if (outside && c == ':') {
                    int stop = formatEnd(text, at + 1, limit);
                    return new Field(start, expressionEnd < 0 ? at : expressionEnd, conversion, at, stop + 1);
                } else if (c == '\\' || c == '#') {
                    throw new Unexpected();
                }
            }
            throw new Unexpected();
        }

        /** The = of {x=}: it is the last of the expression. */
        private static boolean isShown(String text, int at, int limit) {
            int next = at + 1;
            while (next < limit && text.charAt(next) == ' ') {
                next++;
            }
            return next < limit
                    && "}!:".indexOf(text.charAt(next)) >= 0
                    && "=!<>".indexOf(text.charAt(at - 1)) < 0
                    && text.charAt(at + 1) != '=';
        }

        /** Where the closing brace of a format is; braces in it are fields of their own. */
        private static int formatEnd(String text, int start, int limit) {
            int at = start;
            while (at < limit && text.charAt(at) != '}') {
                char c = text.charAt(at);
                if (c == '\n' || c == '"' || c == '\'' || c == '\\') {
                    throw new Unexpected();
                }
                at = c == '{' ? at(text, at, limit).end : at + 1;
            }
            if (at >= limit) {
                throw new Unexpected();
            }
            return at;
        }
    }
}
