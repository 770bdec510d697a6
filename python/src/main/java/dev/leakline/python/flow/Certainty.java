package dev.leakline.python.flow;

/** How sure it is that something holds. */
public enum Certainty {
    NO,
    UNKNOWN,
    LIKELY,
    SURE;

    /** The surer one of two. */
    public Certainty or(Certainty other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
