package org.teavm.classlib.java.util.regex;

/** TeaVM's {@code (...){n,m}?}; with its own, {@code \w{2,5}?;} finds a semicolon that stands alone. */
class TRelCompositeGroupQuantifierSet extends TCompositeGroupQuantifierSet {
    public TRelCompositeGroupQuantifierSet(
            TQuantifier quantifier, TAbstractSet inner, TAbstractSet next, int type, int counter) {
        super(quantifier, inner, next, type, counter);
    }

    @Override
    public int matches(int index, CharSequence text, TMatchResultImpl result) {
        if (TOneCharacter.are(innerSet)) {
            return TOneCharacter.fewest(innerSet, next, quantifier, index, text, result);
        }
        int end = leave(index, text, result);
        return end >= 0 || !innerSet.hasConsumed(result) ? end : round(index, text, result);
    }
}
