package dev.leakline.result;

import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;

/**
 * The growth of a line's memory from step to step. Bytes are held by the allocator.
 *
 * @param low the lower end of the 95 % interval of the rate
 * @param high its upper end
 * @param share of all that grows on the device over the same steps, the part that grows here
 * @param takenPerStep what all that leaks on the device takes from the driver for each step, in bytes; NaN, or 0, where that is not known
 * @param firstStep the step at which it begins to grow
 * @param lastStep the last at which it grew
 * @param rises at how many steps it grew for good; 0 where that is not known
 * @param steps how many steps there are; 0 where that is not known
 * @param meaning what one step is, in a few words; empty where that is not known
 * @param floor what stays at the end of each step, thinned to at most a few hundred points
 */
public record Growth(
        double low,
        double high,
        double share,
        double takenPerStep,
        int firstStep,
        int lastStep,
        int rises,
        int steps,
        String meaning,
        List<FloorPoint> floor) {
    /** The part of the steps that must add to what grows by the step; of fewer, each time is told by itself. */
    private static final double NEARLY_ALL = 0.8;

    /**
     * Says how it grows: per step, where nearly every step adds to it; else how often, and by how much each time.
     *
     * @param bytesPerStep the slope
     * @param grown bytes that were added from the first step to the last
     */
    public String rate(double bytesPerStep, long grown) {
        int span = lastStep - firstStep;
        if (rises == 0 || rises >= NEARLY_ALL * span) {
            return "grows by " + ByteSize.format(bytesPerStep) + " per step";
        }
        return "grew " + Numbers.counted(rises, "time") + ", by " + ByteSize.format((double) grown / rises)
                + " each on average";
    }

    /** The memory held through a whole step. */
    public record FloorPoint(int step, long bytes) {
        /** Points of a floor that a report shows. */
        private static final int MOST = 240;

        /** Thins what was held through each step to what a report shows; the first and the last step stay. */
        public static List<FloorPoint> of(long[] floor) {
            List<FloorPoint> points = new ArrayList<>();
            int count = Math.min(floor.length, MOST);
            for (int i = 0; i < count; i++) {
                int step = (int) ((long) i * (floor.length - 1) / Math.max(count - 1, 1));
                points.add(new FloorPoint(step, floor[step]));
            }
            return points;
        }
    }
}
