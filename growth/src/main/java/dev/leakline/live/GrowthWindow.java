package dev.leakline.live;

import java.util.Arrays;

/**
 * Tests whether a window of blocks grows steadily. The floor of the blocks must rise: peaks that rise with the input, or a sawtooth's teeth, are not
 * kept. It must rise by more than chance would have it, also for values that depend on those before; over the whole window, to its end, and not by
 * a jump or two.
 */
final class GrowthWindow {
    /**
     * Standard errors of the slope, and standard deviations from the line that it rises by: a random walk seldom gets as far from where it began. A process is tested some hundred times a day, at ten lengths of time, and a drift that is slow beside the window
     * has errors that are wider than estimated: five leave no false one in ten simulated days.
     */
    private static final double SURE = 5;
    /** The second half must grow by a third of the whole's rate. */
    private static final double SECOND_HALF = 0.35;
    /** Three jumps must not make up more than half of it; a step of four usual ones is a jump. */
    private static final int JUMPS = 3;

    private static final double OF_JUMPS = 0.5;
    private static final double JUMP = 4;
    /** Standard errors of the bend; with it goes that the rise would end before the memory is full. */
    private static final double BENT = -3;

    private final WindowTrend floor;
    private final WindowTrend middle;
    private final boolean slows;
    private final boolean grows;

    /**
     * Tests a window.
     *
     * @param floor of the lowest values of its blocks
     * @param middle of their medians
     * @param least what matters, in bytes
     * @param room what it can grow by until its memory is full
     */
    GrowthWindow(WindowTrend floor, WindowTrend middle, double least, double room) {
        this.floor = floor;
        this.middle = middle;
        boolean rises = rises(least) && goesOn() && !jumps();
        this.slows = rises && middle.levelsOff(BENT, room);
        this.grows = rises && !slows;
    }

    private boolean rises(double least) {
        return floor.rise() >= least
                && middle.slope() > 0
                && floor.deviations() >= SURE
                && floor.rise() >= SURE * floor.spread()
                && middle.deviations() >= SURE / 2;
    }

    private boolean goesOn() {
        int n = floor.size();
        return floor.slope(n - n / 2, n) >= SECOND_HALF * floor.slope()
                && floor.mean(3 * n / 4, n) > floor.mean(n / 2, 3 * n / 4);
    }

    private boolean jumps() {
        int count = floor.size() - 1;
        double[] steps = new double[count];
        double[] sizes = new double[count];
        for (int i = 0; i < count; i++) {
            steps[i] = floor.y(i + 1) - floor.y(i);
            sizes[i] = Math.abs(steps[i]);
        }
        Arrays.sort(steps);
        Arrays.sort(sizes);
        double jumps = 0;
        for (int i = 1; i <= JUMPS; i++) {
            jumps += Math.max(0, steps[count - i] - JUMP * sizes[count / 2]);
        }
        return jumps > OF_JUMPS * (floor.y(count) - floor.y(0));
    }

    /** Returns whether it grows and does not slow down. */
    boolean grows() {
        return grows;
    }

    /** Returns whether it grows, and more and more slowly: a cache or a warm-up that comes to its level. */
    boolean slows() {
        return slows;
    }

    WindowTrend floor() {
        return floor;
    }

    WindowTrend middle() {
        return middle;
    }
}
