package dev.leakline.peak;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.evidence.Evidence;
import dev.leakline.hash.SeededLongIntMap;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.RoundedSize;
import dev.leakline.result.Frame;
import dev.leakline.site.StackSites;
import java.util.HashSet;
import java.util.Set;

/** The blocks of a moment that the program's own lines made, told by the others of their line: a cache has some for each layer, a pile one of each call, a copy of a model one of each parameter. */
final class BlocksByLine {
    /** Keys and values of two layers. */
    private static final int FEWEST_OF_CACHE = 4;
    /** Calls of a model that a line's blocks come from, where a program only looks ahead: the last, this and the next. */
    private static final int AHEAD = 3;

    private record Line(String file, int line) {}

    private final Lifetimes lifetimes;
    private final StackSites stacks;
    private final ParameterSets sets;
    /** The lines that make a cache, without their functions. */
    private final Set<Line> cacheLines = new HashSet<>();

    private final SeededLongIntMap alike = new SeededLongIntMap();
    private final IntIntHashMap calls = new IntIntHashMap();
    /** By line, those of its blocks that are one of the parameters each, by size. */
    private final IntIntHashMap copies = new IntIntHashMap();

    BlocksByLine(Evidence evidence, EventWindow window, ParameterSets sets) {
        this.lifetimes = evidence.lifetimes();
        this.stacks = evidence.stacks();
        this.sets = sets;
        IntIntHashMap lastCalls = new IntIntHashMap();
        IntArrayList live = evidence.liveAtPeak();
        for (IntCursor each : live) {
            int born = lifetimes.born(each.value);
            if (born != Lifetimes.BEFORE && isOfProgram(window.runs().of(born))) {
                int stack = lifetimes.stack(each.value);
                int ofSize = alike.addTo(key(each.value), 1);
                copies.addTo(stack, ofSize <= sets.trained(each.value) ? 1 : 0);
                int call = window.steps().call(born);
                calls.addTo(stack, lastCalls.getOrDefault(stack, Lifetimes.NEVER) == call ? 0 : 1);
                lastCalls.put(stack, call);
            }
        }
        for (IntCursor each : live) {
            if (mayBeCache(each.value)) {
                cacheLines.add(line(lifetimes.stack(each.value)));
            }
        }
    }

    private static boolean isOfProgram(StepPhase phase) {
        return phase == StepPhase.OUTSIDE || phase == StepPhase.MAKING;
    }

    private Line line(int stack) {
        Frame frame = stacks.of(stack).site().frame();
        return new Line(frame.file(), frame.line());
    }

    private long key(int allocation) {
        return ((long) lifetimes.stack(allocation) << Integer.SIZE)
                + RoundedSize.PLAIN.of(lifetimes.requested(allocation));
    }

    /** Returns whether its line made it with others of its size. */
    boolean isOneOfSeveral(int allocation) {
        return alike.getOrDefault(key(allocation), 0) > 1;
    }

    /** Returns whether its line made it with several of its size before a call of a model, as a cache has some for each layer. */
    boolean mayBeCache(int allocation) {
        return alike.getOrDefault(key(allocation), 0) >= FEWEST_OF_CACHE && calls.get(lifetimes.stack(allocation)) == 1;
    }

    /** Returns whether a line frees a block that makes a cache: in its place, of what it holds. */
    boolean isHandedOver(int freed) {
        return freed != Lifetimes.NEVER
                && !cacheLines.isEmpty()
                && cacheLines.contains(line(lifetimes.events().stack(freed)));
    }

    /** Returns whether its line made others of more calls than a program looks ahead. */
    boolean isPiled(int allocation) {
        return calls.getOrDefault(lifetimes.stack(allocation), 0) > AHEAD;
    }

    /** Returns whether its line made a block as large as each parameter that is trained. */
    boolean isOfCopies(int allocation) {
        return sets.trained(allocation) > 0 && sets.isNearlyAll(copies.getOrDefault(lifetimes.stack(allocation), 0));
    }
}
