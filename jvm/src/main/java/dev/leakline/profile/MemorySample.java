package dev.leakline.profile;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The readings of a monitor over a short time, combined.
 *
 * @param timeMicros when it ended, Unix microseconds
 * @param basis which counter stands for the memory in use
 * @param counters what the source said then
 * @param peak the most since the sample before
 * @param readings of the source that it stands for; more than one once the monitor has had to make room
 */
public record MemorySample(long timeMicros, Basis basis, MemoryCounters counters, MemoryPeak peak, long readings) {
    /** The time of day, Unix microseconds. */
    static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** This sample and the one behind it as one. */
    MemorySample and(MemorySample later) {
        MemoryPeak both = basis == later.basis ? peak.and(later.peak) : later.peak;
        return new MemorySample(later.timeMicros, later.basis, later.counters, both, readings + later.readings);
    }
}
