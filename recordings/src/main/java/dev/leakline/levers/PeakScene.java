package dev.leakline.levers;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.Action;
import dev.leakline.columns.StackTable;
import dev.leakline.evidence.Evidence;
import dev.leakline.known.BlasWorkspace;
import dev.leakline.known.FrameOwner;
import dev.leakline.known.StepPhase;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.peak.Breakdown;
import dev.leakline.peak.CutStep;
import dev.leakline.peak.EventWindow;
import dev.leakline.peak.KeptGraphs;
import dev.leakline.peak.OptimizerSteps;
import dev.leakline.peak.PhaseRuns;
import dev.leakline.result.Peak.Category;
import dev.leakline.result.Peak.Use;
import dev.leakline.result.Site;
import dev.leakline.site.StackSites;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The events around the peak, as levers look at them: allocations with the phases in which they were made and freed. Only a window of events is
 * looked at, enough for many steps; what lies beyond is taken to be like it.
 */
final class PeakScene {
    private static final int NEVER = Lifetimes.NEVER;
    /** The smallest block there is: scalars and counters, which scale with nothing. */
    static final long SMALLEST = 512;
    /** Blocks that a pass without a graph holds at once. */
    static final int AT_ONCE = KeptGraphs.AT_ONCE;
    /** Weights of a byte computed with in four, or parts of eight processes. */
    private static final int MOST_OF_WEIGHT = 8;
    /** Weights that are made anew in each pass are worth it. */
    private static final long LARGE_WEIGHT = 1 << 20;
    /** Categories of what passes leave or work with, and of what they are given for later. */
    private static final Set<Category> OF_BATCH =
            EnumSet.of(Category.ACTIVATIONS, Category.TEMPORARIES, Category.BUFFERS, Category.LEAKED);
    /** With a branch beside the main path, such as a residual one, and one block more. */
    static final int MOST_AT_ONCE = 4;

    final Evidence evidence;
    final Lifetimes lifetimes;
    final DeviceEvents events;
    final StackSites stacks;
    final StackTable table;
    final EventWindow window;
    final PhaseRuns runs;
    final OptimizerSteps steps;
    final CutStep cut;
    final Timeline timeline;
    final int from;
    final int to;
    /** The allocations that are live at the peak, or born or freed in the window, by their births. */
    final IntArrayList all = new IntArrayList();
    /** The same without what leaks and is never freed: no saving is promised of it but that of mending the leak. */
    final IntArrayList allocations = new IntArrayList();

    /** These allocations, by the part of a step that made them. */
    private final Map<StepPhase, IntArrayList> byMaker = new EnumMap<>(StepPhase.class);

    final Breakdown breakdown;
    final BackwardPasses passes;
    private final KeptGraphs graphs;

    PeakScene(Evidence evidence, EventWindow window, Breakdown breakdown) {
        this.breakdown = breakdown;
        this.evidence = evidence;
        this.lifetimes = evidence.lifetimes();
        this.events = lifetimes.events();
        this.stacks = evidence.stacks();
        this.table = evidence.columns().stacks;
        this.window = window;
        this.runs = window.runs();
        this.steps = window.steps();
        this.cut = window.cut();
        this.from = runs.from();
        this.to = runs.to();
        this.timeline = new Timeline(evidence, from, to);
        collect();
        this.graphs = window.graphs();
        this.passes = new BackwardPasses(this);
        if (beginsInAPass()) {
            timeline.skip(steps.ends().isEmpty() ? runs.from() : steps.ends().get(0));
        }
    }

    /** Returns whether a backward pass frees what a forward pass made before the recording. */
    private boolean beginsInAPass() {
        for (IntCursor each : allocations) {
            if (lifetimes.born(each.value) == Lifetimes.BEFORE && isFreedBy(each.value, StepPhase.BACKWARD)) {
                return true;
            }
        }
        return false;
    }

    private void collect() {
        IntHashSet seen = new IntHashSet();
        for (IntCursor live : evidence.liveAtPeak()) {
            seen.add(live.value);
        }
        for (int event = from; event < to; event++) {
            Action action = events.action(event);
            if (action == Action.ALLOC || action.isFree()) {
                int allocation = lifetimes.allocation(event);
                if (allocation != Lifetimes.NONE) {
                    seen.add(allocation);
                }
            }
        }
        for (IntCursor each : seen) {
            all.add(each.value);
        }
        all.sort();
        for (IntCursor each : all) {
            if (!breakdown.isLeaked(each.value)) {
                allocations.add(each.value);
                int born = lifetimes.born(each.value);
                if (born != Lifetimes.BEFORE) {
                    bornIn(runs.of(born)).add(each.value);
                }
            }
        }
    }

    /** The allocations that a part of a step made, by their births. */
    IntArrayList bornIn(StepPhase phase) {
        return byMaker.computeIfAbsent(phase, _ -> new IntArrayList());
    }

    /** The allocations of which something is true, by their births. */
    IntArrayList where(IntPredicate isWanted) {
        return IntArrayList.from(
                IntStream.of(allocations.toArray()).filter(isWanted).toArray());
    }

    /** The bytes of a category at the peak. */
    long bytes(Category category) {
        return breakdown.byCategory().stream()
                .filter(use -> use.category() == category)
                .mapToLong(Use::bytes)
                .sum();
    }

    /** The category with most bytes at the peak; null where none is told. */
    @Nullable
    Category largestUse() {
        List<Use> uses = breakdown.byCategory();
        return uses.isEmpty() ? null : uses.getFirst().category();
    }

    /** The bytes of blocks at the peak. */
    long atPeak(IntArrayList blocks) {
        long bytes = 0;
        for (IntCursor each : blocks) {
            bytes += isLiveAtPeak(each.value) ? size(each.value) : 0;
        }
        return bytes;
    }

    /** Returns whether a forward pass made it, or the program around it. */
    boolean isOfPass(int allocation) {
        return isBornIn(allocation, StepPhase.FORWARD) || isBornIn(allocation, StepPhase.OUTSIDE);
    }

    /** Bytes held. */
    long size(int allocation) {
        return lifetimes.held(allocation);
    }

    boolean isBornIn(int allocation, StepPhase phase) {
        int born = lifetimes.born(allocation);
        return born != Lifetimes.BEFORE && runs.of(born) == phase;
    }

    boolean isFreedBy(int allocation, StepPhase phase) {
        int freed = lifetimes.freed(allocation);
        return freed != NEVER && runs.of(freed) == phase;
    }

    /** Returns whether it stays for as long as the program steps. */
    boolean outlivesSteps(int allocation) {
        return steps.areOutlivedBy(lifetimes.freed(allocation));
    }

    boolean isLiveAtPeak(int allocation) {
        return lifetimes.isLive(allocation, evidence.course().peak().event());
    }

    /** Returns whether backward passes free what this stack makes, or one would have that did not come to it. */
    boolean isForBackward(int allocation) {
        return lifetimes.born(allocation) != Lifetimes.BEFORE
                && (window.isForBackward(lifetimes.stack(allocation)) || graphs.isCut(allocation));
    }

    /** Returns whether a pass without a graph left it. */
    boolean isResult(int allocation) {
        return graphs.hasResult(allocation);
    }

    /** Returns whether a pass without a graph left it, and it goes with many others at once. */
    boolean goesAsResult(int allocation) {
        int freed = lifetimes.freed(allocation);
        return isResult(allocation) && freed != NEVER && window.goesWithMany(freed);
    }

    /** Returns whether a forward pass made it for a graph that no backward pass freed: it goes with the graph. */
    boolean isDropped(int allocation) {
        return graphs.has(allocation);
    }

    /** Returns whether a failed request cut the pass that made it before a backward pass could come. */
    boolean mayBeTrained(int allocation) {
        return graphs.mayBeTrained(allocation);
    }

    /** The first event of the backward pass that kept its graph instead of freeing it; {@link Lifetimes#NEVER} where none ran over it. */
    int retainedBy(int allocation) {
        return graphs.has(allocation) ? passes.retaining(allocation) : NEVER;
    }

    /** Returns whether blocks of this size stay from before the first forward pass, as parameters do. */
    boolean hasSizeOfState(int allocation) {
        return window.hasSizeOfState(lifetimes.requested(allocation));
    }

    /** Returns whether a block is as large as the batch is: made by forward and backward passes, and no parameter's. */
    boolean scalesWithBatch(int allocation) {
        boolean isWorkspace = BlasWorkspace.is(size(allocation)) && outlivesSteps(allocation);
        if (size(allocation) <= SMALLEST || isWorkspace) {
            return false;
        }
        int born = lifetimes.born(allocation);
        if (born == Lifetimes.BEFORE) {
            return isFreedBy(allocation, StepPhase.BACKWARD) && !hasSizeOfState(allocation);
        }
        return switch (runs.of(born)) {
            case FORWARD -> true;
            case BACKWARD -> !hasSizeOfState(allocation);
            case OUTSIDE ->
                breakdown.category(allocation) == Category.BUFFERS
                        || (!hasSizeOfState(allocation) && (!outlivesSteps(allocation) || runs.firstForward() < born));
            case OPTIMIZER, ZERO_GRAD, MOVING, READING, MAKING -> false;
        };
    }

    /** Returns whether a block may be as large as the batch is: what the engine makes, if no gradient, and at the peak what passes leave and caches. */
    boolean mayScaleWithBatch(int allocation) {
        Category category = breakdown.category(allocation);
        return category == null
                ? isBornIn(allocation, StepPhase.BACKWARD) && !isGradient(allocation)
                : OF_BATCH.contains(category);
    }

    /** The size of a block in a batch so many times the recorded one, by its present size. */
    double times(int allocation, double factor) {
        return scalesWithBatch(allocation) ? factor : 1;
    }

    /** Returns whether a block has the size of a parameter in half precision, as autocast copies it. */
    boolean mayBeCopyOfWeight(int allocation) {
        return isBornIn(allocation, StepPhase.FORWARD) && window.hasSizeOfState(2 * lifetimes.requested(allocation));
    }

    /** Returns whether a pass may have made it of a weight alone: as autocast copies it, or by the program's own line in another precision or of the parts that several processes have. */
    boolean mayBeMadeOfWeight(int allocation) {
        int innermost = stacks.innermost(lifetimes.stack(allocation));
        boolean isOfProgram = isBornIn(allocation, StepPhase.FORWARD)
                && size(allocation) >= LARGE_WEIGHT
                && innermost >= 0
                && stacks.owner(innermost) != FrameOwner.TORCH;
        boolean isAsLarge = mayBeCopyOfWeight(allocation);
        for (int times = 1; isOfProgram && times <= MOST_OF_WEIGHT; times *= 2) {
            isAsLarge |= window.hasSizeOfState(lifetimes.requested(allocation) / times);
        }
        return isAsLarge;
    }

    /** Returns whether the engine made it and an optimizer found it. */
    boolean isGradient(int allocation) {
        return isBornIn(allocation, StepPhase.BACKWARD)
                && runs.next(StepPhase.OPTIMIZER, lifetimes.born(allocation)) < lifetimes.freed(allocation);
    }

    /** The outermost user's line that calls a module, else the site. */
    @Nullable
    Site caller(int allocation) {
        int stack = lifetimes.stack(allocation);
        for (int depth = table.depth(stack) - 1; depth > 0; depth--) {
            int frame = table.frame(stack, depth);
            if (stacks.owner(frame) == FrameOwner.USER && stacks.isModuleCall(table.frame(stack, depth - 1))) {
                return new Site(Site.Kind.USER, stacks.frame(frame));
            }
        }
        return site(allocation);
    }

    /** The line that made it; null where there is none. */
    @Nullable
    Site site(int allocation) {
        Site site = evidence.sites().site(allocation);
        return site.isLine() ? site : null;
    }
}
