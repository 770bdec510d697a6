package dev.leakline.profile;

import static dev.leakline.profile.MemoryCounters.UNKNOWN;

import dev.leakline.result.Frame;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One profiled call.
 *
 * @param name what the call was named
 * @param thread the name of its thread
 * @param depth how many profiled calls of its thread it was within
 * @param startMicros when it began, Unix microseconds
 * @param duration how long it took by the host's clock; work that it queued on the device may go on
 * @param device the ordinal of the device, -1 for the host's memory
 * @param basis which counter stands for the memory in use
 * @param before what the source said before the call
 * @param after what it said after it
 * @param peak the most within it
 * @param innerGrowth bytes by which memory grew in the profiled calls directly within it
 * @param isShared whether calls of other threads were under way meanwhile, whose memory the source cannot tell from its own
 * @param failure what the call threw, null where it returned
 * @param stack who called, innermost first; empty unless stacks were requested
 */
public record ProfileResult(
        String name,
        String thread,
        int depth,
        long startMicros,
        Duration duration,
        int device,
        Basis basis,
        MemoryCounters before,
        MemoryCounters after,
        MemoryPeak peak,
        long innerGrowth,
        boolean isShared,
        @Nullable String failure,
        List<Frame> stack) {
    /** Copies the stack. */
    public ProfileResult {
        stack = List.copyOf(stack);
    }

    /** Returns whether memory is known both before and after the call. */
    public boolean isMeasured() {
        return basis.used(before) != UNKNOWN && basis.used(after) != UNKNOWN;
    }

    /** Bytes in use after the call and not before it, negative where it gave back more than it took; empty if not measured. */
    public OptionalLong growth() {
        return isMeasured() ? OptionalLong.of(basis.used(after) - basis.used(before)) : OptionalLong.empty();
    }

    /** The growth without what nested profiled calls kept; empty if not measured. */
    public OptionalLong ownGrowth() {
        return isMeasured() ? OptionalLong.of(growth().getAsLong() - innerGrowth) : OptionalLong.empty();
    }

    /** The bytes by which the peak exceeds what was in use before; empty if not measured. */
    public OptionalLong rise() {
        return isMeasured() ? OptionalLong.of(peak.used() - basis.used(before)) : OptionalLong.empty();
    }
}
