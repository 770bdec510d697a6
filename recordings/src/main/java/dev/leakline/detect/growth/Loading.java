package dev.leakline.detect.growth;

import static java.util.stream.Collectors.toSet;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.AnnotationColumns;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.evidence.Evidence;
import dev.leakline.floor.Survivors;
import dev.leakline.result.StepSummary.Kind;
import dev.leakline.statistics.Ratchet;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Distinguishes what is loaded from a leak: its loop allocates hardly anything but what stays, and is over well before the end of the recording, when the
 * work begins; or all of it is within one call that the program marked. A loop of the same kind that goes on to the end may be a server that keeps
 * each result, and is a leak.
 */
final class Loading {
    /** The least share that stays: a piece may be converted on the way, once, so that one of two blocks stays. */
    private static final double MOST_STAY = 0.5;
    /** Steps that must follow, as a share of all: as much as tells a plateau from a pause. */
    private static final double WORK = 0.1;

    private final Evidence evidence;

    Loading(Evidence evidence) {
        this.evidence = evidence;
    }

    /** Returns whether what grows was loaded. Steps that the program marked are steps, whatever they do. */
    boolean explains(Grower grower) {
        int first = grower.steps().get(0);
        int last = grower.steps().get(grower.steps().size() - 1);
        int work = evidence.steps().count() - 1 - last;
        boolean worksThen =
                work >= Math.max(Ratchet.FEWEST_RISES, WORK * evidence.steps().count());
        return evidence.steps().kind() == Kind.RECURRENCE
                && (worksThen || isWithinOneCall(grower.group().survivors()))
                && keepsMost(evidence, first, last);
    }

    /** Returns whether the program marked a range that begins before all of some survivors were made and ends after it, and none of that name within. */
    private boolean isWithinOneCall(IntArrayList survivors) {
        long from = time(survivors.get(0));
        long to = time(survivors.get(survivors.size() - 1));
        Set<Integer> names = marks(true, Long.MIN_VALUE, from);
        names.retainAll(marks(false, to, Long.MAX_VALUE));
        names.removeAll(marks(true, from + 1, to - 1));
        names.removeAll(marks(false, from + 1, to - 1));
        return !names.isEmpty();
    }

    /** The names of ranges that begin or end within some time, in microseconds. */
    private Set<Integer> marks(boolean isStart, long from, long to) {
        AnnotationColumns marks = evidence.columns().annotations;
        return IntStream.range(0, marks.size())
                .filter(mark -> marks.isStart(mark) == isStart)
                .filter(mark -> marks.timeMicros(mark) >= from && marks.timeMicros(mark) <= to)
                .mapToObj(marks::name)
                .collect(toSet());
    }

    private long time(int survivor) {
        int born = evidence.lifetimes().born(evidence.survivors().allocation(survivor));
        return evidence.lifetimes().events().timeMicros(born);
    }

    /** Returns whether most of what is allocated from one step to another stays to the end. */
    private static boolean keepsMost(Evidence evidence, int first, int last) {
        Survivors survivors = evidence.survivors();
        int stay = 0;
        for (int survivor = 0; survivor < survivors.count(); survivor++) {
            boolean isWithin = survivors.first(survivor) >= first && survivors.first(survivor) <= last;
            stay += isWithin && survivors.end(survivor) >= evidence.steps().count() ? 1 : 0;
        }
        return stay >= MOST_STAY * Math.max(evidence.profile().allocations(first, last - 1), 1);
    }
}
