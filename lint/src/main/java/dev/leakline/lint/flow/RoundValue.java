package dev.leakline.lint.flow;

import org.jspecify.annotations.Nullable;

/** A value that each round joins anew; what the last round found counts until the next one is over. */
final class RoundValue {
    private Value last = Value.NOTHING;
    private Value next = Value.NOTHING;
    private @Nullable Value joined;

    Value value() {
        Value known = joined;
        if (known == null) {
            known = last.join(next);
            joined = known;
        }
        return known;
    }

    void join(Value value) {
        next = next.join(value);
        joined = null;
    }

    /** Returns whether the last round found what the one before it did. */
    boolean isSettled() {
        return last.equals(next);
    }

    void nextRound() {
        last = next;
        next = Value.NOTHING;
        joined = null;
    }
}
