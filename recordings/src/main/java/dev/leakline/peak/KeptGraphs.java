package dev.leakline.peak;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.cursors.IntIntCursor;
import dev.leakline.columns.Action;
import dev.leakline.evidence.Evidence;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.known.LossFrames;
import dev.leakline.known.StateFrames;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.primitive.Bisection;
import dev.leakline.site.FramePredicate;
import dev.leakline.site.StackSites;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Graphs that passes build, told by how long what a pass makes is there. A pass with a graph keeps most of what it makes; one without
 * frees it when the next blocks are there, and only its results and branches stay. So a graph is seen whether or not a backward pass follows, and whether or not the recording
 * goes on to where the program drops it. A pass is what modules make with no allocation of anybody else between, and it has a part for each line that calls them: a line may call one
 * model with a graph, and the next another without.
 */
public final class KeptGraphs {
    /** Blocks that a pass without a graph holds at once: what a module is given and what it makes. */
    public static final int AT_ONCE = 2;
    /** A block that is there when so many more are made is kept: what a module by hand computes with is gone by then. */
    private static final int SOON = 32;
    /** The line of what functions compute without a module around them: a model that is written as one. */
    private static final int NO_MODEL = 0;
    /** The smallest block there is: scalars and counters. */
    static final long SMALLEST = 512;
    /**
     * The share of a pass's blocks that a graph keeps at the least: 0.47 and more in recordings of passes that are known to have one, modules written by hand with many
     * temporaries among them; 0.1 to 0.33 where passes without one keep results, a cache of keys and values, or autocast's copies of weights.
     */
    private static final double KEPT = 0.4;

    /** A pass, or a line's part of it. */
    private static final class Part {
        /** The pass that it is a part of; a pass is its own. */
        private final Part whole;
        /** The way to the model that it is of; of a pass that of its first line. */
        private final int line;

        private final int begin;
        private int end = Lifetimes.NEVER;
        private int made;
        private int kept;
        private int lastFree;
        /** The first free of a block of it by a backward pass. */
        private int firstReleased = Lifetimes.NEVER;

        private boolean isEntered;

        private Part(@Nullable Part whole, int line, int begin) {
            this.whole = whole == null ? this : whole;
            this.line = line;
            this.begin = begin;
        }

        private boolean keepsMost() {
            return kept > AT_ONCE && kept >= KEPT * made;
        }

        private boolean hasGraph() {
            return isEntered || whole.keepsMost();
        }
    }

    private final Lifetimes lifetimes;
    private final EventWindow window;
    private final PhaseRuns runs;
    private final CutStep cut;
    private final StackSites stacks;
    private final FramePredicate isRecomputed;
    private final FramePredicate isLoss;
    /** Sizes of log-probabilities in a step that a failed request ends. */
    private final SeededLongSet lossSizes = new SeededLongSet();

    /** The allocations of losses over classes. */
    private final IntArrayList losses = new IntArrayList();

    private final List<Part> passes = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    /** The part of each allocation of a pass. */
    private final IntIntHashMap partOf = new IntIntHashMap();
    /** The lines of which a backward pass comes to some part. */
    private final IntHashSet trained = new IntHashSet();
    /** The begin of the last part of a line before the peak. */
    private final IntIntHashMap latest = new IntIntHashMap();
    /** The event from when on a block of a pass is kept. */
    private final IntIntHashMap keptFrom = new IntIntHashMap();
    /** By stack the way to the model that it calls. */
    private final IntIntHashMap callers = new IntIntHashMap();

    /** The graphs of the events that are looked at. */
    KeptGraphs(Evidence evidence, EventWindow window) {
        this.lifetimes = evidence.lifetimes();
        this.window = window;
        this.runs = window.runs();
        this.cut = window.cut();
        this.stacks = evidence.stacks();
        this.isRecomputed = stacks.predicate(StateFrames::isRecomputed);
        this.isLoss = stacks.predicate(LossFrames::isOverClasses);
        if (cut.failure() != Lifetimes.NEVER && isLoss.isIn(lifetimes.events().stack(cut.failure()))) {
            lossSizes.add(lifetimes.events().size(cut.failure()));
        }
        split(lifetimes.events(), evidence.course().peak().event());
        for (IntIntCursor each : partOf) {
            count(each.key, parts.get(each.value));
        }
        parts.stream().filter(part -> part.isEntered).forEach(part -> trained.add(part.line));
    }

    private void split(DeviceEvents events, int moment) {
        IntIntHashMap lines = new IntIntHashMap();
        IntArrayList recent = new IntArrayList();
        Part pass = null;
        StepPhase last = StepPhase.OUTSIDE;
        for (int event = runs.from(); event < runs.to(); event++) {
            if (events.action(event) != Action.ALLOC) {
                continue;
            }
            boolean isForward = runs.of(event) == StepPhase.FORWARD;
            if (isLoss.isIn(events.stack(event))) {
                losses.add(event);
                lossSizes.add(event >= cut.from() ? events.size(event) : 0);
            }
            if (pass != null && !isForward) {
                pass.end = event;
                pass = null;
                keepFrom(recent, 0, event);
            }
            if (pass == null && isForward && (last != StepPhase.BACKWARD || runs.isOfProgram(event))) {
                pass = new Part(null, caller(events.stack(event)), event);
                passes.add(pass);
                lines.clear();
            }
            if (pass != null) {
                int line = caller(events.stack(event));
                if (!lines.containsKey(line)) {
                    lines.put(line, parts.size());
                    parts.add(new Part(pass, line, event));
                    latest.put(line, event <= moment ? event : latest.getOrDefault(line, event));
                }
                int allocation = lifetimes.allocation(event);
                partOf.put(allocation, lines.get(line));
                if (lifetimes.held(allocation) > SMALLEST) {
                    recent.add(allocation);
                    keepFrom(recent, SOON, event);
                }
            }
            last = isForward ? last : runs.of(event);
        }
        keepFrom(recent, 0, runs.to());
    }

    /** Sets from when on the oldest are kept, but for so many that are too recent. */
    private void keepFrom(IntArrayList recent, int most, int event) {
        while (recent.size() > most) {
            keptFrom.put(recent.removeAt(0), event);
        }
    }

    private int caller(int stack) {
        if (!callers.containsKey(stack)) {
            callers.put(stack, stacks.callsModule(stack) ? stacks.wayToModule(stack) : NO_MODEL);
        }
        return callers.get(stack);
    }

    private void count(int allocation, Part part) {
        if (lifetimes.held(allocation) <= SMALLEST) {
            return;
        }
        int freed = lifetimes.freed(allocation);
        boolean isKept = isLeft(allocation, part);
        boolean isEntered = isKept && freed < cut.failure() && runs.of(freed) == StepPhase.BACKWARD;
        for (Part each : List.of(part, part.whole)) {
            each.made += isKept || !isRecomputed.isIn(lifetimes.stack(allocation)) ? 1 : 0;
            each.kept += isKept ? 1 : 0;
            each.isEntered |= isEntered;
            each.firstReleased = isEntered ? Math.min(each.firstReleased, freed) : each.firstReleased;
            each.lastFree = isKept ? Math.max(each.lastFree, freed) : each.lastFree;
        }
    }

    /** Returns whether it is kept long enough, or until it goes with many others at once, as a graph goes. */
    private boolean isLeft(int allocation, Part part) {
        int kept = Math.min(keptFrom.getOrDefault(allocation, part.whole.end), cut.failure());
        int freed = lifetimes.freed(allocation);
        return freed >= kept || (runs.of(freed) != StepPhase.FORWARD && window.goesWithMany(freed));
    }

    private @Nullable Part part(int allocation) {
        int part = partOf.getOrDefault(allocation, -1);
        return part < 0 ? null : parts.get(part);
    }

    /** Returns whether the pass that an event is of, or follows, keeps a graph, as far as its blocks tell. */
    boolean isOfGraph(int event) {
        Part pass = passBefore(event);
        return pass != null && pass.hasGraph();
    }

    private @Nullable Part passBefore(int event) {
        int index = Bisection.first(passes.size(), i -> passes.get(i).begin > event) - 1;
        return index < 0 ? null : passes.get(index);
    }

    /**
     * Returns whether a pass with a graph had made it when a failed request ended the recording, before a backward pass would have freed it. Of what a loss over classes is given and what it makes of
     * that, in the same or in twice the precision, it keeps what it makes.
     */
    public boolean isCut(int allocation) {
        int born = lifetimes.born(allocation);
        int end = cut.failure();
        boolean isThere = end != Lifetimes.NEVER
                && born >= runs.from()
                && born < end
                && lifetimes.freed(allocation) > end
                && (runs.of(born) == StepPhase.FORWARD || runs.of(born) == StepPhase.OUTSIDE);
        return isThere
                && !cut.isFreedElsewhere(lifetimes.stack(allocation))
                && runs.next(StepPhase.BACKWARD, born) > cut.lastOfProgram()
                && isOfGraph(born)
                && !isGivenToLoss(allocation);
    }

    private boolean isGivenToLoss(int allocation) {
        long size = lifetimes.requested(allocation);
        return !isLoss.isIn(lifetimes.stack(allocation)) && (lossSizes.contains(size) || lossSizes.contains(2 * size));
    }

    /** Returns whether a pass left it, as a part of a graph that no backward pass came to. */
    public boolean has(int allocation) {
        Part part = part(allocation);
        return part != null
                && isLeft(allocation, part)
                && part.hasGraph()
                && !part.isEntered
                && !(isUnfinished(part) && isGivenToLoss(allocation));
    }

    private boolean isUnfinished(Part part) {
        return cut.failure() != Lifetimes.NEVER && part.whole.equals(passes.getLast());
    }

    /** Returns whether a failed request cut its pass before a backward pass could come: that of a line that is trained, or of any where nothing is known to be. */
    public boolean mayBeTrained(int allocation) {
        Part part = part(allocation);
        return part != null && isUnfinished(part) && (trained.isEmpty() || trained.contains(part.line));
    }

    /** Returns whether a pass without a graph left it: a result, or what a model keeps for the next call. */
    public boolean hasResult(int allocation) {
        Part part = part(allocation);
        return part != null && lifetimes.freed(allocation) >= part.whole.end && !part.hasGraph();
    }

    /** Returns whether a pass without a graph left it, and its line has called the model again since. */
    boolean hasResultOfEarlierCall(int allocation) {
        Part part = part(allocation);
        return part != null && hasResult(allocation) && latest.get(part.line) > part.begin;
    }

    /**
     * Returns whether a variable keeps it until a backward pass comes to its graph, and the graph keeps it as well: the program computes with it
     * otherwise than by a loss over classes.
     */
    boolean isSavedResult(int allocation, int moment) {
        Part part = part(allocation);
        return part != null
                && part.isEntered
                && lifetimes.freed(allocation) > runs.next(StepPhase.BACKWARD, lifetimes.born(allocation))
                && part.firstReleased > moment
                && !isBeforeLoss(allocation, part.firstReleased);
    }

    /** Returns whether a loss over classes follows, which keeps what it makes of what it is given. */
    private boolean isBeforeLoss(int allocation, int end) {
        int next = PhaseRuns.atOrBefore(losses, lifetimes.born(allocation)) + 1;
        return next < losses.size() && losses.get(next) < end;
    }

    /** Returns whether the program made it of what such a graph ends with, so that it went with the graph. */
    boolean hasEnd(int allocation) {
        Part pass = passBefore(lifetimes.born(allocation));
        int freed = lifetimes.freed(allocation);
        return pass != null
                && pass.hasGraph()
                && !pass.isEntered
                && freed <= pass.lastFree
                && (freed == Lifetimes.NEVER || window.goesWithMany(freed));
    }

    /** Returns whether a model computes that is not trained: no backward pass comes to what it made. What the end of the recording cuts is not told. */
    boolean hasUntrainedPass() {
        return passes.stream().limit(Math.max(0, passes.size() - 1)).anyMatch(pass -> pass.made > 0 && !pass.isEntered)
                || parts.stream().anyMatch(part -> part.made > 2 * AT_ONCE && !part.isEntered && part.whole.isEntered);
    }
}
