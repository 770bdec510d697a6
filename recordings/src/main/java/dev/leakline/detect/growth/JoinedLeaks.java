package dev.leakline.detect.growth;

import dev.leakline.detect.growth.LeakSites.Graph;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.evidence.Evidence;
import dev.leakline.site.UserCalls;
import java.util.ArrayList;
import java.util.List;

/** Joins what grows at several lines and is one leak: what one call keeps, at whatever depth, and what an autograd graph keeps. */
final class JoinedLeaks {
    /** A line beneath another is the responsible one of both with at least half of their growth, as on the way to it. */
    private static final double MOST = 0.5;

    private final UserCalls calls;
    private final ModuleGraphs graphs;
    private final ModelStates states;
    private final double seldom;
    private final boolean trains;
    private final List<Leak> leaks = new ArrayList<>();

    /** {@code seldom} is the number of steps below which growth at the same steps is no chance. */
    JoinedLeaks(Evidence evidence, ModuleGraphs graphs, ModelStates states, double seldom) {
        this.calls = evidence.groups().calls();
        this.graphs = graphs;
        this.states = states;
        this.seldom = seldom;
        this.trains =
                !evidence.profile().steps(evidence.stacks()::startsBackward).isEmpty();
    }

    /** The leaks, the first added first. */
    List<Leak> list() {
        return leaks;
    }

    /** Adds a leak, to one that it is a part of, or with those that are parts of it. */
    void add(Leak leak) {
        for (int i = 0; i < leaks.size(); i++) {
            if (isPart(leak, leaks.get(i))) {
                leaks.set(i, joined(leaks.get(i), leak));
                return;
            }
        }
        List<Leak> branches =
                leaks.stream().filter(other -> isBranch(other, leak)).toList();
        leaks.removeAll(branches);
        leaks.add(branches.stream().reduce(leak, this::joined));
    }

    private boolean isPart(Leak leak, Leak main) {
        return isSame(leak, main)
                || isBranch(leak, main)
                || isOfOneCall(main, leak)
                || (main.graph() == Graph.KEPT && isOfGraph(leak, main));
    }

    private Leak joined(Leak main, Leak more) {
        boolean isDeeper = more.node() != main.node() && isWithin(more.node(), main.node());
        boolean isStray = more.graph() == main.graph()
                && more.main().growsTogetherWith(main.main())
                && main.bytes() < LeakSites.LEAST_SHARE * more.bytes();
        boolean isMost = isDeeper && more.bytes() >= MOST * (more.bytes() + main.bytes());
        return isMost || isStray ? more.with(main) : main.with(more);
    }

    private boolean isWithin(int inner, int outer) {
        return inner >= 0 && outer >= 0 && calls.isWithin(inner, outer);
    }

    /** Returns whether two are of the same line and grow at the same steps: several calls of one function are one leak. */
    private boolean isSame(Leak one, Leak other) {
        return isSameLine(one, other) && one.main().growsTogetherWith(other.main());
    }

    private boolean isSameLine(Leak one, Leak other) {
        return one.node() >= 0
                && other.node() >= 0
                && calls.frame(one.node()) == calls.frame(other.node())
                && one.graph() == other.graph()
                && one.main().group().kind() == other.main().group().kind();
    }

    /**
     * Returns whether one grows in calls of the function in which another does, and only at steps at which that does too; and those are seldom enough for that
     * to be no chance. So it is where a call fails now early, now late, and what it had made until then is kept.
     */
    private boolean isBranch(Leak one, Leak main) {
        return isBeside(one, main)
                && !one.main().steps().isEmpty()
                && one.graph() == main.graph()
                && !states.areKeptApart(one.main(), main.main())
                && main.main().steps().size() < seldom
                && one.main().growsWhere(main.main());
    }

    private boolean isBeside(Leak one, Leak main) {
        return one.node() >= 0 && main.node() >= 0 && calls.isBeside(one.node(), main.node());
    }

    /**
     * Returns whether one call of a model that is trained keeps both: modules within modules that all keep something at the same steps, as pieces of a
     * graph that a backward pass did not free. Without backward passes, each keeps its own.
     */
    private boolean isOfOneCall(Leak inner, Leak outer) {
        return trains
                && isWithin(inner.node(), outer.node())
                && outer.graph() == Graph.NONE
                && inner.graph() == Graph.NONE
                && isOfModules(inner, outer)
                && inner.main().growsTogetherWith(outer.main());
    }

    private boolean isOfModules(Leak inner, Leak outer) {
        return calls.isForward(outer.node())
                || (graphs.hasInside(outer.main(), outer.node()) && graphs.isBelowForward(inner.node(), outer.node()));
    }

    /** Returns whether a kept graph keeps it too: what the same function computes at some of the steps, and what the line gave it that called it. */
    private boolean isOfGraph(Leak part, Leak graph) {
        Grower main = graph.main();
        boolean isComputed = isBeside(part, graph) && graphs.hasInside(part.main(), part.node());
        boolean isGiven = graph.node() >= 0 && part.node() == calls.parent(graph.node());
        return !part.main().steps().isEmpty()
                && part.main().growsWhere(main)
                && (isComputed || (isGiven && main.growsWhere(part.main())));
    }
}
