package dev.leakline.finding;

import dev.leakline.result.Finding.Severity;

/**
 * Computes the severity of growth: whether it matters, whatever is said of whether it is there. What fills the device within a day is critical, within
 * thirty days a warning, since jobs run for weeks and servers are restarted with each release; what needs longer is a note. Where no times are known steps stand
 * for them: ten thousand, and a million.
 */
public final class GrowthSeverity {
    /** Steps of a long job, or rounds of a loop; growth that needs more to fill a device hardly ends one. */
    public static final double STEPS_OF_A_JOB = 1e6;
    /** The device that growth is weighed by where nobody says which it was: the largest that is common, in bytes. */
    public static final double COMMON_DEVICE = 80.0 * (1L << 30);
    /** Steps of an epoch, where measurements are of epochs. */
    public static final double STEPS_OF_AN_EPOCH = 1e3;

    private static final double STEPS_OF_A_DAY = 1e4;
    private static final double DAY = 86_400;
    private static final double LONG = 30 * DAY;

    private GrowthSeverity() {}

    /**
     * The severity of growth.
     *
     * @param perStep bytes, NaN where that is not known
     * @param perSecond bytes, NaN where that is not known
     * @param room bytes until the device is full, 0 where nobody knows
     */
    public static Severity of(double perStep, double perSecond, long room) {
        double bytes = room > 0 ? room : COMMON_DEVICE;
        boolean isTimed = perSecond > 0;
        double left = bytes / (isTimed ? perSecond : perStep);
        if (left <= (isTimed ? DAY : STEPS_OF_A_DAY)) {
            return Severity.CRITICAL;
        }
        return left <= (isTimed ? LONG : STEPS_OF_A_JOB) ? Severity.WARNING : Severity.INFO;
    }
}
