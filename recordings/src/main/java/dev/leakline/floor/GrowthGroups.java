package dev.leakline.floor;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.procedures.IntProcedure;
import dev.leakline.columns.Recorder;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.StackTable;
import dev.leakline.hash.SeededLongObjectMap;
import dev.leakline.result.Site;
import dev.leakline.site.SiteFinder;
import dev.leakline.site.StackSites;
import dev.leakline.site.UserCalls;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Ratchet.Shape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Groups the survivors of each line by the calls that led to it, and computes their floor: the bytes that they hold through each step. What
 * PyTorch gave to cuBLAS at a line is a group of its own ({@link BlasWorkspaces}), and judged like any other.
 */
public final class GrowthGroups {
    /** The survivors that one line made. */
    public static final class Group {
        private final int node;
        private final Site.Kind kind;
        private final IntArrayList survivors = new IntArrayList();
        /** The test of its floor; null where it has too few survivors to grow. Set once, before anybody can ask. */
        private @Nullable Ratchet test;

        private Group(int node, Site.Kind kind) {
            this.node = node;
            this.kind = kind;
        }

        /** The line, as a node of the calls; {@link UserCalls#TOP} where no stack names any. */
        public int node() {
            return node;
        }

        /** How the line was found. */
        public Site.Kind kind() {
            return kind;
        }

        /** The numbers of the survivors. */
        public IntArrayList survivors() {
            return survivors;
        }
    }

    /**
     * A bit of a group's key, above those of the kind. A profiler knows functions but not lines, so what a function makes and what the
     * modules make that it calls lie at one node; in a snapshot they are lines, and each a group.
     */
    private static final int OF_MODULES = 1 << 7;

    /** Nearly all that a queue or a cache holds for a while; a block that stays by accident makes no leak of it. */
    private static final double TURNED_OVER = 0.9;

    private final int stackCount;
    private final Survivors survivors;
    private final UserCalls calls;
    private final SiteFinder sites;
    private final int steps;
    private final boolean isTrace;
    private final List<Group> groups = new ArrayList<>();
    private final IntHashSet workspaces = new IntHashSet();
    private final long[] ofAll;

    /** Groups survivors and tests each group. */
    public GrowthGroups(SnapshotColumns columns, int steps, Survivors survivors, StackSites stacks, SiteFinder sites) {
        this.survivors = survivors;
        this.stackCount = columns.stacks.size();
        this.steps = steps;
        this.sites = sites;
        this.calls = new UserCalls(columns.stacks, columns.frames, stacks, stacksOfSurvivors());
        if (calls.cut() > 0) {
            columns.counters.count("stacks too many to tell apart by all their lines", calls.cut());
        }
        this.isTrace = columns.recorder == Recorder.PROFILER;
        SeededLongObjectMap<Group> byLine = new SeededLongObjectMap<>();
        for (int survivor = 0; survivor < survivors.count(); survivor++) {
            group(survivors.allocation(survivor), byLine).survivors.add(survivor);
        }
        BlasWorkspaces finder = new BlasWorkspaces(survivors, stacks, steps);
        List.copyOf(groups).forEach(group -> setAside(finder.among(group.survivors), group));
        groups.stream()
                .filter(group -> group.survivors.size() >= Ratchet.FEWEST_RISES)
                .forEach(group -> group.test = new Ratchet(floor(group.survivors)));
        this.ofAll = sum();
    }

    /** The stacks of the survivors, in the order of their births: so that of lines that are equal, the first to allocate comes first. */
    private IntArrayList stacksOfSurvivors() {
        IntArrayList list = new IntArrayList(survivors.count());
        for (int survivor = 0; survivor < survivors.count(); survivor++) {
            list.add(sites.stack(survivors.allocation(survivor)));
        }
        return list;
    }

    /** The group of an allocation; one more where it is the first of it. */
    private Group group(int allocation, SeededLongObjectMap<Group> byLine) {
        int stack = sites.stack(allocation);
        int node = calls.end(stack);
        Site.Kind kind = sites.site(allocation).kind();
        int ofModules = isTrace && calls.isInModule(stack) ? OF_MODULES : 0;
        long key = (long) node << 8 | ofModules | kind.compareTo(Site.Kind.USER);
        Group group = byLine.get(key);
        if (group == null) {
            group = new Group(node, kind);
            byLine.put(key, group);
            groups.add(group);
        }
        return group;
    }

    /** Gives a group's workspaces one of their own; where too little is left to do anything, it may keep them. */
    private void setAside(IntArrayList members, Group group) {
        workspaces.addAll(members);
        if (!members.isEmpty() && group.survivors.size() - members.size() >= Ratchet.FEWEST_RISES) {
            Group apart = new Group(group.node, group.kind);
            apart.survivors.addAll(members);
            group.survivors.removeAll(workspaces);
            groups.add(apart);
        }
    }

    /** All groups, in the order in which their first survivor was born; then those of workspaces. */
    public List<Group> all() {
        return groups;
    }

    /** Tests the floor of a group for growth; null if it has too few survivors. */
    @Nullable
    public Ratchet test(Group group) {
        return group.test;
    }

    /** Returns whether the floor of a group grows. */
    public boolean grows(Group group) {
        return group.test != null && group.test.shape() == Shape.GROWS;
    }

    /** Returns whether what was born in the first half of a group's steps has gone by the end: it stays for a while only. */
    public boolean isTurnedOver(Group group) {
        int first = steps;
        int last = 0;
        for (int i = 0; i < group.survivors.size(); i++) {
            first = Math.min(first, survivors.first(group.survivors.get(i)));
            last = Math.max(last, survivors.first(group.survivors.get(i)));
        }
        int early = 0;
        int gone = 0;
        for (int i = 0; i < group.survivors.size(); i++) {
            int survivor = group.survivors.get(i);
            if (survivors.first(survivor) <= (first + last) / 2) {
                early++;
                gone += survivors.end(survivor) <= last ? 1 : 0;
            }
        }
        return gone >= TURNED_OVER * early;
    }

    /** The stacks of what grows. */
    public BitSet suspectedStacks() {
        BitSet stacks = new BitSet();
        for (Group group : groups) {
            if (grows(group)) {
                group.survivors.forEach((IntProcedure) survivor -> stacks.set(survivors.stack(survivor)));
            }
        }
        stacks.clear(StackTable.NONE);
        return stacks;
    }

    /** All stacks of the lines at which something grows. */
    public BitSet suspectedLines() {
        BitSet suspected = suspectedStacks();
        BitSet nodes = new BitSet();
        suspected.stream().map(calls::end).filter(node -> node >= 0).forEach(nodes::set);
        for (int stack = 0; stack < stackCount && !nodes.isEmpty(); stack++) {
            int node = calls.end(stack);
            suspected.set(stack, suspected.get(stack) || (node >= 0 && nodes.get(node)));
        }
        suspected.clear(StackTable.NONE);
        return suspected;
    }

    /** Returns whether anything that some stacks made grew and then stopped. */
    public boolean hasStopped(BitSet stacks) {
        return groups.stream()
                .filter(group -> group.test != null && group.test.shape() == Shape.ENDS)
                .anyMatch(group -> stacks.get(survivors.stack(group.survivors.get(0))));
    }

    /** Returns whether a module made any block of a group; what it was called with lies at the same line, when the call stands there. */
    public boolean isComputed(Group group) {
        for (int i = 0; i < group.survivors.size(); i++) {
            if (isComputed(sites.stack(survivors.allocation(group.survivors.get(i))))) {
                return true;
            }
        }
        return false;
    }

    private boolean isComputed(int stack) {
        for (int node = calls.end(stack); node >= 0; node = calls.parent(node)) {
            if (calls.isForward(node)) {
                return true;
            }
        }
        return calls.isInModule(stack);
    }

    /** The tree that the groups' nodes are of. */
    public UserCalls calls() {
        return calls;
    }

    /** Bytes held through each step by all survivors but workspaces. */
    public long[] floorOfAll() {
        return ofAll;
    }

    private long[] sum() {
        IntArrayList all = new IntArrayList();
        for (int survivor = 0; survivor < survivors.count(); survivor++) {
            all.add(survivor);
        }
        all.removeAll(workspaces);
        return floor(all);
    }

    /** Bytes held through each step by what neither grows nor swings. */
    public long[] floorOfSteady() {
        IntArrayList steady = new IntArrayList();
        for (Group group : groups) {
            Ratchet test = test(group);
            boolean isSteady = test == null
                    || (test.shape() != Shape.GROWS && test.releases().isEmpty());
            if (isSteady) {
                steady.addAll(group.survivors);
            }
        }
        return floor(steady);
    }

    /** Bytes held through each step by the given survivors. */
    public long[] floor(IntArrayList members) {
        long[] floor = new long[steps];
        for (int i = 0; i < members.size(); i++) {
            int survivor = members.get(i);
            add(floor, survivors.first(survivor), survivors.bytes(survivor));
            add(floor, survivors.end(survivor), -survivors.bytes(survivor));
        }
        for (int step = 1; step < steps; step++) {
            floor[step] += floor[step - 1];
        }
        return floor;
    }

    private static void add(long[] changes, int step, long bytes) {
        if (step < changes.length) {
            changes[step] += bytes;
        }
    }
}
