package dev.leakline.read.log;

import dev.leakline.text.Ascii;

/** Compares words with what stands at a place of a view. A word may be in two pieces where a line ends; for blanks and punctuation any other will do. */
final class WordsMatch {
    private final LogView view;

    WordsMatch(LogView view) {
        this.view = view;
    }

    /** Returns whether words begin at a place. */
    boolean isAt(String words, int at) {
        return view.at(at) == firstLetter(words) && end(words, at, false) >= 0;
    }

    /** Where the words end that begin at a place; -1 where others stand there. */
    int end(String words, int from, boolean isLast) {
        int at = from;
        int i = 0;
        while (i < words.length()) {
            char wanted = words.charAt(i);
            if (SizeScanner.isSoft(wanted)) {
                int next = i;
                while (next < words.length() && SizeScanner.isSoft(words.charAt(next))) {
                    next++;
                }
                boolean isInside = i > 0 && next < words.length();
                at = isInside ? between(words, i, next, at) : atEdge(words, i, next, at);
                i = next;
            } else {
                at = i == 0 && from == at ? SizeScanner.endOfSoft(view, at) : joint(at);
                if (view.at(at) != wanted) {
                    return -1;
                }
                at++;
                i++;
            }
            if (at < 0) {
                return -1;
            }
        }
        boolean isCut = isLast && Ascii.isLetter(view.at(at)) && Ascii.isLetter(view.at(at - 1));
        return isCut ? -1 : at;
    }

    /** Behind the punctuation between two words: a hyphen is no blank, so that names and addresses are no sentences. */
    private int between(String words, int from, int to, int at) {
        int end = SizeScanner.endOfSoft(view, at);
        if (end == at) {
            return words.substring(from, to).isBlank() ? -1 : at;
        }
        for (int i = at; i < end; i++) {
            char character = view.at(i);
            boolean isJoiner = character == '-' || character == '/' || character == '.';
            if (!isJoiner || words.substring(from, to).indexOf(character) >= 0) {
                return end;
            }
        }
        return -1;
    }

    /** Returns whether words that end at a place are the label of what comes next, as in {@code free=1.00 GiB}, and say nothing of what stands before them. */
    boolean isLabel(int at) {
        int end = SizeScanner.endOfSoft(view, at);
        return introduces(at, end) && Ascii.isDigit(view.at(end));
    }

    private boolean introduces(int from, int to) {
        String between = view.string(from, to);
        return between.indexOf(':') >= 0 || between.indexOf('=') >= 0;
    }

    /** Behind the punctuation before or after a size: a colon or an equals sign stands before what it introduces. */
    private int atEdge(String words, int from, int to, int at) {
        int end = SizeScanner.endOfSoft(view, at);
        boolean hasColon = from > 0 && words.substring(from, to).contains(":");
        return hasColon && !introduces(at, end) ? -1 : end;
    }

    private int joint(int from) {
        int at = from;
        while (LogView.isJoint(view.at(at))) {
            at++;
        }
        return at;
    }

    private static char firstLetter(String words) {
        int i = 0;
        while (SizeScanner.isSoft(words.charAt(i))) {
            i++;
        }
        return words.charAt(i);
    }
}
