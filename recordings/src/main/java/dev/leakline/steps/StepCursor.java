package dev.leakline.steps;

/** Finds the steps of events that come in order, without a search for each. */
public final class StepCursor {
    private final Steps steps;
    private int step = -1;
    private int next;

    /** A cursor that stands before the first step. */
    public StepCursor(Steps steps) {
        this.steps = steps;
        this.next = start(0);
    }

    /** The step of an event, which may not come before that of the last call; as {@link Steps#of} says it. */
    public int of(int event) {
        while (event >= next) {
            step++;
            next = start(step + 1);
        }
        return step;
    }

    private int start(int number) {
        boolean isThere = steps.count() > 0 && number <= steps.count();
        return isThere ? steps.start(number) : Integer.MAX_VALUE;
    }
}
