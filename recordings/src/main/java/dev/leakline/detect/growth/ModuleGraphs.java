package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.columns.Action;
import dev.leakline.columns.Recorder;
import dev.leakline.columns.StackTable;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.evidence.Evidence;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.known.FrameOwner;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.site.UserCalls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Distinguishes kept autograd graphs, whose pieces come from all over a module, from memory that a module keeps itself.
 *
 * <p>A graph is told by what stays after one call. It has different operations: blocks of three kinds or more from within a module, and either
 * something that the calling function made at the same steps, since layers keep their inputs for the backward pass, or most of the kinds that the
 * module makes at all. With inputs, fewer kinds are enough. Two are enough where the line's own value is freed: a line that adds it to a running
 * total keeps one total, and behind it the graphs of all that was added. Layers of one class that each keep the same thing make one kind: of the
 * same operation at the same line of the user's. Of what runs in a function under {@code @torch.no_grad()} there is no graph.
 */
final class ModuleGraphs {
    /** Distinct operations of one call that only a graph keeps; a cache keeps a key and a value. */
    private static final int KINDS_OF_GRAPH = 3;
    /** A graph without its inputs has at least this share of the operations of its module; the rest are those whose results nothing saves. */
    private static final double MOST_KINDS = 2.0 / 3;
    /** The least share that inputs are of one operation's output: a matrix of weights makes outputs at most some ten times as wide as inputs. */
    private static final double LEAST_INPUT = 0.1;
    /** The least share of the steps in which a module makes what is part of each of its calls. */
    private static final double USUAL = 0.5;

    private final Evidence evidence;
    private final UserCalls calls;
    private final boolean isTrace;
    /** The numbers of the operators of a profiler. */
    private final Map<String, Integer> operators = new HashMap<>();

    ModuleGraphs(Evidence evidence, UserCalls calls) {
        this.evidence = evidence;
        this.isTrace = evidence.columns().recorder == Recorder.PROFILER;
        this.calls = calls;
    }

    /** Returns whether what stays, of all that grows, of a module that a line calls is its autograd graph. */
    boolean isGraph(int node, List<Grower> growers) {
        List<Grower> beneath = growers.stream()
                .filter(grower -> calls.isWithin(grower.group().node(), node))
                .toList();
        Grower inside = beneath.stream()
                .filter(grower -> hasInside(grower, node))
                .findFirst()
                .orElse(null);
        if (inside == null || inside.steps().isEmpty() || savesNothing(inside)) {
            return false;
        }
        SeededLongSet kinds = new SeededLongSet();
        double input = 0;
        for (Grower grower : beneath) {
            boolean isInput = addKinds(grower, inside.steps(), node, kinds) && !isTrace;
            input = isInput ? Math.max(input, grower.bytes()) : input;
        }
        return (input > 0 && isWorth(input, inside, kinds.size()))
                || hasInputs(inside, node, kinds.size(), growers)
                || (kinds.size() >= fewestKinds(node, inside) && kinds.size() >= MOST_KINDS * usualKinds(node, inside));
    }

    /**
     * Returns whether what grows beside a module's blocks may be the input of what it computed. What a line of the program's computes by a single operation is
     * about as large as its inputs; a few bytes beside it are something else, such as the key of a cache.
     */
    private boolean isWorth(double input, Grower inside, int kinds) {
        int innermost =
                evidence.stacks().innermost(stack(inside.group().survivors().get(0)));
        boolean isOwn = innermost >= 0 && evidence.stacks().owner(innermost) == FrameOwner.USER;
        return kinds > 1 || !isOwn || input >= LEAST_INPUT * inside.bytes();
    }

    /** Whoever keeps a result keeps what a line made last; where that is freed, what stays lies before it in a graph. */
    private int fewestKinds(int node, Grower inside) {
        return !isTrace && freesItsValue(node, inside.steps()) ? KINDS_OF_GRAPH - 1 : KINDS_OF_GRAPH;
    }

    /** Returns whether what a line made last in a typical step is gone by the end of the next. */
    private boolean freesItsValue(int node, IntArrayList steps) {
        int typical = Math.max(steps.get(steps.size() / 2), 1);
        int last = Lifetimes.NONE;
        for (int event = evidence.steps().start(typical - 1);
                event < evidence.steps().start(typical);
                event++) {
            int stack = evidence.lifetimes().events().stack(event);
            boolean isMade = evidence.lifetimes().events().action(event) == Action.ALLOC && stack != StackTable.NONE;
            last = isMade && calls.isWithin(calls.end(stack), node)
                    ? evidence.lifetimes().allocation(event)
                    : last;
        }
        int end = Math.min(typical + 1, evidence.steps().count());
        return last != Lifetimes.NONE
                && evidence.lifetimes().died(last) < evidence.steps().start(end);
    }

    private boolean savesNothing(Grower inside) {
        return evidence.stacks()
                .state()
                .savesNothing(stack(inside.group().survivors().get(0)));
    }

    /** Returns whether a group has blocks that are made within a module that {@code node} calls, however deep. */
    boolean hasInside(Grower grower, int node) {
        IntArrayList members = grower.group().survivors();
        boolean isAny = false;
        for (int i = 0; i < members.size() && !isAny; i++) {
            isAny = isInsideModule(grower.group().node(), stack(members.get(i)), node);
        }
        return isAny;
    }

    /** Returns whether a stack that ends at the line {@code own} allocates within a module that {@code node} calls, however deep. */
    boolean isInsideModule(int own, int stack, int node) {
        return own == node ? calls.isInModule(stack) : isBelowForward(own, node);
    }

    /** Returns whether a line lies beneath another, with a module's {@code forward} between them. */
    boolean isBelowForward(int own, int node) {
        int up = own;
        boolean isInside = false;
        while (up > node) {
            isInside |= calls.isForward(up);
            up = calls.parent(up);
        }
        return up == node && isInside;
    }

    private int stack(int survivor) {
        return evidence.sites().stack(evidence.survivors().allocation(survivor));
    }

    /** Takes the kinds of block that a group kept at a typical step, and tells whether the calling line itself made one too: an input. */
    private boolean addKinds(Grower grower, IntArrayList steps, int node, SeededLongSet kinds) {
        int typical = steps.get(steps.size() / 2);
        IntArrayList members = grower.group().survivors();
        boolean hasInput = false;
        for (int i = 0; i < members.size(); i++) {
            int survivor = members.get(i);
            if (evidence.survivors().first(survivor) == typical) {
                boolean isInside = isInsideModule(grower.group().node(), stack(survivor), node);
                hasInput |= !isInside;
                if (isInside) {
                    kinds.add(kind(stack(survivor)));
                }
            }
        }
        return hasInput;
    }

    /** The kinds of block that the modules beneath a line make in most steps in which it grows. */
    private int usualKinds(int node, Grower inside) {
        SeededLongSet kinds = new SeededLongSet();
        IntPredicate isUsual = stack ->
                evidence.profile().births(stack) >= USUAL * inside.steps().size();
        for (int stack = 0; stack < evidence.columns().stacks.size(); stack++) {
            if (isUsual.test(stack) && isInsideModule(calls.end(stack), stack, node)) {
                kinds.add(kind(stack));
            }
        }
        return kinds.size();
    }

    /** The operation of a stack at its innermost line of the user's: the same for layers that share their code, wherever they are called. */
    private long kind(int stack) {
        int node = calls.end(stack);
        long line = node < 0 ? 0 : 1L + calls.frame(node);
        return line << 32 | (isTrace ? operator(stack) : evidence.stacks().innermost(stack) + 1);
    }

    private int operator(int stack) {
        return operators.computeIfAbsent(evidence.stacks().operators().operatorName(stack), _ -> operators.size());
    }

    /**
     * Returns whether something else that the same function made stays at the same steps, or, beside two kinds of block, at those too. One kind and
     * something else are also what a frame holds that an exception keeps; lines tell that ({@link CauseFinder}), but not a profiler's functions.
     */
    private boolean hasInputs(Grower inside, int node, int kinds, List<Grower> growers) {
        for (Grower grower : growers) {
            boolean isOutside = isTrace ? isOtherCall(grower, node) : isOtherLine(grower, node, kinds);
            boolean isTogether = inside.growsWhere(grower) && (kinds > 1 || (!isTrace && grower.growsWhere(inside)));
            if (isOutside && isTogether && isWorth(grower.bytes(), inside, kinds)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether a group is of another line of the function. Where a single operation of a module stays, what other modules made is no input,
     * but kept beside it: queries, keys and values.
     */
    private boolean isOtherLine(Grower grower, int node, int kinds) {
        int own = grower.group().node();
        if (own < 0 || !calls.isBeside(own, node) || calls.isWithin(own, node)) {
            return false;
        }
        int up = own;
        while (!calls.isSameFunction(up, node)) {
            up = calls.parent(up);
        }
        return kinds > 1 || !hasInside(grower, up);
    }

    /** A profiler does not tell the lines of a function apart: whatever another of them calls lies beneath the same node. */
    private boolean isOtherCall(Grower grower, int node) {
        int own = grower.group().node();
        return own >= 0 && calls.isWithin(own, node) && !hasInside(grower, node);
    }
}
