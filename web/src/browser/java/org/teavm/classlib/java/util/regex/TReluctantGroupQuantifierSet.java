package org.teavm.classlib.java.util.regex;

/** TeaVM's {@code (...)*?}, which needs no stack for what takes one character. */
class TReluctantGroupQuantifierSet extends TGroupQuantifierSet {
    public TReluctantGroupQuantifierSet(TAbstractSet inner, TAbstractSet next, int type) {
        super(inner, next, type);
    }

    @Override
    public int matches(int index, CharSequence text, TMatchResultImpl result) {
        if (TOneCharacter.are(innerSet)) {
            return TOneCharacter.fewest(innerSet, next, ANY, index, text, result);
        }
        int end = next.matches(index, text, result);
        return end >= 0 || !innerSet.hasConsumed(result) ? end : innerSet.matches(index, text, result);
    }
}
