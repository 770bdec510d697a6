package org.teavm.classlib.java.util.regex;

/** Rounds of a set that takes one character, without a call in a call for each: a long line would take all of a browser's stack. */
final class TOneCharacter {
    private TOneCharacter() {}

    /** Returns whether a set takes one character. */
    static boolean are(TAbstractSet set) {
        return set instanceof TCompositeRangeSet || set instanceof TDotSet || set instanceof TDotAllSet;
    }

    static int most(
            TAbstractSet set,
            TAbstractSet next,
            TQuantifier times,
            int at,
            CharSequence text,
            TMatchResultImpl result) {
        TAbstractSet own = set.getNext();
        set.setNext(TFSet.posFSet); // which answers where it is asked
        int end = at;
        int count = 0;
        for (int step = end; count < times.max() && (step = set.matches(end, text, result)) > end; count++) {
            end = step;
        }
        set.setNext(own);
        for (; count >= times.min(); count--) {
            int found = next.matches(end, text, result);
            if (found >= 0 || count == 0) {
                return found;
            }
            end = before(text, end, at);
        }
        return -1;
    }

    static int fewest(
            TAbstractSet set,
            TAbstractSet next,
            TQuantifier times,
            int at,
            CharSequence text,
            TMatchResultImpl result) {
        TAbstractSet own = set.getNext();
        int end = at;
        for (int count = 0; ; count++) {
            int found = count < times.min() ? -1 : next.matches(end, text, result);
            if (found >= 0 || count >= times.max()) {
                return found;
            }
            set.setNext(TFSet.posFSet);
            int step = set.matches(end, text, result);
            set.setNext(own);
            if (step <= end) {
                return -1;
            }
            end = step;
        }
    }

    private static int before(CharSequence text, int end, int from) {
        boolean isPair = end - 2 >= from && Character.isSurrogatePair(text.charAt(end - 2), text.charAt(end - 1));
        return isPair ? end - 2 : end - 1;
    }
}
