package dev.leakline.detect.growth;

import dev.leakline.columns.AnnotationColumns;
import dev.leakline.evidence.Evidence;
import java.util.HashSet;
import java.util.Set;

/** The ranges that a program marked with {@code record_function}. */
final class MarkedCalls {
    private final AnnotationColumns marks;

    MarkedCalls(Evidence evidence) {
        this.marks = evidence.columns().annotations;
    }

    /** Whether a range begins before one moment and ends after another, in microseconds, and none of its name begins or ends between them. */
    boolean span(long from, long to) {
        Set<Integer> names = new HashSet<>(named(true, Long.MIN_VALUE, from));
        names.retainAll(named(false, to, Long.MAX_VALUE));
        names.removeAll(named(true, from + 1, to - 1));
        names.removeAll(named(false, from + 1, to - 1));
        return !names.isEmpty();
    }

    /** The names that begin or end within some time. */
    private Set<Integer> named(boolean isStart, long from, long to) {
        Set<Integer> names = new HashSet<>();
        for (int mark = 0; mark < marks.size(); mark++) {
            boolean isWithin = marks.timeMicros(mark) >= from && marks.timeMicros(mark) <= to;
            if (isWithin && marks.isStart(mark) == isStart) {
                names.add(marks.name(mark));
            }
        }
        return names;
    }
}
