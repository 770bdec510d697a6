package dev.leakline.read.figures;

import dev.leakline.read.terms.Amount;
import dev.leakline.read.terms.NumberToken;
import dev.leakline.source.lines.LogLines;
import dev.leakline.text.Ascii;

/**
 * The whereabouts of a line without figures, or nothing: where the next figures belong. All lines of its form tell the same, but for their numbers, so they need
 * not be read again.
 *
 * @param isRead whether it is looked at, as a message about memory is not
 * @param hasMoment whether it may begin with a moment
 * @param epochAt where the number of its epoch begins, -1 where it names none; in characters of the input
 * @param stepAt the same of its step
 * @param hasTotal whether the step is one of a whole
 */
record QuietLine(boolean isRead, boolean hasMoment, int epochAt, int stepAt, boolean hasTotal) {
    static final QuietLine IGNORED = new QuietLine(false, false, -1, -1, false);

    /** Digits of a whole number that is exact whatever they are. */
    private static final int MOST_DIGITS = 15;

    /** Tells what a line of this form tells, which begins at a place. */
    void tell(LogLines line, int from, Whereabouts whereabouts) {
        if (!isRead) {
            return;
        }
        whereabouts.begin();
        if (hasMoment) {
            whereabouts.timeIn(line, from);
        }
        if (epochAt >= 0) {
            whereabouts.epoch(number(line, from + epochAt));
        }
        if (stepAt >= 0) {
            whereabouts.step(number(line, from + stepAt), hasTotal ? total(line, from + stepAt) : 0);
        }
    }

    private static double number(LogLines line, int from) {
        int to = endOfWhole(line, from);
        return to < 0
                ? Amount.number(line.text(), from, Amount.endOfNumber(line.text(), from, line.length()))
                : whole(line, from, to);
    }

    /** The total of which a number is a part, 0 where it is of none. */
    private static double total(LogLines line, int from) {
        int slash = endOfWhole(line, from);
        boolean isPlain = slash >= 0 && slash < line.length() && line.at(slash) == '/';
        int to = isPlain ? endOfWhole(line, slash + 1) : -1;
        return to < 0 ? anyTotal(line.text(), from, line.length()) : whole(line, slash + 1, to);
    }

    private static double anyTotal(char[] text, int from, int to) {
        NumberToken token = NumberToken.of(text, from, Amount.endOfNumber(text, from, to), to);
        return token.hasTotal() ? token.total() : 0;
    }

    /** Where a number of a few digits ends that has nothing else; -1 where others stand. */
    private static int endOfWhole(LogLines line, int from) {
        int to = from;
        while (to < line.length() && Ascii.isDigit(line.at(to))) {
            to++;
        }
        boolean isWhole = to == line.length() || ".,eE".indexOf(line.at(to)) < 0;
        return isWhole && to > from && to - from <= MOST_DIGITS ? to : -1;
    }

    private static double whole(LogLines line, int from, int to) {
        long digits = 0;
        for (int i = from; i < to; i++) {
            digits = 10 * digits + line.at(i) - '0';
        }
        return digits;
    }
}
