package org.teavm.classlib.java.util.regex;

/**
 * TeaVM's {@code (...){n,m}}, whose count of rounds is what it was wherever a match goes back. With its own, {@code (?:[A-Z][a-z]{2}
 * {1,2}){1,2}\d} does not find all of {@code Mon Jun  1}.
 */
class TCompositeGroupQuantifierSet extends TGroupQuantifierSet {
    protected TQuantifier quantifier;
    int setCounter;

    public TCompositeGroupQuantifierSet(
            TQuantifier quantifier, TAbstractSet inner, TAbstractSet next, int type, int counter) {
        super(inner, next, type);
        this.quantifier = quantifier;
        this.setCounter = counter;
    }

    @Override
    public int matches(int index, CharSequence text, TMatchResultImpl result) {
        if (TOneCharacter.are(innerSet)) {
            return TOneCharacter.most(innerSet, next, quantifier, index, text, result);
        }
        int end = innerSet.hasConsumed(result) ? round(index, text, result) : -1;
        return end >= 0 ? end : leave(index, text, result);
    }

    /** One more round, and all that follows; negative where there is no match so. */
    final int round(int index, CharSequence text, TMatchResultImpl result) {
        int count = result.getEnterCounter(setCounter);
        if (count >= quantifier.max()) {
            return -1;
        }
        result.setEnterCounter(setCounter, count + 1);
        int end = innerSet.matches(index, text, result);
        if (end < 0) {
            result.setEnterCounter(setCounter, count);
        }
        return end;
    }

    /** What follows after the rounds so far; negative where they are too few, or there is no match so. */
    final int leave(int index, CharSequence text, TMatchResultImpl result) {
        int count = result.getEnterCounter(setCounter);
        if (count < quantifier.min() && innerSet.hasConsumed(result)) {
            return -1;
        }
        result.setEnterCounter(setCounter, 0);
        int end = next.matches(index, text, result);
        if (end < 0) {
            result.setEnterCounter(setCounter, count);
        }
        return end;
    }

    public void reset() {
        quantifier.resetCounter();
    }

    @Override
    protected String getName() {
        return quantifier.toString();
    }

    void setQuantifier(TQuantifier quantifier) {
        this.quantifier = quantifier;
    }
}
