package dev.leakline.profile;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The time of day. */
final class UnixTime {
    private UnixTime() {}

    /** Unix microseconds now. */
    static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
