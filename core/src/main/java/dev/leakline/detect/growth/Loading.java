package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.AnnotationColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.evidence.Evidence;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.floor.Survivors;
import dev.leakline.known.PythonFrame;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.StepSummary;
import dev.leakline.site.FramePredicate;
import dev.leakline.site.TensorOperator;
import dev.leakline.site.TensorOperator.Use;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Distinguishes a loop that loads a model or data from one that leaks: both keep something at each iteration. A loop that loads computes nothing.
 * So no block of it is made by a module or an operator that computes, no module of the process runs while it grows, nobody multiplies
 * matrices at its line, and of all blocks that are allocated meanwhile every second stays at least: what is loaded may be converted on the
 * way, each piece once.
 *
 * <p>Where no C++ frame names the operators, and no module ever runs, equal blocks that all stay are data or results: nothing tells which.
 * Pieces that are converted, or of several sizes as those of a model, or within a single call that the program marked, are loaded.
 *
 * <p>Steps that the program marked are steps, whatever they do.
 */
final class Loading {
    /** What a recording tells of something that grows. */
    enum Answer {
        LOADED,
        OPEN,
        NOT_LOADED
    }

    /** A piece that is converted is two blocks, of which one stays. Bytes would not do: half precision is half of the first. */
    private static final double CONVERTED = 0.5;
    /** Modules that run in fewer of the steps are not what the loop is about, such as one that is tried when all is loaded. */
    private static final double SELDOM = 0.1;

    private final Evidence evidence;
    private final Survivors survivors;
    private final int steps;
    private final FramePredicate constructors;

    Loading(Evidence evidence) {
        this.evidence = evidence;
        this.survivors = evidence.survivors();
        this.steps = evidence.steps().count();
        this.constructors = evidence.stacks().predicate((_, function) -> PythonFrame.isConstructor(function));
    }

    /** Whether what grows is being loaded. */
    Answer answer(Grower grower) {
        if (evidence.steps().kind() != StepSummary.Kind.RECURRENCE || isComputed(grower.group())) {
            return Answer.NOT_LOADED;
        }
        int first = grower.steps().get(0);
        int last = grower.steps().get(grower.steps().size() - 1);
        BitSet computing = evidence.computing().get(first, last + 1);
        double stay = stay(first, last);
        if (computing.cardinality() > SELDOM * (last + 1 - first) || stay < CONVERTED) {
            return Answer.NOT_LOADED;
        }
        Set<Use> uses = uses(grower.group());
        if (uses.contains(Use.COMPUTES)) {
            return Answer.NOT_LOADED;
        }
        boolean mayBeKept = evidence.computing().isEmpty() && stay == 1 && areAlike(grower.group());
        boolean isCopied = uses.equals(EnumSet.of(Use.LOADS));
        return mayBeKept && !isCopied && !isWithinOneCall(grower.group()) ? Answer.OPEN : Answer.LOADED;
    }

    /** Whether a module made any block of a group, or its line also multiplies matrices, for which PyTorch allocated a workspace there. */
    private boolean isComputed(Group group) {
        return evidence.groups().isComputed(group) || evidence.groups().multiplies(group);
    }

    /** What the operators do that made a group; those of constructors, which prepare tables of their own, are not asked. */
    private Set<Use> uses(Group group) {
        IntHashSet stacks = new IntHashSet();
        for (IntCursor survivor : group.survivors()) {
            stacks.add(stack(survivor.value));
        }
        Set<Use> uses = EnumSet.noneOf(Use.class);
        for (IntCursor stack : stacks) {
            boolean isUnknown = stack.value == StackTable.NONE || constructors.isIn(stack.value);
            uses.add(
                    isUnknown
                            ? Use.UNKNOWN
                            : TensorOperator.use(evidence.stacks().calledOperator(stack.value)));
        }
        return uses;
    }

    private int stack(int survivor) {
        return evidence.sites().stack(survivors.allocation(survivor));
    }

    /** Whether all blocks of a group are as large as each other, and none is ever freed, not even after the loop. */
    private boolean areAlike(Group group) {
        Lifetimes lifetimes = evidence.lifetimes();
        int first = survivors.allocation(group.survivors().get(0));
        boolean areAlike = true;
        for (int i = 0; i < group.survivors().size() && areAlike; i++) {
            int allocation = survivors.allocation(group.survivors().get(i));
            areAlike = lifetimes.requested(allocation) == lifetimes.requested(first)
                    && lifetimes.died(allocation) == Lifetimes.NEVER;
        }
        return areAlike;
    }

    /** Whether the program marked a range in which all of a group was made, and none within. */
    private boolean isWithinOneCall(Group group) {
        IntArrayList members = group.survivors();
        return isMarked(time(members.get(0)), time(members.get(members.size() - 1)));
    }

    /** Whether a range begins before one moment and ends after another, in microseconds, and none of its name begins or ends between them. */
    private boolean isMarked(long from, long to) {
        Set<Integer> names = marks(true, Long.MIN_VALUE, from);
        names.retainAll(marks(false, to, Long.MAX_VALUE));
        names.removeAll(marks(true, from + 1, to - 1));
        names.removeAll(marks(false, from + 1, to - 1));
        return !names.isEmpty();
    }

    /** The names of ranges that begin or end within some time. */
    private Set<Integer> marks(boolean isStart, long from, long to) {
        AnnotationColumns marks = evidence.columns().annotations;
        Set<Integer> names = new HashSet<>();
        for (int mark = 0; mark < marks.size(); mark++) {
            boolean isWithin = marks.timeMicros(mark) >= from && marks.timeMicros(mark) <= to;
            if (isWithin && marks.isStart(mark) == isStart) {
                names.add(marks.name(mark));
            }
        }
        return names;
    }

    private long time(int survivor) {
        DeviceEvents events = evidence.lifetimes().events();
        return events.timeMicros(evidence.lifetimes().born(survivors.allocation(survivor)));
    }

    /** The share of all blocks that are allocated while it grows which stay to the end. */
    private double stay(int first, int last) {
        int stay = 0;
        for (int survivor = 0; survivor < survivors.count(); survivor++) {
            boolean isWithin = survivors.first(survivor) >= first && survivors.first(survivor) <= last;
            stay += isWithin && survivors.end(survivor) >= steps ? 1 : 0;
        }
        return (double) stay / Math.max(evidence.profile().allocations(first - 1, last - 1), 1);
    }
}
