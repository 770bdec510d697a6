package dev.leakline.live;

import org.jspecify.annotations.Nullable;

/** One figure of one process: its blocks, and what the newest say. */
final class FigureTrack {
    static double OLD = 5, NEWHIGH = 0.0, LEAST = 0.005;
    static int LONGER = 2;
    static int FEWEST = 16;
    static final double GRAIN = 2 << 20;
    static boolean DEBUG = false;

    private final BlockLevels blocks = new BlockLevels();
    private double clock;
    private double lastT = Double.NaN;
    private double interval;
    private double shift;
    private double last;
    private double limit = Double.POSITIVE_INFINITY;
    private long samples;
    private final double[] recent = new double[5];

    private final @Nullable GrowthTest[] tests = new GrowthTest[26];
    private int longest = -1;

    /** Adds a sample; whether there is a new block. */
    boolean add(double t, double value) {
        if (!Double.isNaN(lastT)) {
            double dt = t - lastT;
            if (dt == 0) {
                return false;
            }
            if (dt < 0 || (samples > 3 && dt > 10 * interval)) {
                shift = level() - value;
                clock += interval;
                interval = dt > 0 ? interval * 1.2 : interval;
            } else {
                clock += dt;
                interval = samples < 2 ? dt : interval + 0.05 * (Math.min(dt, 4 * interval) - interval);
            }
        }
        lastT = t;
        last = value;
        recent[(int) (samples++ % 5)] = value + shift;
        int highest = blocks.add(clock, value + shift);
        for (int level = 0; level <= highest; level++) {
            test(level);
        }
        if (highest >= 0) {
            choose();
        }
        return highest >= 0;
    }

    /** Sets what it can grow to. */
    void limit(double bytes) {
        limit = bytes;
    }

    private double level() {
        int n = (int) Math.min(samples, 5);
        double[] copy = java.util.Arrays.copyOf(recent, n);
        java.util.Arrays.sort(copy);
        return copy[n / 2];
    }

    private void test(int number) {
        BlockLevels.Level level = blocks.level(number);
        int n = level.size();
        if (n < FEWEST) {
            return;
        }
        double[] x = new double[n];
        double[] low = new double[n];
        double[] middle = new double[n];
        for (int i = 0; i < n; i++) {
            x[i] = level.clock(i);
            low[i] = level.low(i);
            middle[i] = level.middle(i);
        }
        Trend floor = new Trend(x, low, n, GRAIN / 2);
        Trend mid = new Trend(x, middle, n, GRAIN / 2);
        GrowthTest test = new GrowthTest(floor, mid, Math.max(8 << 20, LEAST * Math.abs(floor.meanY)), limit - last);
        if (test.grows && !level.isWhole()) {
            String old = old(number, test);
            if (!old.isEmpty()) {
                tests[number] = null;
                return;
            }
        }
        tests[number] = test;
    }

    /** Whether the growth of a window is unlike what came before. */
    private String old(int number, GrowthTest test) {
        double begin = test.floor.x(0);
        double span = test.floor.span();
        int whole = number;
        while (!blocks.level(whole).isWhole()) {
            whole++;
        }
        BlockLevels.Level history = blocks.level(whole);
        int m = 0;
        while (m < history.size() && history.clock(m) < begin) {
            m++;
        }
        if (m < 2) {
            return "";
        }
        double highest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < m; i++) {
            highest = Math.max(highest, history.middle(i));
        }
        int n = test.middle.size();
        double now = test.middle.mean(3 * n / 4, n);
        if (now <= highest) {
            return "no high";
        }
        double step = (history.clock(m - 1) - history.clock(0)) / (m - 1);
        int lag = (int) Math.max(1, Math.round(span / step));
        if (m - lag >= 4) {
            double[] changes = new double[m - lag];
            for (int i = 0; i < changes.length; i++) {
                changes[i] = Math.abs(history.middle(i + lag) - history.middle(i));
            }
            java.util.Arrays.sort(changes);
            double typical = changes[changes.length / 2];
            if (test.middle.rise() < OLD * typical) {
                // growth that goes on since before is no news, but no noise either
                return steady(changes, history, m, lag) ? "" : "as ever";
            }
        }
        return "";
    }

    private static boolean steady(double[] changes, BlockLevels.Level history, int m, int lag) {
        int up = 0;
        for (int i = 0; i + lag < m; i++) {
            up += history.middle(i + lag) > history.middle(i) ? 1 : 0;
        }
        return up >= 0.9 * changes.length;
    }

    private void choose() {
        longest = -1;
        for (int level = 0; level <= blocks.top(); level++) {
            GrowthTest test = tests[level];
            if (test != null && test.grows && isStill(test) && !slows(level)) {
                longest = level;
            }
        }
    }

    /** Whether windows that are somewhat longer show that the growth slows down: in short ones each bend looks straight. */
    private boolean slows(int number) {
        for (int longer = number + 1; longer <= Math.min(number + LONGER, blocks.top()); longer++) {
            GrowthTest test = tests[longer];
            if (test != null && test.why.equals("slows")) {
                return true;
            }
        }
        return false;
    }

    /** Whether the newest samples are where the growth would have them: a window's test is as old as its last block. */
    private boolean isStill(GrowthTest test) {
        double line = test.floor.at(clock);
        BlockLevels.Level level = blocks.level(0);
        int n = level.size();
        double now = Math.max(level.middle(n - 1), n > 1 ? level.middle(n - 2) : 0);
        return now >= line - Math.max(4 * test.floor.spread, 0.25 * test.floor.rise());
    }

    @Nullable
    GrowthTest growth() {
        return longest < 0 ? null : tests[longest];
    }

    GrowthTest[] tests() {
        return tests;
    }

    /** The trend of the middles since a moment, in the largest blocks that show it; null where there are too few. */
    @Nullable
    Trend since(double from) {
        for (int number = blocks.top(); number >= 0; number--) {
            BlockLevels.Level level = blocks.level(number);
            int first = level.size();
            while (first > 0 && level.clock(first - 1) >= from) {
                first--;
            }
            int n = level.size() - first;
            if (n >= 8) {
                double[] x = new double[n];
                double[] y = new double[n];
                for (int i = 0; i < n; i++) {
                    x[i] = level.clock(first + i);
                    y[i] = level.middle(first + i);
                }
                return new Trend(x, y, n, GRAIN / 2);
            }
        }
        return null;
    }

    double clock() {
        return clock;
    }

    double last() {
        return last;
    }

    double lastT() {
        return lastT;
    }

    double shift() {
        return shift;
    }

    long samples() {
        return samples;
    }

    BlockLevels blocks() {
        return blocks;
    }
}
