package dev.leakline.live;

import dev.leakline.live.BlockLevels.Ring;
import dev.leakline.statistics.Level;
import dev.leakline.text.ByteSize;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One figure of one process: its blocks, and whether it grows. Each size of block is tested anew when it has a new block, so windows of all lengths
 * from some minutes to the process's life are judged, and a sample costs the same however many came before.
 */
final class FigureTrack {
    /** Blocks that a test needs: with fewer, the errors of the slope are not known. */
    private static final int FEWEST = 16;
    /** Blocks that are tested together: tests of trend gain little beyond. */
    private static final int WINDOW = 32;
    /** Drivers count in steps of this. */
    private static final double GRAIN = 2.0 * ByteSize.MIB;
    /** Less than that, or than half a percent of the figure, is a library's affair. */
    private static final double LEAST = 8.0 * ByteSize.MIB;

    private static final double LEAST_PART = 0.005;
    /** Growth must be as many times what the figure changed by before in as long a time. */
    private static final double UNUSUAL = 5;
    /** Where it changed by as much before, too, that is growth if nine of ten of those changes were upwards. */
    private static final double UPWARDS = 0.9;
    /** Changes before that show what is usual. */
    private static final int USUAL = 4;
    /** Windows up to four times as long tell that growth slows down: in short ones each bend looks straight. */
    private static final int LONGER = 2;
    /** Growth that slowed down must last half as long again to count: a jump at its end, or a slow beginning, makes it look straight. */
    private static final double SLOWED = 0.5;
    /** In windows up to so many seconds a shorter one that slows down speaks, too; longer ones hold nights, when loads rest. */
    private static final double HALF_DAY = 12 * 3600;
    /** Standard errors that may be growth: noise rises by as many once in 700 times. */
    private static final double MAYBE = 3;
    /** Blocks that show a trend where it was tested before. */
    private static final int FEWEST_OF_SPAN = 8;

    private final String name;
    private final SeamlessSeries series = new SeamlessSeries();
    private final @Nullable GrowthWindow[] tests = new GrowthWindow[BlockLevels.LEVELS];
    private final @Nullable GrowthWindow[] slowed = new GrowthWindow[BlockLevels.LEVELS];
    private BlockLevels blocks = new BlockLevels();
    private Outline outline = new Outline();
    private double limit = Double.POSITIVE_INFINITY;
    private double last;
    private @Nullable GrowthWindow growth;

    FigureTrack(String name) {
        this.name = name;
    }

    /** Adds a sample; whether there is a new block. */
    boolean add(double t, double value) {
        if (!series.add(t, value)) {
            return false;
        }
        last = value;
        outline.add(series.clock(), value + series.shift());
        int highest = blocks.add(series.clock(), value + series.shift());
        for (int level = 0; level <= highest; level++) {
            GrowthWindow test = test(level);
            tests[level] = test;
            slowed[level] = test != null && test.slows() ? test : slowed[level];
        }
        growth = highest >= 0 ? longest() : growth;
        return highest >= 0;
    }

    private static double least(double level) {
        return Math.max(LEAST, LEAST_PART * Math.abs(level));
    }

    /** Returns whether the lowest of all that was watched rise on the whole, by what matters. */
    boolean rises() {
        if (blocks.top() < 0) {
            return false;
        }
        Ring whole = blocks.level(whole(0));
        return rises(trend(whole, 0, whole.size(), true));
    }

    /** Returns whether the lowest of a span rise by what matters. */
    boolean rises(double from, double to) {
        WindowTrend floor = between(from, to, true);
        return floor != null && rises(floor);
    }

    private static boolean rises(WindowTrend floor) {
        return floor.deviations() >= MAYBE && floor.rise() >= least(floor.mean(0, floor.size()));
    }

    /** The judgement of all that was watched. */
    Level judged() {
        return outline.judged();
    }

    /** Judges it by every sample when it is asked next. */
    void refresh() {
        outline.refresh();
    }

    /** Forgets what was before, as the process began anew. */
    void restart() {
        blocks = new BlockLevels();
        Arrays.fill(tests, null);
        Arrays.fill(slowed, null);
        growth = null;
        outline = new Outline();
    }

    /** Sets what it can grow to. */
    void limit(double bytes) {
        limit = bytes;
    }

    private @Nullable GrowthWindow test(int number) {
        Ring level = blocks.level(number);
        int size = level.size();
        int n = Math.min(size, WINDOW);
        if (n < FEWEST) {
            return null;
        }
        WindowTrend floor = trend(level, size - n, size, true);
        GrowthWindow test =
                new GrowthWindow(floor, trend(level, size - n, size, false), least(floor.mean(0, n)), limit - last);
        return test.grows() && level.count() > WINDOW && !isUnusual(number, test) ? null : test;
    }

    private static WindowTrend trend(Ring level, int from, int to, boolean isOfFloor) {
        double[] x = new double[to - from];
        double[] y = new double[to - from];
        for (int i = from; i < to; i++) {
            x[i - from] = level.clock(i);
            y[i - from] = isOfFloor ? level.low(i) : level.middle(i);
        }
        return new WindowTrend(x, y, GRAIN / 2);
    }

    /** Returns whether the growth of a window takes the figure where it never was, and is no change as it makes them all the time. */
    private boolean isUnusual(int number, GrowthWindow test) {
        Ring history = blocks.level(whole(number));
        int size = 0;
        double highest = Double.NEGATIVE_INFINITY;
        while (size < history.size() && history.clock(size) < test.floor().x(0)) {
            highest = Math.max(highest, history.middle(size));
            size++;
        }
        int n = test.middle().size();
        return size < 2 || (test.middle().mean(3 * n / 4, n) > highest && isUnusual(history, size, test.middle()));
    }

    private static boolean isUnusual(Ring history, int size, WindowTrend growth) {
        double step = (history.clock(size - 1) - history.clock(0)) / (size - 1);
        int lag = (int) Math.max(1, Math.round(growth.span() / step));
        if (size - lag < USUAL) {
            return true;
        }
        double[] changes = new double[size - lag];
        int up = 0;
        for (int i = 0; i < changes.length; i++) {
            double change = history.middle(i + lag) - history.middle(i);
            changes[i] = Math.abs(change);
            up += change > 0 ? 1 : 0;
        }
        Arrays.sort(changes);
        return growth.rise() >= UNUSUAL * changes[changes.length / 2] || up >= UPWARDS * changes.length;
    }

    /** The longest window that grows. */
    private @Nullable GrowthWindow longest() {
        GrowthWindow longest = null;
        for (int number = 0; number <= blocks.top(); number++) {
            GrowthWindow test = tests[number];
            longest = test != null && test.grows() && !slows(number, test) ? test : longest;
        }
        return longest;
    }

    private boolean slows(int number, GrowthWindow growing) {
        int first = growing.floor().span() > HALF_DAY ? number : Math.max(0, number - LONGER);
        for (int other = first; other <= Math.min(number + LONGER, blocks.top()); other++) {
            GrowthWindow its = slowed[other];
            if (its != null
                    && series.clock()
                            < its.floor().x(0) + (1 + SLOWED) * its.floor().span()) {
                return true;
            }
        }
        return false;
    }

    /** The highest of the middles of the newest smallest blocks. */
    double highestOfLast(int count) {
        Ring level = blocks.level(0);
        double highest = Double.NEGATIVE_INFINITY;
        for (int i = Math.max(0, level.size() - count); i < level.size(); i++) {
            highest = Math.max(highest, level.middle(i));
        }
        return highest;
    }

    /** The trend of the middles of a span, in the largest blocks that show it; null where there are too few. */
    @Nullable
    WindowTrend between(double from, double to) {
        return between(from, to, false);
    }

    private @Nullable WindowTrend between(double from, double to, boolean isOfFloor) {
        for (int number = blocks.top(); number >= 0; number--) {
            Ring level = blocks.level(number);
            int end = level.size();
            while (end > 0 && level.clock(end - 1) > to) {
                end--;
            }
            int first = end;
            while (first > 0 && level.clock(first - 1) >= from) {
                first--;
            }
            if (end - first >= FEWEST_OF_SPAN) {
                return trend(level, first, end, isOfFloor);
            }
        }
        return null;
    }

    /** The first size of block from a number on that has every block since the series began. */
    private int whole(int number) {
        int whole = number;
        while (!blocks.level(whole).isWhole()) {
            whole++;
        }
        return whole;
    }

    /** The longest window that grows; null where none does. */
    @Nullable
    GrowthWindow growth() {
        return growth;
    }

    String name() {
        return name;
    }

    /** The newest value. */
    double last() {
        return last;
    }

    /** Seconds that were watched, of the same clock as the blocks. */
    double clock() {
        return series.clock();
    }

    SeamlessSeries series() {
        return series;
    }

    BlockLevels blocks() {
        return blocks;
    }
}
