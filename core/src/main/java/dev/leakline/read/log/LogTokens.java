package dev.leakline.read.log;

/**
 * Cuts a piece of a log into words, numbers and colons, and hands them to a {@link MessageParser}.
 *
 * <p>A word is a run of letters, digits and underscores, in which hyphens may stand. What begins with a digit goes on over the
 * points, colons and slashes of times, dates and versions, so that {@code 12:00:03} is one word and no number; {@code 20.00} is a number, and
 * {@code 20.00MiB} a number and a unit. Any other character only separates, those of boxes around text too.
 */
final class LogTokens {
    private final LogVocabulary vocabulary;

    LogTokens(LogVocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /** Cuts the text from a place on. */
    void cut(char[] text, int from, int length, MessageParser parser) {
        int at = from;
        while (at < length) {
            char character = text[at];
            if (isDigit(character)) {
                at = number(text, at, length, parser);
            } else if (isWord(character)) {
                at = word(text, at, length, parser);
            } else {
                if (character == ':') {
                    parser.token(LogVocabulary.COLON, at, at + 1);
                }
                at++;
            }
        }
    }

    private int word(char[] text, int from, int length, MessageParser parser) {
        int to = from + 1;
        while (to < length && (isWord(text[to]) || isHyphen(text, to, length))) {
            to++;
        }
        parser.token(vocabulary.symbol(text, from, to), from, to);
        return from > 0 && text[from - 1] == '.' ? behindLine(text, to, length) : to;
    }

    /** The end of the number of a line behind the name of a file, as in {@code trainer.py:160}, which is no number of anything else. */
    private static int behindLine(char[] text, int from, int length) {
        boolean isLine = from + 1 < length && text[from] == ':' && isDigit(text[from + 1]);
        int to = isLine ? from + 1 : from;
        while (isLine && to < length && isDigit(text[to])) {
            to++;
        }
        return to;
    }

    private int number(char[] text, int from, int length, MessageParser parser) {
        int digits = digits(text, from, length);
        int to = digits;
        while (to < length && (isWord(text[to]) || isJoint(text, to, length))) {
            to++;
        }
        int symbol = to == digits ? LogVocabulary.NUMBER : vocabulary.symbol(text, from, to);
        int unit = to == digits ? LogVocabulary.OTHER : vocabulary.symbol(text, digits, to);
        if (symbol == LogVocabulary.OTHER && LogVocabulary.isUnit(unit)) {
            parser.token(LogVocabulary.NUMBER, from, digits);
            parser.token(unit, digits, to);
        } else {
            parser.token(symbol, from, to);
        }
        return to;
    }

    /** The end of a number with or without decimals. */
    private static int digits(char[] text, int from, int length) {
        int to = from;
        while (to < length && isDigit(text[to])) {
            to++;
        }
        if (to + 1 < length && text[to] == '.' && isDigit(text[to + 1])) {
            to++;
            while (to < length && isDigit(text[to])) {
                to++;
            }
        }
        return to;
    }

    private static boolean isHyphen(char[] text, int at, int length) {
        return text[at] == '-' && at + 1 < length && isWord(text[at + 1]);
    }

    private static boolean isJoint(char[] text, int at, int length) {
        return switch (text[at]) {
            case '.', ',', ':', '-', '/', '+' -> at + 1 < length && isWord(text[at + 1]) && isWord(text[at - 1]);
            default -> false;
        };
    }

    private static boolean isWord(char character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || character == '_'
                || isDigit(character);
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }
}
