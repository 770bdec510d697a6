package dev.leakline.compare;

import dev.leakline.result.SiteUse;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Matches the lines of a function before and after, in their order. Code that was added between lines has moved those below it, so a pair counts by how alike what the two
 * hold is, and half as much again where the line has its old number; and each place from which on lines lie at another distance costs as much as that.
 */
final class AlignedLines {
    /** Lines of one function that hold memory, above which nobody wrote it. */
    static final int MOST = 64;
    /** A single pair that has moved must be more alike than not. */
    private static final double HALF = 0.5;

    private final List<SiteUse> before;
    private final List<SiteUse> after;
    /** The highest score of the pairs up to one of two lines; 0 where the two are none. */
    private final double[][] counts;
    /** The pair before it, as one number; its own where it is the first. */
    private final int[][] former;

    private AlignedLines(List<SiteUse> before, List<SiteUse> after) {
        this.before = sorted(before);
        this.after = sorted(after);
        this.counts = new double[before.size()][after.size()];
        this.former = new int[before.size()][after.size()];
    }

    /** Puts the lines of before and those that they are after into a map. */
    static void match(List<SiteUse> before, List<SiteUse> after, IdentityHashMap<SiteUse, SiteUse> partners) {
        if (before.size() <= MOST && after.size() <= MOST) {
            new AlignedLines(before, after).match(partners);
        }
    }

    private static List<SiteUse> sorted(List<SiteUse> uses) {
        return uses.stream().sorted(Comparator.comparingInt(AlignedLines::line)).toList();
    }

    /** The number of a line. */
    static int line(SiteUse use) {
        return use.site().frame().line();
    }

    private void match(IdentityHashMap<SiteUse, SiteUse> partners) {
        int best = -1;
        for (int was = 0; was < before.size(); was++) {
            for (int is = 0; is < after.size(); is++) {
                if (before.get(was).site().kind() == after.get(is).site().kind()) {
                    count(was, is);
                    best = best < 0 || counts[was][is] > count(best) ? pair(was, is) : best;
                }
            }
        }
        while (best >= 0 && count(best) > 0) {
            partners.put(before.get(was(best)), after.get(is(best)));
            int next = former[was(best)][is(best)];
            best = next == best ? -1 : next;
        }
    }

    private void count(int was, int is) {
        int distance = distance(was, is);
        double own = likeness(was, is) + (distance == 0 ? HALF : 0);
        counts[was][is] = own - (distance == 0 ? 0 : HALF);
        former[was][is] = pair(was, is);
        for (int lower = 0; lower < was; lower++) {
            for (int other = 0; other < is; other++) {
                double all = own + counts[lower][other] - (distance(lower, other) == distance ? 0 : HALF);
                if (counts[lower][other] > 0 && all > counts[was][is]) {
                    counts[was][is] = all;
                    former[was][is] = pair(lower, other);
                }
            }
        }
    }

    private int distance(int was, int is) {
        return line(after.get(is)) - line(before.get(was));
    }

    /** The part of the larger that the smaller of the two is. */
    private double likeness(int was, int is) {
        double first = before.get(was).bytes();
        double second = after.get(is).bytes();
        return Math.min(first, second) / Math.max(Math.max(first, second), 1);
    }

    private int pair(int was, int is) {
        return was * after.size() + is;
    }

    private int was(int pair) {
        return pair / after.size();
    }

    private int is(int pair) {
        return pair % after.size();
    }

    private double count(int pair) {
        return counts[was(pair)][is(pair)];
    }
}
