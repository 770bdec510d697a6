package dev.leakline.read.figures;

import dev.leakline.read.terms.Amount;
import dev.leakline.read.terms.NumberToken;

/**
 * What a line without figures tells: nothing, or where the next ones belong. All lines of its form tell the same, but for their numbers, so they need
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

    /** Tells what a line of this form tells. */
    void tell(char[] text, int from, int to, Whereabouts whereabouts) {
        if (!isRead) {
            return;
        }
        whereabouts.begin();
        if (hasMoment) {
            whereabouts.timeIn(text, from, to);
        }
        if (epochAt >= 0) {
            whereabouts.epoch(number(text, from + epochAt, to));
        }
        if (stepAt >= 0) {
            NumberToken whole = hasTotal ? token(text, from + stepAt, to) : null;
            double total = whole != null && whole.hasTotal() ? whole.total() : 0;
            whereabouts.step(number(text, from + stepAt, to), total);
        }
    }

    private static double number(char[] text, int from, int to) {
        return Amount.number(text, from, Amount.endOfNumber(text, from, to));
    }

    private static NumberToken token(char[] text, int from, int to) {
        return NumberToken.of(text, from, Amount.endOfNumber(text, from, to), to);
    }
}
