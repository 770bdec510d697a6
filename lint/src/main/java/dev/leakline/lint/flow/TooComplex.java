package dev.leakline.lint.flow;

/**
 * Ends the interpretation of a file that would take time and memory without end. Limits are of what makes the work more than proportional to the
 * text: how often statements and expressions are gone over, state that is copied included, and from how many places a value may come. The largest
 * files of PyTorch take a hundredth of either.
 */
public final class TooComplex extends RuntimeException {
    /** Expressions, statements and copied variables, over all rounds: some seconds. */
    static final long MOST_STEPS = 20_000_000;

    /** Places that a value may come from; each is kept in each value that is made of it. */
    static final int MOST_ORIGINS = 1_000;

    /** The reason, as in "is too large to judge: ...". */
    TooComplex(String reason) {
        super(reason, null, false, false);
    }
}
