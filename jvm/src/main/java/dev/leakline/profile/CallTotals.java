package dev.leakline.profile;

import static dev.leakline.profile.MemoryCounters.UNKNOWN;

import java.time.Duration;

/** Sums the calls of one name. */
final class CallTotals {
    private final String name;
    private long calls;
    private long failures;
    private long unmeasured;
    private long shared;
    private long growing;
    private long growth;
    private long ownGrowth;
    private MemoryPeak peak = new MemoryPeak(UNKNOWN, UNKNOWN, true);
    private long rise;
    private Duration time = Duration.ZERO;
    private Duration longest = Duration.ZERO;

    CallTotals(String name) {
        this.name = name;
    }

    void add(ProfileResult result) {
        calls++;
        failures += result.failure() == null ? 0 : 1;
        shared += result.isShared() ? 1 : 0;
        time = time.plus(result.duration());
        longest = longest.compareTo(result.duration()) < 0 ? result.duration() : longest;
        if (result.isMeasured()) {
            addMemory(result);
        } else {
            unmeasured++;
        }
    }

    private void addMemory(ProfileResult result) {
        long kept = result.growth().orElseThrow();
        growing += kept > 0 ? 1 : 0;
        growth += kept;
        ownGrowth += result.ownGrowth().orElseThrow();
        peak = peak.and(result.peak());
        rise = Math.max(rise, result.rise().orElseThrow());
    }

    CallSummary summary() {
        return new CallSummary(
                name, calls, failures, unmeasured, shared, growing, growth, ownGrowth, peak, rise, time, longest);
    }
}
