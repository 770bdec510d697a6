package dev.leakline.site;

import com.carrotsearch.hppc.IntArrayList;
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
import java.util.Arrays;

/**
 * The site of each allocation, and of each request that could not be met.
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
 *
 * <p>Only when calls begin and end is kept, which is little beside the events; so all may be asked. Read-only.
 */
public final class SiteFinder {
    private final StackSites stacks;
    private final Lifetimes lifetimes;
    private final OpenAnnotations open;
    /** The events after which another backward call runs than before, and the stack of that call, none where none does. */
    private final IntArrayList changes = new IntArrayList();

    private final IntArrayList calls = new IntArrayList();
    /** The one site object of each such call, and of each range ({@code -1 - name}). */
    private final IntObjectHashMap<Site> joined = new IntObjectHashMap<>();

    private final Site older = new Site(Site.Kind.BEFORE_RECORDING, StackSites.NOWHERE);
    private final boolean isJoined;

    /** Looks through the events for when backward calls run. */
    public SiteFinder(SnapshotColumns columns, StackSites stacks, Lifetimes lifetimes) {
        this.stacks = stacks;
        this.lifetimes = lifetimes;
        this.isJoined = columns.recorder == Recorder.ALLOCATOR;
        this.open = new OpenAnnotations(columns, lifetimes.device());
        if (isJoined || !lifetimes.events().failed().isEmpty()) {
            followCalls();
        }
        for (int name : open.names()) {
            joined.put(-1 - name, new Site(Site.Kind.ANNOTATION, new Frame("", 0, columns.strings.get(name))));
        }
    }

    private void followCalls() {
        DeviceEvents events = lifetimes.events();
        int call = StackTable.NONE;
        for (int event = 0; event < events.count(); event++) {
            Action action = events.action(event);
            int stack = events.stack(event);
            Meaning meaning = stacks.of(stack);
            int next = meaning.hasPython() && !action.isFree() ? callAfter(call, stack, meaning) : call;
            if (next != call) {
                change(event, next);
                call = next;
            }
        }
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

    private void change(int event, int call) {
        changes.add(event);
        calls.add(call);
        if (call != StackTable.NONE && !joined.containsKey(call)) {
            joined.put(call, new Site(Site.Kind.BACKWARD, stacks.of(call).site().frame()));
        }
    }

    /** The stack of the backward call that an event without Python frames belongs to; {@link StackTable#NONE} where none runs. */
    private int call(int event) {
        int place = Arrays.binarySearch(changes.buffer, 0, changes.size(), event);
        int last = place >= 0 ? place : -2 - place;
        return last < 0 ? StackTable.NONE : calls.get(last);
    }

    /** The stack that tells most about a request: its own, or that of the backward call it belongs to. */
    public int stackOfRequest(int event) {
        int own = lifetimes.events().stack(event);
        int call = stacks.of(own).hasPython() ? StackTable.NONE : call(event);
        return call == StackTable.NONE ? own : call;
    }

    /** The site of a request. */
    public Site siteOfRequest(int event) {
        int own = lifetimes.events().stack(event);
        int call = stacks.of(own).hasPython() ? StackTable.NONE : call(event);
        return call == StackTable.NONE ? stacks.of(own).site() : joined.get(call);
    }

    /** The stack that tells most about an allocation: its own, or that of the backward call it belongs to. */
    public int stack(int allocation) {
        int own = lifetimes.stack(allocation);
        int call = callOf(allocation, own);
        return call == StackTable.NONE ? own : call;
    }

    private int callOf(int allocation, int own) {
        return isMute(allocation, own) ? call(lifetimes.born(allocation)) : StackTable.NONE;
    }

    /** Returns whether an allocation cannot say itself whose it is, and its time may. */
    private boolean isMute(int allocation, int own) {
        return isJoined
                && lifetimes.born(allocation) != Lifetimes.BEFORE
                && !stacks.of(own).hasPython();
    }

    /** The site of an allocation. */
    public Site site(int allocation) {
        int own = lifetimes.stack(allocation);
        int call = callOf(allocation, own);
        if (call != StackTable.NONE) {
            return joined.get(call);
        }
        int annotation = isMute(allocation, own)
                ? open.innermost(lifetimes.events().timeMicros(lifetimes.born(allocation)))
                : OpenAnnotations.NONE;
        if (annotation != OpenAnnotations.NONE) {
            return joined.get(-1 - annotation);
        }
        Site site = stacks.of(own).site();
        boolean isOlder = site.kind() == Site.Kind.NO_STACK && lifetimes.born(allocation) == Lifetimes.BEFORE;
        return isOlder ? older : site;
    }

    /** The name of the marked range that was open when an allocation was made, the innermost; empty where none was. */
    public String range(int allocation) {
        int born = lifetimes.born(allocation);
        int name = born == Lifetimes.BEFORE
                ? OpenAnnotations.NONE
                : open.innermost(lifetimes.events().timeMicros(born));
        return name == OpenAnnotations.NONE ? "" : joined.get(-1 - name).frame().function();
    }
}
