package dev.leakline.ranks;

import dev.leakline.result.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Groups of ranks with the same model that do the same with it. Two do the same if no line holds more in one of them than in the other, beyond
 * what inputs make of it: how much the peaks of the steps differ within the ranks tells that, line by line. A group goes on from rank to
 * rank, so inputs that differ by more than a rank has seen make no group where others lie between.
 *
 * <p>A recording is compared as far as both go. One with fewer steps says less, so it joins the largest group that it could be of, and
 * never makes one of two.
 */
final class PeerGroups {
    /** What differs by less than this share of a peak decides nothing; the batches of equal ranks differ by as much. */
    private static final double NEGLIGIBLE = 0.02;
    /** Peaks of steps lie within twice the distance of their quartiles, but for one in a hundred and fifty, however they are distributed alike. */
    private static final int QUARTILES = 2;
    /** How much more than its peer a rank has to hold at a line that leaks, as a share: else both leak, and one was not seen to. */
    private static final double LEAKS_MORE = 0.1;

    private final long[] tolerances;
    private final PeerRank.Measures measures;
    private final List<PeerRank> part;

    PeerGroups(PeerRank.Measures measures, List<PeerRank> part) {
        this.measures = measures;
        this.part = part;
        this.tolerances = new long[measures.count()];
        long[] peaks =
                part.stream().mapToLong(rank -> rank.process().peak()).sorted().toArray();
        long floor = Math.round(NEGLIGIBLE * peaks[(peaks.length - 1) / 2]);
        for (int measure = 0; measure < tolerances.length; measure++) {
            int number = measure;
            long[] spreads = part.stream()
                    .mapToLong(rank -> rank.spread(number))
                    .sorted()
                    .toArray();
            tolerances[measure] = floor + QUARTILES * spreads[(spreads.length - 1) / 2];
        }
    }

    /** The bytes by which equal ranks may differ in a measure. */
    long tolerance(int measure) {
        return tolerances[measure];
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

    private boolean isMore(PeerRank one, PeerRank other, int measure) {
        return one.more(other, measure) > tolerances[measure];
    }

    /** Whether a rank holds more in some measure than each of the others. */
    boolean holdsMore(PeerRank rank, List<PeerRank> others) {
        for (int measure = 0; measure < tolerances.length; measure++) {
            int number = measure;
            if (others.stream().allMatch(other -> isMore(rank, other, number))) {
                return true;
            }
        }
        return others.stream().allMatch(other -> leaksAlone(rank, other));
    }

    /** Whether a rank leaks at a line at which another holds less in as many steps. */
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
        long[] sorted =
                ranks.stream().mapToLong(rank -> rank.most(measure, hasKept)).toArray();
        Arrays.sort(sorted);
        return sorted[(sorted.length - 1) / 2];
    }
}
