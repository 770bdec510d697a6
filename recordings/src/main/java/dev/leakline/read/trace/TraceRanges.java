package dev.leakline.read.trace;

import dev.leakline.primitive.PackedTable;

/**
 * The ranges of a trace that are part of stacks, one row each, in file order: calls of Python functions and modules, operators, and what
 * the program marked. Times are nanoseconds.
 */
final class TraceRanges {
    /** No sequence number. */
    static final long NONE = -1;

    private static final int START = 0;
    private static final int DURATION = 1;
    private static final int FRAME = 2;
    private static final int THREAD = 3;
    private static final int SEQUENCE = 4;
    private static final int CALLERS = 5;

    private final PackedTable rows = new PackedTable(CALLERS + 1);

    /**
     * Appends a range.
     *
     * @param sequence the number that autograd gives to an operator of the forward pass and to what the backward pass does for it
     * @param callers a node of {@link CallNodes}: the calls of Python that the range itself names (torch up to 1.10)
     */
    void add(long start, long duration, int frame, int thread, long sequence, int callers) {
        rows.set(START, start);
        rows.set(DURATION, duration);
        rows.set(FRAME, frame);
        rows.set(THREAD, thread);
        rows.set(SEQUENCE, sequence);
        rows.set(CALLERS, callers);
        rows.endRow();
    }

    long start(int range) {
        return rows.get(START, range);
    }

    long end(int range) {
        return start(range) + duration(range);
    }

    long duration(int range) {
        return rows.get(DURATION, range);
    }

    int frame(int range) {
        return (int) rows.get(FRAME, range);
    }

    int thread(int range) {
        return (int) rows.get(THREAD, range);
    }

    long sequence(int range) {
        return rows.get(SEQUENCE, range);
    }

    int callers(int range) {
        return (int) rows.get(CALLERS, range);
    }

    int size() {
        return rows.size();
    }

    /** The rows by their beginning; of those that begin together the longest first, as it has the others within it. */
    int[] byStart() {
        return TimeOrder.of(size(), this::start, (a, b) -> Long.compare(duration(b), duration(a)));
    }
}
