package dev.leakline.ranks;

import dev.leakline.detect.growth.DeviceForecast;
import dev.leakline.known.SizeRules;
import dev.leakline.result.Finding;
import dev.leakline.result.ProcessSummary;
import java.util.Optional;

/**
 * When a rank is out of memory if it goes on so.
 *
 * @param steps in how many more steps; 0 where a request has failed already
 */
record MemoryEnd(PeerRank rank, long steps) {
    /** The end of a rank's memory; empty where nothing grows, or the size of its device is not known. */
    static Optional<MemoryEnd> of(PeerRank rank, long deviceBytes) {
        ProcessSummary process = rank.process();
        if (process.hasFailed()) {
            return Optional.of(new MemoryEnd(rank, 0));
        }
        long memory = deviceBytes > 0 ? deviceBytes : process.deviceBytes();
        if (memory == 0 || rank.leaks().isEmpty()) {
            return Optional.empty();
        }
        double steps = DeviceForecast.steps(memory, process.peak(), process.reserved(), process.reservedPerStep());
        return Optional.of(new MemoryEnd(rank, Math.max((long) steps, 1)));
    }

    /** Returns whether nobody can tell which of two ends comes first, this one being no later. */
    boolean isAlike(MemoryEnd other) {
        return other.steps - steps <= blur() + other.blur();
    }

    /** Steps by which the end may be earlier or later: what is left of a segment counts as taken, and rates are known within an interval. */
    private double blur() {
        double rate = rank.leaks().stream().mapToDouble(Finding::bytesPerStep).sum();
        double interval =
                rank.leaks().stream().mapToDouble(MemoryEnd::halfInterval).sum();
        return steps == 0 ? 0 : SizeRules.LARGE_SEGMENT / rank.process().reservedPerStep() + steps * interval / rate;
    }

    private static double halfInterval(Finding leak) {
        return leak.growth() == null ? 0 : (leak.growth().high() - leak.growth().low()) / 2;
    }
}
