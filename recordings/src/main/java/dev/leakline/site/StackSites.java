package dev.leakline.site;

import dev.leakline.columns.FrameTable;
import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.known.BackwardCall;
import dev.leakline.known.BlasWorkspace;
import dev.leakline.known.Cause;
import dev.leakline.known.CollectorFrame;
import dev.leakline.known.FrameOwner;
import dev.leakline.known.HalfPrecision;
import dev.leakline.known.LibraryCause;
import dev.leakline.known.ModuleCall;
import dev.leakline.known.ProfilerFrame;
import dev.leakline.known.StepPart;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import dev.leakline.steps.FrameRoles;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of each stack of a snapshot: the responsible line, and whether it starts a backward pass. Found once a stack, on demand;
 * threads that ask at once may each find it, and find the same, since all that is kept is immutable.
 *
 * <p>The site is the innermost frame of the user's own code. Where the stack has none, that of an installed package, then of
 * PyTorch, then of the standard library. Python frames keep their order among each other even where recordings mix them with C++
 * frames in no order (Python 3.11 and later), so the first of its kind is the innermost.
 */
public final class StackSites implements FrameRoles {
    /**
     * The meaning of a stack.
     *
     * @param site whose line it is
     * @param isBackwardCall whether it starts a backward pass
     * @param isForBlas whether its C++ frames say that it allocates a workspace of cuBLAS
     * @param root identifies the outermost Python frame, which tells threads apart; -1 where there is none
     */
    public record Meaning(Site site, boolean isBackwardCall, boolean isForBlas, long root) {
        public boolean hasPython() {
            return root >= 0;
        }
    }

    private static final Map<FrameOwner, Site.Kind> KINDS = new EnumMap<>(Map.of(
            FrameOwner.USER, Site.Kind.USER,
            FrameOwner.PACKAGE, Site.Kind.PACKAGE,
            FrameOwner.TORCH, Site.Kind.TORCH,
            FrameOwner.PYTHON, Site.Kind.PYTHON,
            FrameOwner.NATIVE, Site.Kind.NATIVE));

    /** The frame of what no stack names. */
    static final Frame NOWHERE = new Frame("", 0, "");

    private final boolean isTrace;
    private final Operators operators;
    private final StackTable stacks;
    private final FrameTable frames;
    private final @Nullable Meaning[] meanings;
    private final @Nullable FrameOwner[] owners;
    /** The line of each frame as a site: many stacks end at one line. */
    private final @Nullable Site[] lines;

    private final FramePredicate moduleCalls;
    private final FramePredicate stepParts;
    private final FramePredicate collectsGarbage;
    private final FramePredicate castsForAutocast;

    private final StateStacks state;
    private final Predicate<Frame> collects;

    /** Reads stacks where no source is at hand. */
    public StackSites(SnapshotColumns columns) {
        this(columns, _ -> false);
    }

    /**
     * Reads stacks.
     *
     * @param collects whether a line of the program calls the garbage collector, as far as its source is at hand
     */
    public StackSites(SnapshotColumns columns, Predicate<Frame> collects) {
        this.collects = collects;
        this.isTrace = columns.recorder == Recorder.PROFILER;
        this.operators = new Operators(columns);
        this.stacks = columns.stacks;
        this.frames = columns.frames;
        this.meanings = new Meaning[stacks.size()];
        this.owners = new FrameOwner[frames.size()];
        this.lines = new Site[frames.size()];
        this.moduleCalls = predicate(
                frame -> owner(frame) == FrameOwner.TORCH && ModuleCall.is(frames.file(frame), frames.function(frame)));
        this.stepParts = predicate(StepPart::is);
        this.state = new StateStacks(stacks, frames, this);
        this.collectsGarbage = predicate(frame -> isNative(frame) && CollectorFrame.is(frames.function(frame)));
        this.castsForAutocast = predicate(frame -> isNative(frame) && HalfPrecision.isCast(frames.function(frame)));
    }

    /** A question about the file and the function of frames. */
    public FramePredicate predicate(BiPredicate<String, String> isWanted) {
        return predicate((int frame) -> isWanted.test(frames.file(frame), frames.function(frame)));
    }

    private FramePredicate predicate(IntPredicate isWanted) {
        return new FramePredicate(stacks, frames, isWanted);
    }

    /** The meaning of a stack. */
    public Meaning of(int stack) {
        Meaning known = meanings[stack];
        if (known == null) {
            known = find(stack);
            meanings[stack] = known;
        }
        return known;
    }

    /** The frames of a stack, innermost first. */
    public List<Frame> frames(int stack) {
        List<Frame> list = new ArrayList<>(stacks.depth(stack));
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            list.add(frame(stacks.frame(stack, depth)));
        }
        return list;
    }

    /** The frames of a stack that are the user's own, outermost first. */
    public List<Frame> userFrames(int stack) {
        List<Frame> list = new ArrayList<>();
        for (int depth = stacks.depth(stack) - 1; depth >= 0; depth--) {
            int frame = stacks.frame(stack, depth);
            if (owner(frame) == FrameOwner.USER) {
                list.add(frame(frame));
            }
        }
        return list;
    }

    /** The innermost line of a module's forward pass that is not PyTorch's own; null where there is none. */
    public @Nullable Frame forwardLine(int stack) {
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            int frame = stacks.frame(stack, depth);
            if (owner(frame).compareTo(FrameOwner.TORCH) < 0
                    && frames.function(frame).equals(ModuleCall.FORWARD)) {
                return frame(frame);
            }
        }
        return null;
    }

    private Meaning find(int stack) {
        int outermost = -1;
        boolean isBackwardCall = false;
        boolean isBackward = false;
        boolean isForBlas = false;
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            int frame = stacks.frame(stack, depth);
            if (owner(frame) != FrameOwner.NATIVE) {
                outermost = frame;
            }
            isBackwardCall |=
                    owner(frame) == FrameOwner.TORCH && BackwardCall.is(frames.file(frame), frames.function(frame));
            isForBlas |= owner(frame) == FrameOwner.NATIVE && BlasWorkspace.isMadeBy(frames.function(frame));
            isBackward |= isTrace && operators.kind(frame) == ProfilerFrame.ENGINE;
        }
        Site site = site(stack, siteFrame(stack));
        return new Meaning(
                isBackward && site.isLine() ? new Site(Site.Kind.BACKWARD, site.frame()) : site,
                isBackwardCall,
                isForBlas,
                outermost < 0 ? -1 : frames.place(outermost));
    }

    /** The kind of site that a line of a file is. */
    public static Site.Kind kind(Frame frame) {
        return KINDS.getOrDefault(FrameOwner.of(frame.file(), frame.line()), Site.Kind.NATIVE);
    }

    /** The innermost frame of a stack that is not C++'s, -1 where there is none. */
    public int innermost(int stack) {
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            if (owner(stacks.frame(stack, depth)) != FrameOwner.NATIVE) {
                return stacks.frame(stack, depth);
            }
        }
        return -1;
    }

    /** The frame of Python's that called another of a stack, -1 where C++ did. */
    public int caller(int stack, int frame) {
        boolean isFound = false;
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            int other = stacks.frame(stack, depth);
            if (isFound && owner(other) != FrameOwner.NATIVE) {
                return other;
            }
            isFound |= other == frame;
        }
        return -1;
    }

    /** The stacks that make, move, copy or keep no state. */
    public StateStacks state() {
        return state;
    }

    /** The cause that a library is known for at one of a stack's frames, the innermost first; null where none is. */
    public @Nullable Cause ofLibrary(int stack) {
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            int frame = stacks.frame(stack, depth);
            Cause cause = owner(frame) == FrameOwner.PACKAGE
                    ? LibraryCause.of(frames.file(frame), frames.function(frame))
                    : null;
            if (cause != null) {
                return cause;
            }
        }
        return null;
    }

    /** Returns whether a stack is within the garbage collector of Python, as far as it has C++ frames, or the source of its line is at hand. */
    public boolean collectsGarbage(int stack) {
        return collectsGarbage.isIn(stack)
                || (of(stack).site().kind() == Site.Kind.USER
                        && collects.test(of(stack).site().frame()));
    }

    /** Returns whether a stack casts an argument for autocast, as far as it has C++ frames. */
    public boolean castsForAutocast(int stack) {
        return castsForAutocast.isIn(stack);
    }

    /** A number for the lines by which a program comes to call a module, the same for the same lines. */
    public int wayToModule(int stack) {
        int way = 1;
        for (int depth = stacks.depth(stack) - 1; depth >= 0 && !isModuleCall(stacks.frame(stack, depth)); depth--) {
            way = 31 * way + stacks.frame(stack, depth);
        }
        return way;
    }

    /** Returns whether a stack calls a module. */
    public boolean callsModule(int stack) {
        return moduleCalls.isIn(stack);
    }

    /** Returns whether a stack ends in a function of PyTorch's that only computes. */
    public boolean computes(int stack) {
        int frame = innermost(stack);
        return frame >= 0
                && owner(frame) == FrameOwner.TORCH
                && ModuleCall.computes(frames.file(frame), frames.function(frame));
    }

    /** The frame that a stack's site is, -1 where it has none. */
    int siteFrame(int stack) {
        int best = -1;
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            int frame = stacks.frame(stack, depth);
            best = best < 0 || owner(frame).compareTo(owner(best)) < 0 ? frame : best;
        }
        boolean isWithout = isTrace && best >= 0 && owner(best) == FrameOwner.NATIVE;
        return isWithout ? operators.siteFrame(stack) : best;
    }

    private Site site(int stack, int best) {
        if (best < 0) {
            return new Site(Site.Kind.NO_STACK, NOWHERE);
        }
        FrameOwner owner = owner(best);
        if (isTrace && owner == FrameOwner.NATIVE) {
            return operators.site(best);
        }
        return owner == FrameOwner.NATIVE
                ? new Site(Site.Kind.NATIVE, new Frame("", 0, operator(stack)))
                : line(best, owner);
    }

    private Site line(int frame, FrameOwner owner) {
        Site known = lines[frame];
        if (known == null) {
            known = new Site(KINDS.getOrDefault(owner, Site.Kind.NATIVE), frame(frame));
            lines[frame] = known;
        }
        return known;
    }

    /** The innermost C++ frame of ATen, PyTorch's operators, else the innermost of all. */
    private String operator(int stack) {
        for (int depth = 0; depth < stacks.depth(stack); depth++) {
            String function = frames.function(stacks.frame(stack, depth));
            if (function.startsWith("at::")) {
                return function;
            }
        }
        return frames.function(stacks.frame(stack, 0));
    }

    @Override
    public boolean isLibrary(int frame) {
        return owner(frame).compareTo(FrameOwner.TORCH) >= 0;
    }

    @Override
    public boolean isUsers(int frame) {
        return owner(frame) == FrameOwner.USER;
    }

    @Override
    public boolean isNative(int frame) {
        return owner(frame) == FrameOwner.NATIVE;
    }

    @Override
    public boolean isModuleCall(int frame) {
        return moduleCalls.isTrueOf(frame);
    }

    @Override
    public boolean isStepPart(int frame) {
        return stepParts.isTrueOf(frame);
    }

    @Override
    public boolean startsBackward(int stack) {
        return of(stack).isBackwardCall();
    }

    /** The operators, modules and ranges of a profiler's stacks. */
    public Operators operators() {
        return operators;
    }

    public FrameOwner owner(int frame) {
        FrameOwner known = owners[frame];
        if (known == null) {
            known = FrameOwner.of(frames.file(frame), frames.line(frame));
            owners[frame] = known;
        }
        return known;
    }

    public Frame frame(int frame) {
        return new Frame(frames.file(frame), frames.line(frame), frames.function(frame));
    }
}
