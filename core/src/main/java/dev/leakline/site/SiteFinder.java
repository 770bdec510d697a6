package dev.leakline.site;

import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntObjectHashMap;
import dev.leakline.columns.Action;
import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import dev.leakline.site.StackSites.Meaning;
import java.util.function.IntPredicate;

/**
 * The site of each of a set of allocations.
 *
 * <p>A stack names it, where it holds a Python frame. A backward pass allocates in a thread that has none; PyTorch records C++ frames
 * for it or nothing. But the program that started the pass waits for it inside {@code backward()}, and has itself just allocated
 * there (the gradient to begin with). So after an event from inside such a call, what has no Python frame belongs to the call, until
 * the same thread, told by its outermost frame, is seen anywhere else. Events from other threads do not end it: checkpointing
 * recomputes the forward pass, with its Python frames, in the thread of the backward pass. Nor do frees, to which some recordings give
 * the stack of their allocation. The assumption fails where two threads
 * run backward passes on one device at once; then bytes go to the wrong one of the two.
 *
 * <p>A profiler's stacks need none of this: they hold the ranges of their threads, and whoever waits for a backward pass.
 *
 * <p>What is left is given to the record_function range that is open at its time, and if none is, to what its C++ frames say.
 */
public final class SiteFinder {
    /** Stands, among joined sites, for what was allocated before the recording. */
    private static final int OLDER = Integer.MIN_VALUE;

    private final SnapshotColumns columns;
    private final StackSites stacks;
    private final Lifetimes lifetimes;
    /** Of each allocation without a Python frame, the stack of the backward call that it belongs to. */
    private final IntIntHashMap backwardCalls = new IntIntHashMap();
    /** Of each such allocation outside of backward calls, the name of the range that is open. */
    private final IntIntHashMap annotations = new IntIntHashMap();

    /** The one object that stands for a joined site, so that composing does not make millions. */
    private final IntObjectHashMap<Site> joined = new IntObjectHashMap<>();

    /** Looks through the events for what the wanted allocations cannot say themselves. */
    public SiteFinder(SnapshotColumns columns, StackSites stacks, Lifetimes lifetimes, IntPredicate isWanted) {
        this.columns = columns;
        this.stacks = stacks;
        this.lifetimes = lifetimes;
        joined.put(OLDER, new Site(Site.Kind.BEFORE_RECORDING, StackSites.NOWHERE));
        if (columns.recorder == Recorder.ALLOCATOR) {
            join(isWanted);
        }
    }

    private void join(IntPredicate isWanted) {
        DeviceEvents events = lifetimes.events();
        OpenAnnotations open = new OpenAnnotations(columns, lifetimes.device());
        int call = StackTable.NONE;
        for (int event = 0; event < events.count(); event++) {
            Action action = events.action(event);
            int stack = events.stack(event);
            Meaning meaning = stacks.of(stack);
            boolean isFree = action == Action.FREE_REQUESTED || action == Action.FREE_COMPLETED;
            if (meaning.hasPython() && !isFree) {
                call = callAfter(call, stack, meaning);
            } else if (action == Action.ALLOC && isMute(lifetimes.allocation(event), isWanted)) {
                note(lifetimes.allocation(event), call, open.innermost(events.timeMicros(event)));
            }
        }
    }

    private boolean isMute(int allocation, IntPredicate isWanted) {
        return isWanted.test(allocation)
                && !stacks.of(lifetimes.stack(allocation)).hasPython();
    }

    /** The backward call that is running after an event with Python frames. */
    private int callAfter(int call, int stack, Meaning meaning) {
        if (meaning.isBackwardCall()) {
            return stack;
        }
        boolean isSameThread =
                call != StackTable.NONE && meaning.root() == stacks.of(call).root();
        return isSameThread ? StackTable.NONE : call;
    }

    private void note(int allocation, int call, int annotation) {
        if (call != StackTable.NONE) {
            backwardCalls.put(allocation, call);
            if (!joined.containsKey(call)) {
                joined.put(
                        call,
                        new Site(Site.Kind.BACKWARD, stacks.of(call).site().frame()));
            }
        } else if (annotation >= 0) {
            annotations.put(allocation, annotation);
            if (!joined.containsKey(-1 - annotation)) {
                Frame frame = new Frame("", 0, columns.strings.get(annotation));
                joined.put(-1 - annotation, new Site(Site.Kind.ANNOTATION, frame));
            }
        }
    }

    /** The stack that tells most about an allocation: its own, or that of the backward call it belongs to. */
    public int stack(int allocation) {
        return backwardCalls.getOrDefault(allocation, lifetimes.stack(allocation));
    }

    /** The site of a wanted allocation. */
    public Site site(int allocation) {
        int call = backwardCalls.getOrDefault(allocation, StackTable.NONE);
        if (call != StackTable.NONE) {
            return joined.get(call);
        }
        int annotation = annotations.getOrDefault(allocation, -1);
        if (annotation >= 0) {
            return joined.get(-1 - annotation);
        }
        Site site = stacks.of(lifetimes.stack(allocation)).site();
        boolean isOlder = site.kind() == Site.Kind.NO_STACK && lifetimes.born(allocation) == Lifetimes.BEFORE;
        return isOlder ? joined.get(OLDER) : site;
    }
}
