package dev.leakline.finding;

import dev.leakline.result.Finding.Severity;

/** Computes the severity of growth, by whether it ends a long job. */
public final class GrowthSeverity {
    /** Steps of a long job, rounds of a loop, or seconds: the latter are twelve days. Growth that needs more to fill a device hardly ends one. */
    public static final double STEPS_OF_A_JOB = 1e6;
    /** Epochs of a long job. */
    public static final double EPOCHS_OF_A_JOB = 1e3;
    /** The device that growth is weighed by where nobody says which it was: the largest that is common, in bytes. */
    public static final double COMMON_DEVICE = 80.0 * (1L << 30);

    private GrowthSeverity() {}

    /**
     * Critical where a long job fills the room, else a warning.
     *
     * @param rate bytes that are added per unit
     * @param unitsOfAJob units of a long job
     * @param room bytes until the device is full, 0 where nobody knows
     */
    public static Severity of(double rate, double unitsOfAJob, long room) {
        return rate * unitsOfAJob >= (room > 0 ? room : COMMON_DEVICE) ? Severity.CRITICAL : Severity.WARNING;
    }
}
