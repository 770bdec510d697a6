package org.teavm.classlib.java.util.regex;

/** TeaVM's {@code (...)*}, which needs no stack for what takes one character. */
class TGroupQuantifierSet extends TQuantifierSet {
    static final TQuantifier ANY = new TQuantifier(0, Integer.MAX_VALUE);

    public TGroupQuantifierSet(TAbstractSet inner, TAbstractSet next, int type) {
        super(inner, next, type);
    }

    @Override
    public int matches(int index, CharSequence text, TMatchResultImpl result) {
        if (TOneCharacter.are(innerSet)) {
            return TOneCharacter.most(innerSet, next, ANY, index, text, result);
        }
        int end = innerSet.hasConsumed(result) ? innerSet.matches(index, text, result) : -1;
        return end >= 0 ? end : next.matches(index, text, result);
    }

    @Override
    protected String getName() {
        return "(...)*";
    }
}
