package dev.leakline.result;

import java.util.ArrayList;
import java.util.List;

/**
 * How what a line holds grows from step to step. Bytes are held by the allocator.
 *
 * @param bytesPerStep the slope while it grows
 * @param lowBytesPerStep the lower end of the slope's 95 % interval
 * @param highBytesPerStep its upper end
 * @param bytesPerSecond the same over time; NaN where the recording has no times
 * @param stepsToOom steps from the end until the device is full; NaN where that is not known
 * @param secondsToOom the same in time
 * @param share of all that grows on the device over the same steps, the part that grows here
 * @param firstStep the step at which it begins to grow
 * @param lastStep the last at which it grew
 * @param bytesAtFailure what had grown by the time the last request of the device failed; 0 where none did
 * @param floor what stays at the end of each step, thinned to at most a few hundred points
 */
public record Growth(
        double bytesPerStep,
        double lowBytesPerStep,
        double highBytesPerStep,
        double bytesPerSecond,
        double stepsToOom,
        double secondsToOom,
        double share,
        int firstStep,
        int lastStep,
        long bytesAtFailure,
        List<FloorPoint> floor) {
    /** The same with other rates; see the parameters of the same names. */
    public Growth withRates(double perStep, double perSecond, double steps, double seconds) {
        return new Growth(
                perStep,
                lowBytesPerStep,
                highBytesPerStep,
                perSecond,
                steps,
                seconds,
                share,
                firstStep,
                lastStep,
                bytesAtFailure,
                floor);
    }

    /** What was held through a whole step. */
    public record FloorPoint(int step, long bytes) {
        /** Points of a floor that a report shows. */
        private static final int MOST = 240;

        /** What was held through each step, thinned to what a report shows; the first and the last step stay. */
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
