package dev.leakline.detect;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.LongHashSet;
import dev.leakline.detect.GrowthGroups.Group;
import dev.leakline.lifetime.Lifetimes;
import java.util.ArrayList;
import java.util.List;

/**
 * Which line to blame for lines whose memory grows: one for each leak.
 *
 * <p>From the outermost line inwards, each time into the function beneath which most of the growth lies, and in it to the line with most,
 * as long as that is still where the leak is made rather than what it is made of. Two things end the way. A line that others call as
 * well, without growth under their calls, does its work for whoever calls it; so the call is to blame. And where the autograd graph of a
 * module's result is kept, what stays are pieces of all that the module computed, and of its inputs; the module's {@code forward} is not to
 * blame for that, but the line that called the module.
 *
 * <p>A graph is told by what stays after one call: blocks of three kinds or more from within a module, or fewer together with
 * something that the calling function made at the same steps, since layers keep their inputs for the backward pass. A cache that a
 * module keeps holds one or two kinds of block, and its inputs go.
 */
final class LeakSites {
    /**
     * The lines of one leak.
     *
     * @param node the line to blame, {@link UserCalls#TOP} where no stack names one
     * @param groups all groups that are part of it, the largest first
     * @param isGraph whether an autograd graph is what stays
     */
    record Leak(int node, List<Grower> groups, boolean isGraph) {}

    /** A group that grows: by how many bytes, and at which steps. */
    record Grower(Group group, double bytes, IntArrayList steps) {}

    /** What goes deeper with less than half of the growth leaves most of it behind. */
    private static final double MOST = 0.5;
    /** Distinct blocks of one call that only a graph keeps; a cache keeps a key and a value. */
    private static final int KINDS_OF_GRAPH = 3;
    /** A line of a graph must hold a tenth of what grows beside it, lest a stray block pass for one. */
    private static final double GRAPH_SHARE = 0.1;
    /** Steps at which two lines grow that must be the same for them to be one leak: nine of ten. */
    private static final double SAME_STEPS = 0.9;
    /** Of another caller's allocations at a line, as a share of those that grow, so that it counts as using the line too. */
    private static final double SHARED_USE = 0.1;

    private final Evidence evidence;
    private final UserCalls calls;
    private final int fewest;
    private final List<Grower> remaining;
    private final int[] allocated;
    private final IntHashSet growing = new IntHashSet();
    /** Of each line what still unexplained growth lies at it and beneath it, in bytes. */
    private double[] growths = {};

    LeakSites(Evidence evidence, UserCalls calls, List<Grower> growers, int fewest) {
        this.evidence = evidence;
        this.calls = calls;
        this.fewest = fewest;
        this.remaining = new ArrayList<>(growers);
        this.remaining.sort((one, other) -> Double.compare(other.bytes(), one.bytes()));
        this.allocated = growers.isEmpty() ? new int[0] : allocated();
        growers.forEach(grower -> growing.add(grower.group().node()));
    }

    /** How often each line, itself or beneath it, allocates. */
    private int[] allocated() {
        Lifetimes lifetimes = evidence.lifetimes();
        int[] ofStack = new int[evidence.columns().stacks.size()];
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            if (lifetimes.born(allocation) != Lifetimes.BEFORE) {
                ofStack[lifetimes.stack(allocation)]++;
            }
        }
        for (int stack = 0; stack < ofStack.length; stack++) {
            if (ofStack[stack] > 0) {
                calls.end(stack);
            }
        }
        int[] sums = new int[calls.size()];
        for (int stack = 0; stack < ofStack.length; stack++) {
            if (ofStack[stack] > 0 && calls.end(stack) >= 0) {
                sums[calls.end(stack)] += ofStack[stack];
            }
        }
        for (int node = sums.length - 1; node >= 0; node--) {
            if (calls.parent(node) >= 0) {
                sums[calls.parent(node)] += sums[node];
            }
        }
        return sums;
    }

    /** The leaks, largest first. */
    List<Leak> find() {
        List<Leak> leaks = new ArrayList<>();
        while (!remaining.isEmpty()) {
            leaks.add(next());
        }
        return leaks;
    }

    private Leak next() {
        growths = growths();
        int node = UserCalls.TOP;
        for (int inner = inner(node); inner >= 0; inner = inner(node)) {
            node = inner;
        }
        boolean isGraph = node >= 0 && isGraph(node);
        Grower main = heaviest(node);
        List<Grower> groups = new ArrayList<>();
        groups.add(main);
        for (Grower grower : remaining) {
            if (!grower.equals(main) && isPartOf(grower, node, main, isGraph)) {
                groups.add(grower);
            }
        }
        remaining.removeAll(groups);
        return new Leak(node, groups, isGraph);
    }

    private boolean isPartOf(Grower grower, int node, Grower main, boolean isGraph) {
        int own = grower.group().node();
        if (node < 0 || own < 0) {
            return own == node;
        }
        if (calls.isWithin(own, node)) {
            return true;
        }
        return isBeside(own, node)
                && growTogether(main, grower)
                && (isGraph || main.steps().size() < MOST * evidence.steps().count());
    }

    /** Whether a line is, or is called from, another line of the function that {@code node} is in. */
    private boolean isBeside(int own, int node) {
        int up = own;
        while (up >= 0 && !calls.isSameFunction(up, node)) {
            up = calls.parent(up);
        }
        return up >= 0;
    }

    /** The first, which is the largest, of what remains beneath a line. */
    private Grower heaviest(int node) {
        for (Grower grower : remaining) {
            int own = grower.group().node();
            if (node < 0 ? own == node : calls.isWithin(own, node)) {
                return grower;
            }
        }
        return remaining.getFirst();
    }

    private static boolean growTogether(Grower one, Grower other) {
        return growsWith(one, other) && growsWith(other, one);
    }

    /** Whether another grows at the steps at which one does, whatever it does at others. */
    private static boolean growsWith(Grower one, Grower other) {
        IntHashSet steps = new IntHashSet();
        steps.addAll(other.steps());
        int common = 0;
        for (int i = 0; i < one.steps().size(); i++) {
            common += steps.contains(one.steps().get(i)) ? 1 : 0;
        }
        return common >= SAME_STEPS * one.steps().size();
    }

    /** The line to go on to from {@code node}, or -1 where the way ends. */
    private int inner(int node) {
        int line = heaviestChild(node);
        if (line < 0 || node < 0) {
            return line;
        }
        double function = 0;
        for (int child = 0; child < calls.size(); child++) {
            function += calls.isSameFunction(child, line) ? growth(child) : 0;
        }
        boolean isMost = function >= MOST * growth(node);
        boolean isModel = calls.isForward(line) && isGraph(node);
        return isMost && !isModel && !isShared(line) ? line : -1;
    }

    /** Of the function beneath a line in which most grows the line to go to. */
    private int heaviestChild(int node) {
        int heaviest = -1;
        for (int child = node + 1; child < calls.size(); child++) {
            if (calls.parent(child) == node && growth(child) > 0) {
                heaviest = heaviest < 0 || isHeavier(child, heaviest) ? child : heaviest;
            }
        }
        return heaviest;
    }

    private boolean isHeavier(int child, int other) {
        if (calls.isSameFunction(child, other)) {
            boolean isGraph = isGraph(child) && growth(child) >= GRAPH_SHARE * growth(other);
            boolean isOtherGraph = isGraph(other) && growth(other) >= GRAPH_SHARE * growth(child);
            return isGraph == isOtherGraph ? growth(child) > growth(other) : isGraph;
        }
        return growth(child) > growth(other);
    }

    /** What grows at each line and beneath it. */
    private double[] growths() {
        double[] growths = new double[calls.size()];
        for (Grower grower : remaining) {
            for (int up = grower.group().node(); up >= 0; up = calls.parent(up)) {
                growths[up] += grower.bytes();
            }
        }
        return growths;
    }

    private double growth(int node) {
        return growths[node];
    }

    /** Whether lines that do not leak call this line as well. */
    private boolean isShared(int line) {
        for (int other = 0; other < allocated.length; other++) {
            boolean isSameLine = other != line && calls.frame(other) == calls.frame(line);
            if (isSameLine && !calls.isWithin(other, line) && !calls.isWithin(line, other) && !grows(other)) {
                if (allocated[other] >= fewest && allocated[other] >= SHARED_USE * allocated[line]) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean grows(int node) {
        for (com.carrotsearch.hppc.cursors.IntCursor own : growing) {
            if (calls.isWithin(own.value, node)) {
                return true;
            }
        }
        return false;
    }

    /** Whether what stays of a module that this line calls is its autograd graph. */
    private boolean isGraph(int node) {
        LongHashSet kinds = new LongHashSet();
        Grower inside = null;
        for (Grower grower : remaining) {
            if (isInsideModule(grower, node)) {
                inside = inside == null ? grower : inside;
                addKinds(grower, inside.steps(), kinds);
            }
        }
        return inside != null && (kinds.size() >= KINDS_OF_GRAPH || hasInputs(inside, node, kinds.size()));
    }

    /** Whether a group is made within a module that {@code node} calls, however deep. */
    private boolean isInsideModule(Grower grower, int node) {
        int own = grower.group().node();
        if (own == node) {
            int first = grower.group().survivors().get(0);
            return calls.isInModule(evidence.sites().stack(evidence.survivors().allocation(first)));
        }
        int up = own;
        boolean isInside = false;
        while (up > node) {
            isInside |= calls.isForward(up);
            up = calls.parent(up);
        }
        return up == node && isInside;
    }

    /** Takes the kinds of block that a group kept at a typical step. */
    private void addKinds(Grower grower, IntArrayList clicks, LongHashSet kinds) {
        int typical = clicks.get(clicks.size() / 2);
        IntArrayList members = grower.group().survivors();
        for (int i = 0; i < members.size(); i++) {
            int survivor = members.get(i);
            if (evidence.survivors().first(survivor) == typical) {
                long stack = evidence.sites().stack(evidence.survivors().allocation(survivor));
                kinds.add(evidence.survivors().bytes(survivor) * 1_000_003 + stack);
            }
        }
    }

    /** Whether something else that the same function made stays at the same steps, or, beside two kinds of block, at those too. */
    private boolean hasInputs(Grower inside, int node, int kinds) {
        for (Grower grower : remaining) {
            int own = grower.group().node();
            boolean isOutside = (own == node && !grower.equals(inside))
                    || (own >= 0 && isBeside(own, node) && !calls.isWithin(own, node));
            if (isOutside && growsWith(inside, grower) && (kinds > 1 || growsWith(grower, inside))) {
                return true;
            }
        }
        return false;
    }
}
