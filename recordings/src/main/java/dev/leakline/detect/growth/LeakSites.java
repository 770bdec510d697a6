package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.evidence.Evidence;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.floor.Survivors;
import dev.leakline.site.UserCalls;
import dev.leakline.statistics.Ratchet;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the line responsible for lines whose memory grows: one for each leak.
 *
 * <p>From the outermost line inwards, each time into the function beneath which most of the growth lies, and in it to the line with most,
 * as long as that is still where the leak is made rather than what it is made of. Two things end the way. A line that others call as
 * well, without growth under their calls, does its work for whoever calls it; so the call is responsible. And where the autograd graph of a
 * module's result is kept ({@link ModuleGraphs}), what stays are pieces of all that the module computed, and of its inputs; the module's
 * {@code forward} is not responsible for that, but the line that called the module.
 */
final class LeakSites {
    /**
     * The lines of one leak.
     *
     * @param node the responsible line, {@link UserCalls#TOP} where no stack names one
     * @param groups all groups that are part of it, the largest first
     * @param graph what autograd has to do with it
     */
    record Leak(int node, List<Grower> groups, Graph graph) {
        /** The group that is the largest at its line. */
        Grower main() {
            return groups.getFirst();
        }

        /** By how many bytes it grows. */
        double bytes() {
            return groups.stream().mapToDouble(Grower::bytes).sum();
        }

        /** It with the groups of another. */
        Leak with(Leak more) {
            List<Grower> all = new ArrayList<>(groups);
            all.addAll(more.groups);
            return new Leak(node, all, graph);
        }

        /** The survivors of all its groups. */
        IntArrayList survivors() {
            IntArrayList survivors = new IntArrayList();
            for (Grower grower : groups) {
                survivors.addAll(grower.group().survivors());
            }
            return survivors;
        }

        /** The allocations that those are. */
        IntArrayList allocations(Evidence evidence) {
            IntArrayList allocations = survivors();
            for (int i = 0; i < allocations.size(); i++) {
                allocations.set(i, evidence.survivors().allocation(allocations.get(i)));
            }
            return allocations;
        }
    }

    /** Autograd graphs of what stays. */
    enum Graph {
        /** It is a graph, as far as stacks tell. */
        KEPT,
        /** It is what a module computed, and backward passes freed the rest. */
        FREED,
        /** It has nothing of one. */
        NONE
    }

    /** A group that grows: by how many bytes, and at which steps. */
    record Grower(Group group, double bytes, IntArrayList steps) {
        /** A group whose floor was tested. */
        static Grower of(Group group, Ratchet test) {
            return new Grower(group, test.growth(), test.clicks());
        }

        /** Returns whether both grow at the same steps. */
        boolean growsTogetherWith(Grower other) {
            return growsWhere(other) && other.growsWhere(this);
        }

        /** Returns whether both grow about as often, if not at the same steps: the gradients of a model come later than its parameters. */
        boolean growsAsOftenAs(Grower other) {
            int most = Math.max(steps.size(), other.steps.size());
            return Math.min(steps.size(), other.steps.size()) >= SAME_STEPS * most;
        }

        /** Returns whether another grows at the steps at which this one does, whatever it does at others. */
        boolean growsWhere(Grower other) {
            IntHashSet others = new IntHashSet();
            others.addAll(other.steps);
            int common = 0;
            for (int i = 0; i < steps.size(); i++) {
                common += others.contains(steps.get(i)) ? 1 : 0;
            }
            return common >= SAME_STEPS * steps.size();
        }
    }

    /** The share of steps below which growth at the same six, as of whole models, is chance once in 64; at nearly every step all lines grow. */
    private static final double SELDOM = 0.5;
    /** The least share of the growth that a deeper function must have: going deeper with less leaves most of it behind. */
    private static final double MOST = 0.5;
    /** A responsible line must hold a tenth of what grows beside it, lest a stray block pass for one. */
    static final double LEAST_SHARE = 0.1;
    /** Steps at which two lines grow that must be the same for them to be one leak: nine of ten. */
    private static final double SAME_STEPS = 0.9;

    private final Evidence evidence;
    private final UserCalls calls;
    private final List<Grower> remaining;
    private final LineUse use;
    private final ModuleGraphs graphs;
    private final ModelStates states;
    private final double seldom;
    /** Unexplained growth at each line and beneath it, in bytes. */
    private double[] growths = {};

    private LeakSites(Evidence evidence, List<Grower> growers) {
        this.evidence = evidence;
        this.calls = evidence.groups().calls();
        this.remaining = new ArrayList<>(growers);
        this.remaining.sort((one, other) -> Double.compare(other.bytes(), one.bytes()));
        this.graphs = new ModuleGraphs(evidence, calls);
        this.seldom = SELDOM * evidence.steps().count();
        this.states = new ModelStates(evidence, seldom);
        IntHashSet growing = new IntHashSet();
        growers.forEach(grower -> growing.add(grower.group().node()));
        this.use = new LineUse(evidence, calls, growing);
    }

    /** The leaks that groups which grow make, largest first. */
    static List<Leak> find(Evidence evidence, List<Grower> growers) {
        return growers.isEmpty() ? List.of() : new LeakSites(evidence, growers).find();
    }

    private List<Leak> find() {
        JoinedLeaks leaks = new JoinedLeaks(evidence, graphs, states, seldom);
        while (!remaining.isEmpty()) {
            leaks.add(next());
        }
        return leaks.list();
    }

    private Leak next() {
        growths = growths();
        int node = UserCalls.TOP;
        for (int inner = inner(node); inner >= 0; inner = inner(node)) {
            node = inner;
        }
        boolean isGraph = node >= 0 && graphs.isGraph(node, remaining);
        int call = node;
        Grower main = heaviest(node);
        Grower model = states.modelOf(main, remaining);
        if (model != null) {
            main = model;
            node = model.group().node();
        }
        List<Grower> groups = new ArrayList<>();
        groups.add(main);
        for (Grower grower : remaining) {
            if (!grower.equals(main) && isPartOf(grower, node, main)) {
                groups.add(grower);
            }
        }
        remaining.removeAll(groups);
        return new Leak(node, groups, isGraph ? graph(call, main, groups) : Graph.NONE);
    }

    private Graph graph(int call, Grower main, List<Grower> groups) {
        IntHashSet kept = new IntHashSet();
        for (Grower grower : groups) {
            for (IntCursor survivor : grower.group().survivors()) {
                kept.add(evidence.sites().stack(evidence.survivors().allocation(survivor.value)));
            }
        }
        boolean isFreed =
                !main.steps().isEmpty() && new FreedGraphs(evidence, graphs).isFreed(call, kept, main.steps());
        return isFreed ? Graph.FREED : Graph.KEPT;
    }

    /** Returns whether a group lies beneath the responsible line, or beside it in the same function, and then grows at the same steps: one call keeps both. */
    private boolean isPartOf(Grower grower, int node, Grower main) {
        int own = grower.group().node();
        if (states.areOfOneModel(main, grower)) {
            return true;
        }
        if (node < 0 || own < 0) {
            return own == node;
        }
        if (calls.isWithin(own, node)) {
            return true;
        }
        return calls.isBeside(own, node) && main.growsTogetherWith(grower) && !states.areKeptApart(main, grower);
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
        boolean isModel = calls.isForward(line) && graphs.isGraph(node, remaining);
        return isMost && !isModel && !use.isShared(line) ? line : -1;
    }

    /** The line to continue with, in the function beneath a line in which most grows. */
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
            boolean isGraph = graphs.isGraph(child, remaining) && growth(child) >= LEAST_SHARE * growth(other);
            boolean isOtherGraph = graphs.isGraph(other, remaining) && growth(other) >= LEAST_SHARE * growth(child);
            return isGraph == isOtherGraph ? growth(child) > growth(other) : isGraph;
        }
        return growth(child) > growth(other);
    }

    /** The bytes that grow at each line and beneath it. */
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

    /** Counts how often each of the user's lines allocates, directly or through calls, and whether others use it without growing. */
    private static final class LineUse {
        /**
         * The least share of another caller's allocations at a line, relative to those that grow, for it to count as a user of the line.
         */
        private static final double SHARED_USE = 0.1;

        /** Blocks that stay, of those that came in one half of the recording: one may be there for good, two hardly by chance. */
        private static final int STAYING = 1;

        private final UserCalls calls;
        private final int[] allocations;
        private final IntHashSet growing;
        /** For each line, blocks made there in each half of the recording that stay to its end. */
        private final int[][] staying;

        /** Counts; {@code growing} are the lines that grow. */
        LineUse(Evidence evidence, UserCalls calls, IntHashSet growing) {
            this.calls = calls;
            this.growing = growing;
            this.staying = staying(evidence, calls);
            this.allocations = new int[calls.size()];
            for (int stack = 0; stack < evidence.columns().stacks.size(); stack++) {
                int births = evidence.profile().births(stack);
                for (int up = births > 0 ? calls.end(stack) : -1; up >= 0; up = calls.parent(up)) {
                    allocations[up] += births;
                }
            }
        }

        private static int[][] staying(Evidence evidence, UserCalls calls) {
            Survivors survivors = evidence.survivors();
            int steps = evidence.steps().count();
            int[][] staying = new int[2][calls.size()];
            for (int survivor = 0; survivor < survivors.count(); survivor++) {
                int half = survivors.first(survivor) < steps / 2 ? 0 : 1;
                boolean isStaying = survivors.end(survivor) >= steps;
                int end = calls.end(evidence.sites().stack(survivors.allocation(survivor)));
                for (int up = isStaying ? end : -1; up >= 0; up = calls.parent(up)) {
                    staying[half][up]++;
                }
            }
            return staying;
        }

        /** Returns whether blocks made at a line go on to stay, too seldom to be seen as growth: it is no line whose callers give back all. */
        private boolean leaksToo(int node) {
            return staying[0][node] >= STAYING && staying[1][node] > STAYING;
        }

        /** Returns whether calls beneath which nothing grows use a line as well, as often as makes a leak. */
        boolean isShared(int line) {
            for (int other = 0; other < allocations.length; other++) {
                boolean isSameLine = other != line && calls.frame(other) == calls.frame(line);
                boolean isOften = allocations[other] >= Math.max(Ratchet.FEWEST_RISES, SHARED_USE * allocations[line]);
                if (isSameLine
                        && isOften
                        && !calls.isWithin(other, line)
                        && !calls.isWithin(line, other)
                        && !leaksToo(other)
                        && !grows(other)) {
                    return true;
                }
            }
            return false;
        }

        private boolean grows(int node) {
            for (IntCursor own : growing) {
                if (calls.isWithin(own.value, node)) {
                    return true;
                }
            }
            return false;
        }
    }
}
