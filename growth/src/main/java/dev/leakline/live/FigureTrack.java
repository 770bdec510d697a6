package dev.leakline.live;

import dev.leakline.live.BlockLevels.Ring;
import dev.leakline.statistics.Level;
import dev.leakline.statistics.Regression;
import dev.leakline.text.ByteSize;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One figure of one process: its blocks, and the level of each window of them, from some minutes to the process's life. A window is judged anew when a
 * quarter of it is new, so a sample costs the same however many came before.
 */
final class FigureTrack {
    /** Blocks that make a window. */
    private static final int FEWEST = 16;
    /** The new blocks that a window must have to be judged again; all that was watched, which is judged ever more rarely, needs fewer. */
    private static final int NEW = BlockLevels.KEPT / 4;

    private static final int NEW_OF_WHOLE = NEW / 4;
    /** Less than that, or than half a percent of the figure, is a library's affair. */
    private static final double LEAST = 8.0 * ByteSize.MIB;

    private static final double LEAST_PART = 0.005;
    /** Seconds of the shortest window that is judged but for the whole: one of less makes no alert. */
    private static final double SHORTEST = Episode.LEAST_SECONDS / 2;
    /** The chance of a slope that is worth a closer look: three standard errors. */
    private static final double CHANCE = 0.003;
    /** The part of a window up to which growth may begin for the window to show it. */
    private static final double LAST_ONSET = 0.8;
    /** The fewest blocks that show a rate. */
    private static final int FEWEST_OF_SPAN = 8;

    private final String name;
    private final SeamlessSeries series = new SeamlessSeries();
    private final @Nullable Level[] windows = new Level[BlockLevels.LEVELS];
    private BlockLevels blocks = new BlockLevels();
    private double last;
    private @Nullable Level growth;

    FigureTrack(String name) {
        this.name = name;
    }

    /** Adds a sample; whether there is a new block. */
    boolean add(double t, double value) {
        if (!series.add(t, value)) {
            return false;
        }
        last = value;
        int highest = blocks.add(series.clock(), value + series.shift());
        for (int number = 0; number <= highest; number++) {
            Ring ring = blocks.ring(number);
            // of those that have every block the finest speaks; the next follows when that is full
            int least = number <= whole() ? FEWEST : BlockLevels.KEPT / 2;
            int fresh = number == whole() ? NEW_OF_WHOLE : NEW;
            if (ring.count() % fresh == 0 && ring.size() >= least) {
                windows[number] = judge(ring);
            }
        }
        growth = highest >= 0 ? longest() : growth;
        return highest >= 0;
    }

    /** Forgets what was before, as the process began anew. */
    void restart() {
        blocks = new BlockLevels();
        Arrays.fill(windows, null);
        growth = null;
    }

    private static @Nullable Level judge(Ring ring) {
        int n = ring.size();
        double[] places = clocks(ring, 0, n);
        double[] middles = middles(ring, 0, n);
        double[] lows = IntStream.range(0, n).mapToDouble(ring::low).toArray();
        long[] lowest = Arrays.stream(lows).mapToLong(Math::round).toArray();
        double least = Math.max(LEAST, LEAST_PART * Math.abs(middles[n / 2]));
        boolean isSeen = ring.isWhole() || (places[n - 1] - places[0] >= SHORTEST && rises(places, lows, least));
        return isSeen ? Level.ofWindows(places, lowest, middles, least) : null;
    }

    private static boolean rises(double[] places, double[] values, double least) {
        Regression line = Regression.of(places, values);
        return line.slope() * (places[places.length - 1] - places[0]) >= least && line.p() < CHANCE;
    }

    /** All that was watched, if it grows; else the longest window that does so beyond doubt, from a time on for which longer ones are blind; null where none does. */
    private @Nullable Level longest() {
        double shown = Double.NEGATIVE_INFINITY;
        for (int number = whole(); number >= 0; number--) {
            Ring ring = blocks.ring(number);
            Level level = windows[number];
            boolean grows = level != null && (ring.isWhole() ? level.grows() : level.isSurelyGrowing());
            if (grows && level.from() >= shown) {
                return level;
            }
            if (ring.size() >= FEWEST) {
                shown = Math.max(shown, shownUntil(ring));
            }
        }
        return null;
    }

    /** The level that grows; null where none does. */
    @Nullable
    Level growth() {
        return growth;
    }

    /** All that was watched, in outline; null where there is too little of it. */
    @Nullable
    Level outline() {
        return blocks.top() < 0 ? null : windows[whole()];
    }

    /** Returns whether all that was watched rises. */
    boolean rises() {
        Ring ring = blocks.ring(whole());
        return rises(clocks(ring, 0, ring.size()), middles(ring, 0, ring.size()), LEAST);
    }

    /** Returns whether what grew from some time on came to a level, beyond doubt: so says the longest window that is not blind for it. */
    boolean isBounded(double from) {
        for (int number = whole(); number > 0; number--) {
            if (shownUntil(blocks.ring(number)) >= from) {
                return isBounded(windows[number]);
            }
        }
        return isBounded(windows[0]);
    }

    private static boolean isBounded(@Nullable Level level) {
        return level != null && level.isSurelyBounded();
    }

    /** The last time from which on growth shows in a window. */
    private static double shownUntil(Ring ring) {
        double begin = ring.clock(0);
        return begin + LAST_ONSET * (ring.clock(ring.size() - 1) - begin);
    }

    /** The highest of the middles of the newest smallest blocks. */
    double highestOfLast(int count) {
        double highest = Double.NEGATIVE_INFINITY;
        if (blocks.top() < 0) {
            return highest;
        }
        Ring ring = blocks.ring(0);
        for (int i = Math.max(0, ring.size() - count); i < ring.size(); i++) {
            highest = Math.max(highest, ring.middle(i));
        }
        return highest;
    }

    /** The lowest about a place. */
    double at(double place) {
        Ring ring = blocks.ring(whole());
        int block = 0;
        while (block + 1 < ring.size() && ring.clock(block) < place) {
            block++;
        }
        return ring.low(block);
    }

    /** The slope since some time, in the largest blocks that show it; NaN where there are too few. */
    double slope(double from) {
        for (int number = blocks.top(); number >= 0; number--) {
            Ring ring = blocks.ring(number);
            int first = ring.size();
            while (first > 0 && ring.clock(first - 1) >= from) {
                first--;
            }
            if (ring.size() - first >= FEWEST_OF_SPAN) {
                return Regression.of(clocks(ring, first, ring.size()), middles(ring, first, ring.size()))
                        .slope();
            }
        }
        return Double.NaN;
    }

    private static double[] clocks(Ring ring, int from, int to) {
        return IntStream.range(from, to).mapToDouble(ring::clock).toArray();
    }

    private static double[] middles(Ring ring, int from, int to) {
        return IntStream.range(from, to).mapToDouble(ring::middle).toArray();
    }

    /** The first size of block that has every block since the series began. */
    private int whole() {
        int whole = 0;
        while (!blocks.ring(whole).isWhole()) {
            whole++;
        }
        return whole;
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
