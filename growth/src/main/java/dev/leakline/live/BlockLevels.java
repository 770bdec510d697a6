package dev.leakline.live;

/**
 * A series in blocks of 4, 8, 16, ... samples, the newest {@value #KEPT} of each size: what happened lately in detail, and all of it in
 * outline, in memory that grows with the logarithm of its length. A sample costs the same however many came before.
 */
final class BlockLevels {
    /** Blocks kept of each size: those that have all that was watched are then half as many at least, enough to tell a bend from a ramp that ended. */
    private static final int KEPT = 64;
    /** Samples of the smallest block: the least that has a middle and a floor. */
    static final int SMALLEST = 4;
    /** Sizes; a block of the last has more samples than a process lives seconds. */
    static final int LEVELS = 26;

    private final Ring[] levels = new Ring[LEVELS];
    private final double[] pending = new double[SMALLEST];
    private final double[] clocks = new double[SMALLEST];
    private int size;
    private int top = -1;

    /** Blocks of one size, in a ring. */
    static final class Ring {
        private final double[] clock = new double[KEPT];
        private final double[] low = new double[KEPT];
        private final double[] high = new double[KEPT];
        private final double[] middle = new double[KEPT];
        private long count;

        /** Blocks that are kept. */
        int size() {
            return (int) Math.min(count, KEPT);
        }

        /** Returns whether it has every block since the series began. */
        boolean isWhole() {
            return count <= KEPT;
        }

        /** Blocks that there ever were. */
        long count() {
            return count;
        }

        private int slot(int index) {
            return (int) ((count - size() + index) % KEPT);
        }

        double clock(int index) {
            return clock[slot(index)];
        }

        double low(int index) {
            return low[slot(index)];
        }

        double high(int index) {
            return high[slot(index)];
        }

        double middle(int index) {
            return middle[slot(index)];
        }

        private void add(double atClock, double lowest, double highest, double median) {
            int slot = (int) (count % KEPT);
            clock[slot] = atClock;
            low[slot] = lowest;
            high[slot] = highest;
            middle[slot] = median;
            count++;
        }
    }

    /** Adds a value; answers the highest level that got a new block, -1 where none did. */
    int add(double clock, double value) {
        pending[size] = value;
        clocks[size] = clock;
        size++;
        if (size < SMALLEST) {
            return -1;
        }
        size = 0;
        double[] v = pending;
        double low = Math.min(Math.min(v[0], v[1]), Math.min(v[2], v[3]));
        double high = Math.max(Math.max(v[0], v[1]), Math.max(v[2], v[3]));
        double median = (v[0] + v[1] + v[2] + v[3] - low - high) / 2;
        double middle = (clocks[0] + clocks[SMALLEST - 1]) / 2;
        return add(0, middle, low, high, median);
    }

    private int add(int number, double clock, double low, double high, double median) {
        if (levels[number] == null) {
            levels[number] = new Ring();
            top = number;
        }
        Ring level = levels[number];
        level.add(clock, low, high, median);
        if (level.count % 2 != 0 || number + 1 == LEVELS) {
            return number;
        }
        int last = level.size() - 1;
        return add(
                number + 1,
                (level.clock(last - 1) + level.clock(last)) / 2,
                Math.min(level.low(last - 1), level.low(last)),
                Math.max(level.high(last - 1), level.high(last)),
                (level.middle(last - 1) + level.middle(last)) / 2);
    }

    /** The highest level that has a block, -1 where none has. */
    int top() {
        return top;
    }

    Ring level(int number) {
        return levels[number];
    }
}
