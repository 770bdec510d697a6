package dev.leakline.profile;

import static dev.leakline.profile.MemoryCounters.UNKNOWN;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.columns.ProfiledCall.Sample;
import java.util.List;

/**
 * Results as other profilers have them, whose figures are all known. What is not stands as what says nothing: as much reserved as is in
 * use, all that is in use active, nothing inactive, nothing on the host.
 */
final class ProfiledResults {
    private static final double MICROS = 1e6;
    private static final double NANOS = 1e9;

    private ProfiledResults() {}

    static List<ProfiledCall> of(List<ProfileResult> results) {
        return results.stream()
                .filter(ProfileResult::isMeasured)
                .map(ProfiledResults::of)
                .toList();
    }

    /** A result that is measured. */
    static ProfiledCall of(ProfileResult result) {
        double begin = result.startMicros() / MICROS;
        double seconds = result.duration().toNanos() / NANOS;
        String of = result.name() + (result.failure() == null ? "" : "_error");
        long growth = result.growth().orElseThrow();
        Sample after =
                sample(begin + seconds, result.basis(), result.after(), result.peak(), result.device(), "after_" + of);
        return new ProfiledCall(
                result.name(),
                seconds,
                before(result, begin),
                after,
                peak(after, "peak_" + of),
                Math.max(growth, 0),
                Math.max(-growth, 0),
                0,
                0,
                1);
    }

    private static Sample before(ProfileResult result, double time) {
        MemoryPeak none = new MemoryPeak(
                result.basis().used(result.before()), result.before().reserved(), true);
        return sample(time, result.basis(), result.before(), none, result.device(), "before_" + result.name());
    }

    private static Sample peak(Sample after, String operation) {
        return new Sample(
                after.time(),
                after.mostAllocated(),
                after.mostReserved(),
                after.mostAllocated(),
                after.mostReserved(),
                after.mostAllocated(),
                after.inactive(),
                after.host(),
                after.device(),
                operation);
    }

    /** A sample of a monitor. */
    static Sample of(MemorySample sample, int device) {
        double time = sample.timeMicros() / MICROS;
        return sample(time, sample.basis(), sample.counters(), sample.peak(), device, "monitor");
    }

    private static Sample sample(
            double time, Basis basis, MemoryCounters counters, MemoryPeak peak, int device, String operation) {
        long used = basis.used(counters);
        long reserved = known(counters.reserved(), used);
        long mostReserved = known(peak.reserved(), peak.used());
        return new Sample(time, used, reserved, peak.used(), mostReserved, used, 0, 0, device, operation);
    }

    private static long known(long bytes, long otherwise) {
        return bytes == UNKNOWN ? otherwise : bytes;
    }
}
