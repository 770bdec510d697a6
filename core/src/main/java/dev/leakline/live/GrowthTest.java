package dev.leakline.live;

/** Tests whether a window of blocks grows steadily. */
final class GrowthTest {
    static double T = 5, R = 5;
    static double FLOOR = 0.4, SPREADOUT = 0.5, HALF = 0.35;
    static double JUMP = 4;
    static boolean BEND = true;

    final Trend floor;
    final Trend middle;
    final boolean grows;
    final String why;

    GrowthTest(Trend floor, Trend middle, double least, double room) {
        this.floor = floor;
        this.middle = middle;
        this.why = judge(least, room);
        this.grows = why.isEmpty();
    }

    private String judge(double least, double room) {
        int n = floor.size();
        if (!(floor.slope > 0) || !(middle.slope > 0)) {
            return "falls";
        }
        if (floor.rise() < least) {
            return "little";
        }
        if (floor.slope < FLOOR * middle.slope) {
            return "peaks";
        }
        if (floor.deviations < T || floor.rise() < R * floor.spread) {
            return "chance";
        }
        if (middle.deviations < T / 2) {
            return "chance2";
        }
        double half1 = floor.slope(0, n / 2);
        double half2 = floor.slope(n - n / 2, n);
        if (half2 < HALF * floor.slope || half1 < 0.2 * floor.slope) {
            return "half";
        }
        double q3 = floor.mean(n / 2, 3 * n / 4);
        double q4 = floor.mean(3 * n / 4, n);
        if (q4 <= q3) {
            return "end";
        }
        double[] steps = new double[n - 1];
        for (int i = 1; i < n; i++) {
            steps[i - 1] = floor.y(i) - floor.y(i - 1);
        }
        java.util.Arrays.sort(steps);
        double total = floor.y(n - 1) - floor.y(0);
        double[] sizes = new double[n - 1];
        for (int i = 0; i < n - 1; i++) {
            sizes[i] = Math.abs(steps[i]);
        }
        java.util.Arrays.sort(sizes);
        double usual = JUMP * sizes[(n - 1) / 2];
        double jump = 0;
        for (int k = 0; k < 3; k++) {
            jump += Math.max(0, steps[n - 2 - k] - usual);
        }
        if (jump > SPREADOUT * total) {
            return "jump";
        }
        if (BEND && middle.bend < -3 && middle.slopeAtEnd * middle.slopeAtEnd / (4 * -middle.curve) < room) {
            return "slows";
        }
        return "";
    }
}
