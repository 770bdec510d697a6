package dev.leakline.result;

import java.util.ArrayList;
import java.util.List;

/**
 * How what a line holds grows from step to step. Bytes are held by the allocator.
 *
 * @param low the lower end of the 95 % interval of the rate
 * @param high its upper end
 * @param share of all that grows on the device over the same steps, the part that grows here
 * @param firstStep the step at which it begins to grow
 * @param lastStep the last at which it grew
 * @param bytesAtFailure what had grown by the time the last request of the device failed; 0 where none did
 * @param floor what stays at the end of each step, thinned to at most a few hundred points
 */
public record Growth(
        double low,
        double high,
        double share,
        int firstStep,
        int lastStep,
        long bytesAtFailure,
        List<FloorPoint> floor) {
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
