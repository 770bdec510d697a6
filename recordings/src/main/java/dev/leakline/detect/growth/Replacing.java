package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import com.carrotsearch.hppc.procedures.LongProcedure;
import dev.leakline.columns.StackTable;
import dev.leakline.detect.growth.LeakSites.Grower;
import dev.leakline.evidence.Evidence;
import dev.leakline.floor.GrowthGroups.Group;
import dev.leakline.hash.SeededLongObjectMap;
import dev.leakline.hash.SeededLongSet;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.statistics.Ratchet;
import dev.leakline.statistics.Ratchet.Shape;
import dev.leakline.statistics.Slope;
import dev.leakline.steps.StepCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;

/**
 * Tells blocks that replace others from blocks that are added to them. The blocks of a line may all stay and yet add nothing: a queue that was full
 * before the recording drops as many from then; a pool is filled at one line and renewed at another; a recording has the stacks of those
 * blocks alone that are live at its end. So the live bytes of the same sizes are counted at the beginning of each step, whatever line made
 * them. Where they do not grow, nothing leaks.
 */
final class Replacing {
    /** The relation of a line's blocks to others of their sizes. */
    enum Answer {
        /** They are added to them. */
        ADDED,
        /** They take their place. */
        REPLACED,
        /** They come while others are freed, and nothing shows that they take their place. */
        OPEN
    }

    /** More than half of what came was added, or more than half replaced something: one of both outweighs the other. */
    private static final double HALF = 0.5;

    private static final Balance NONE = new Balance(new long[0]);

    /** The live memory in blocks of a group's sizes, whatever line made it. */
    private static final class Balance {
        /** Bytes at the beginning of each step; until all are counted, what they change by. */
        private final long[] live;

        /** Bytes from before the recording that were freed up to each step; until all are counted, in each. */
        private final long[] gone;
        /** Steps that freed any of those, and how many blocks they freed. */
        private final IntHashSet freeing = new IntHashSet();

        private int goneBlocks;
        /** True where blocks of other lines that stay have these sizes too. */
        private boolean isShared;

        private long older;
        private long unnamed;
        private long named;

        Balance(long[] live) {
            this.live = live;
            this.gone = new long[live.length];
        }

        /** Takes bytes from before the recording that a step frees. */
        void takeGone(int step, long bytes) {
            if (step < gone.length) {
                gone[step] += bytes;
                goneBlocks++;
                freeing.add(step);
            }
        }

        void sum() {
            Arrays.parallelPrefix(live, Long::sum);
            Arrays.parallelPrefix(gone, Long::sum);
        }

        /** Returns whether what was freed from before the recording were blocks of the same line: again and again, and no other keeps such sizes. */
        boolean hasLostOwn() {
            return !isShared && freeing.size() >= Ratchet.FEWEST_RISES;
        }

        /** Takes bytes that are live at the beginning of some steps. */
        void take(int first, int last, long bytes) {
            live[first] += bytes;
            if (last + 1 < live.length) {
                live[last + 1] -= bytes;
            }
        }

        /** Takes notice of who made what was freed. */
        void takeFreed(boolean isOlder, boolean isUnnamed, long bytes) {
            older += isOlder ? bytes : 0;
            unnamed += isUnnamed && !isOlder ? bytes : 0;
            named += isUnnamed || isOlder ? 0 : bytes;
        }

        String makers() {
            if (older >= Math.max(unnamed, named)) {
                return "from before the recording";
            }
            return unnamed >= named ? "whose lines were not recorded" : "of other lines";
        }
    }

    private final Evidence evidence;
    private final Map<Group, Balance> balances = new HashMap<>();
    private final Map<Group, Answer> answers = new HashMap<>();

    /** Counts for all that grow at once. */
    Replacing(Evidence evidence, List<Grower> growers) {
        this.evidence = evidence;
        if (!growers.isEmpty()) {
            SeededLongObjectMap<List<Balance>> bySize = bySize(growers);
            count(bySize);
            evidence.groups().all().forEach(group -> share(group, bySize));
            balances.values().forEach(Balance::sum);
        }
    }

    private SeededLongObjectMap<List<Balance>> bySize(List<Grower> growers) {
        SeededLongObjectMap<List<Balance>> bySize = new SeededLongObjectMap<>();
        for (Grower grower : growers) {
            Balance balance = new Balance(new long[evidence.steps().count()]);
            balances.put(grower.group(), balance);
            SeededLongSet sizes = new SeededLongSet();
            for (IntCursor survivor : grower.group().survivors()) {
                sizes.add(evidence.lifetimes().requested(evidence.survivors().allocation(survivor.value)));
            }
            sizes.forEach((LongProcedure) size -> {
                if (!bySize.containsKey(size)) {
                    bySize.put(size, new ArrayList<>());
                }
                bySize.get(size).add(balance);
            });
        }
        return bySize;
    }

    /** Marks what is of other groups' sizes as well. */
    private void share(Group group, SeededLongObjectMap<List<Balance>> bySize) {
        Balance own = balances.get(group);
        for (IntCursor survivor : group.survivors()) {
            long size = evidence.lifetimes().requested(evidence.survivors().allocation(survivor.value));
            for (Balance balance : bySize.getOrDefault(size, List.of())) {
                balance.isShared |= balance != own;
            }
        }
    }

    private void count(SeededLongObjectMap<List<Balance>> bySize) {
        Lifetimes lifetimes = evidence.lifetimes();
        StepCursor cursor = new StepCursor(evidence.steps());
        for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
            int born = lifetimes.born(allocation);
            int first = born == Lifetimes.BEFORE ? 0 : cursor.of(born) + 1;
            boolean isThere = first < evidence.steps().count()
                    && lifetimes.died(allocation) >= evidence.steps().start(first);
            List<Balance> found = isThere ? bySize.get(lifetimes.requested(allocation)) : null;
            if (found != null && !lifetimes.isLost(allocation)) {
                take(found, allocation, first);
            }
        }
    }

    private void take(List<Balance> found, int allocation, int first) {
        Lifetimes lifetimes = evidence.lifetimes();
        int died = lifetimes.died(allocation);
        int last = died == Lifetimes.NEVER
                ? evidence.steps().count()
                : evidence.steps().of(died);
        boolean isOlder = lifetimes.born(allocation) == Lifetimes.BEFORE;
        boolean isUnnamed = lifetimes.stack(allocation) == StackTable.NONE;
        for (Balance balance : found) {
            balance.take(first, last, lifetimes.held(allocation));
            if (isOlder) {
                balance.takeGone(last, lifetimes.held(allocation));
            }
            if (died != Lifetimes.NEVER) {
                balance.takeFreed(isOlder, isUnnamed, lifetimes.held(allocation));
            }
        }
    }

    /** The relation of a growing group's blocks to others of their sizes. */
    Answer answer(Grower grower) {
        return answers.computeIfAbsent(grower.group(), _ -> judge(grower));
    }

    private Answer judge(Grower grower) {
        long[] live = balance(grower).live;
        Ratchet test = evidence.groups().test(grower.group());
        if (live.length == 0 || test == null) {
            return Answer.ADDED;
        }
        long[] during = Arrays.copyOfRange(live, test.firstStep(), test.lastStep() + 1);
        boolean isGrowing = new Ratchet(during).shape() == Shape.GROWS;
        if (isGrowing || isSteep(live, test)) {
            return Answer.ADDED;
        }
        LongSummaryStatistics range = Arrays.stream(during).summaryStatistics();
        return range.getMax() - range.getMin() < HALF * test.growth() ? Answer.REPLACED : Answer.OPEN;
    }

    /** Returns whether what is live of the sizes rises about as fast as the group, or does so in the end: what else was freed, was freed by then. */
    private static boolean isSteep(long[] live, Ratchet test) {
        int first = test.firstStep();
        int last = test.lastStep();
        double least = HALF * test.slope().value();
        return new Slope(live, first, last).value() >= least
                || new Slope(live, (first + last) / 2, last).value() >= least;
    }

    /** The floor of groups that grow, without what only replaces other blocks: of a group of which most does, as far as its sizes grow. */
    long[] floor(List<Grower> growers) {
        long[] sum = new long[evidence.steps().count()];
        for (Grower grower : growers) {
            long[] floor = floor(grower);
            Arrays.setAll(sum, step -> sum[step] + floor[step]);
        }
        return sum;
    }

    private long[] floor(Grower grower) {
        long[] floor = evidence.groups().floor(grower.group().survivors());
        Ratchet test = evidence.groups().test(grower.group());
        Balance balance = balance(grower);
        long[] live = balance.live;
        if (balance.hasLostOwn()) {
            long there = balance.gone[floor.length - 1];
            Arrays.setAll(floor, step -> floor[step] + there - balance.gone[step]);
        } else if (live.length > 0 && test != null && !isSteep(live, test)) {
            int first = test.firstStep();
            for (int step = first + 1; step < floor.length; step++) {
                floor[step] = floor[first] + Math.max(live[step] - live[first], 0);
            }
        }
        return floor;
    }

    /** Blocks from before the recording that were freed of these groups' lines, as far as their sizes tell whose they were. */
    int freedOlder(List<Grower> growers) {
        return growers.stream()
                .map(this::balance)
                .filter(Balance::hasLostOwn)
                .mapToInt(balance -> balance.goneBlocks)
                .sum();
    }

    /** Where most of what was freed meanwhile came from, as a sentence goes on. */
    String makers(Grower grower) {
        return balance(grower).makers();
    }

    private Balance balance(Grower grower) {
        return balances.getOrDefault(grower.group(), NONE);
    }
}
