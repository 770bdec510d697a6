package dev.leakline.ranks;

import dev.leakline.result.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Groups of ranks with the same model that do the same with it. Two do the same if no line holds more in one of them than in the other, beyond
 * what inputs make of it: how much the peaks of the steps differ within the ranks tells that, line by line. A group goes on from rank to
 * rank, so inputs that differ by more than a rank has seen make no group where others lie between.
 *
 * <p>A recording is compared as far as both go. One with fewer steps says less, so it joins the largest group that it could be of, and
 * never makes one of two.
 */
final class PeerGroups {
    /** The share of a peak below which a difference decides nothing: nobody would act on it. */
    private static final double NEGLIGIBLE = 0.02;
    /** The difference of one line in two ranks that inputs explain: batches that are padded each to its own length differ by as much. */
    private static final double OTHER_INPUT = 0.1;
    /** Highest peaks of two ranks that do the same lie within twice their spread: the range of equally likely ones is twice the quartiles'. */
    private static final int SPREADS = 2;
    /** The middle of n values of a normal distribution errs by 0.93 of their quartiles over the root of n; four times that hardly ever. */
    private static final double ERROR_OF_MIDDLE = 4 * 0.93;
    /** Recordings as long as each other have seen the same of what grows. */
    private static final double AS_LONG = 0.9;
    /** How much more than its peer a rank has to hold at a line that leaks, as a share: else both leak, and one was not seen to. */
    private static final double LEAKS_MORE = 0.1;

    private final long[] tolerances;
    private final double[] usualTolerances;
    /** How much inputs vary from step to step, as a share of the usual: the highest peaks of two ranks may differ as much. */
    private final double variation;

    private final PeerRank.Measures measures;
    private final List<PeerRank> part;

    PeerGroups(PeerRank.Measures measures, List<PeerRank> part) {
        this.measures = measures;
        this.part = part;
        this.tolerances = new long[measures.count()];
        this.usualTolerances = new double[measures.count()];
        long[] peaks =
                part.stream().mapToLong(rank -> rank.process().peak()).sorted().toArray();
        long floor = Math.round(NEGLIGIBLE * peaks[(peaks.length - 1) / 2]);
        long usual = middle(part, rank -> rank.usual(PeerRank.Measures.TOTAL));
        long quartile = middle(part, rank -> rank.quartiles(PeerRank.Measures.TOTAL));
        this.variation = usual == 0 ? OTHER_INPUT : Math.clamp((double) quartile / usual, OTHER_INPUT, 1);
        for (int measure = 0; measure < tolerances.length; measure++) {
            int number = measure;
            tolerances[measure] = floor + SPREADS * middle(part, rank -> rank.spread(number));
            long quartiles = middle(part, rank -> rank.quartiles(number));
            usualTolerances[measure] = floor + ERROR_OF_MIDDLE * quartiles / Math.sqrt((double) steps());
        }
    }

    /** Steps of most recordings, one at least. */
    private long steps() {
        return Math.max(middle(part, rank -> rank.process().steps()), 1);
    }

    /** The ranks that are compared. */
    List<PeerRank> part() {
        return part;
    }

    /** The groups, each with its ranks in order. */
    List<List<PeerRank>> groups() {
        List<PeerRank> longestFirst = new ArrayList<>(part);
        longestFirst.sort(Comparator.comparingInt(PeerRank::steps).reversed().thenComparingInt(PeerRank::rank));
        List<List<PeerRank>> groups = new ArrayList<>();
        longestFirst.forEach(rank -> join(rank, groups));
        groups.forEach(group -> group.sort(Comparator.comparingInt(PeerRank::rank)));
        return groups;
    }

    private void join(PeerRank rank, List<List<PeerRank>> groups) {
        List<List<PeerRank>> fitting = new ArrayList<>();
        for (List<PeerRank> group : groups) {
            if (group.stream().anyMatch(other -> isSame(rank, other))) {
                fitting.add(group);
            }
        }
        fitting.sort(Comparator.comparingInt((List<PeerRank> group) -> -group.size()));
        List<PeerRank> home = fitting.isEmpty() ? new ArrayList<>() : fitting.getFirst();
        if (fitting.isEmpty()) {
            groups.add(home);
        }
        for (int i = 1; i < fitting.size(); i++) {
            List<PeerRank> other = fitting.get(i);
            if (other.stream().anyMatch(each -> each.steps() == rank.steps() && isSame(rank, each))) {
                home.addAll(other);
                groups.remove(other);
            }
        }
        home.add(rank);
    }

    private boolean isSame(PeerRank one, PeerRank other) {
        for (int measure = 0; measure < tolerances.length; measure++) {
            if (isMore(one, other, measure) || isMore(other, one, measure)) {
                return false;
            }
        }
        return !leaksAlone(one, other) && !leaksAlone(other, one);
    }

    /** Returns whether a rank holds more at its most than another ever does, or usually more, beyond what inputs make of it. */
    private boolean isMore(PeerRank one, PeerRank other, int measure) {
        long more = one.more(other, measure);
        double slack = variation * other.most(measure, false);
        return more > tolerances[measure] + slack || isUsuallyMore(one, other, measure);
    }

    private boolean isUsuallyMore(PeerRank one, PeerRank other, int measure) {
        long fewer = Math.min(one.steps(), other.steps());
        boolean areComparable = fewer >= AS_LONG * Math.max(one.steps(), other.steps())
                && one.usual(measure) > 0
                && other.usual(measure) > 0;
        long more = one.usual(measure) - other.usual(measure);
        return areComparable && more > usualTolerances[measure] + OTHER_INPUT * other.usual(measure);
    }

    /** Returns whether a rank holds more in some measure than each of the others, as far as they recorded as much as any of them. */
    boolean holdsMore(PeerRank rank, List<PeerRank> others) {
        int steps = others.stream().mapToInt(PeerRank::steps).max().orElse(0);
        List<PeerRank> longest =
                others.stream().filter(other -> other.steps() == steps).toList();
        for (int measure = 0; measure < tolerances.length; measure++) {
            int number = measure;
            if (longest.stream().allMatch(other -> isMore(rank, other, number))) {
                return true;
            }
        }
        return longest.stream().allMatch(other -> leaksAlone(rank, other));
    }

    /** Returns whether a rank leaks at a line at which another holds less in as many steps. */
    boolean leaksAlone(PeerRank rank, PeerRank other) {
        return rank.leaks().stream().anyMatch(leak -> leaksAlone(leak, rank, other));
    }

    private boolean leaksAlone(Finding leak, PeerRank rank, PeerRank other) {
        int own = measures.own(leak.site());
        if (own < 0) {
            return false;
        }
        int measure = rank.has(own + 1) ? own + 1 : own;
        boolean isKnown =
                other.process().leaks().stream().anyMatch(theirs -> theirs.id().equals(leak.id()));
        return !isKnown && rank.more(other, measure) > LEAKS_MORE * leak.bytes();
    }

    /** The middle of what ranks hold in a measure. */
    static long median(List<PeerRank> ranks, int measure, boolean hasKept) {
        return middle(ranks, rank -> rank.most(measure, hasKept));
    }

    /** The middle of a value of ranks; of an even number the lower. */
    static long middle(List<PeerRank> ranks, ToLongFunction<PeerRank> value) {
        long[] sorted = ranks.stream().mapToLong(value).sorted().toArray();
        return sorted[(sorted.length - 1) / 2];
    }
}
