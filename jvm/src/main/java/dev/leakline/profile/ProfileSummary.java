package dev.leakline.profile;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The totals of all profiled calls.
 *
 * @param elapsed since the profiler began, or was cleared
 * @param basis which counter stands for the memory in use
 * @param first what the source said when it began
 * @param last what it says now
 * @param calls by name, those that keep most in front
 * @param dropped how many results are no longer kept one by one
 * @param sourceFailures how often the source failed
 * @param lastFailure the last of them, null where there was none
 */
public record ProfileSummary(
        Duration elapsed,
        Basis basis,
        MemoryCounters first,
        MemoryCounters last,
        List<CallSummary> calls,
        long dropped,
        long sourceFailures,
        @Nullable String lastFailure) {
    /** Copies the list. */
    public ProfileSummary {
        calls = List.copyOf(calls);
    }

    /** The bytes by which memory has grown since the beginning, in calls and between them; empty if either is unknown. */
    public OptionalLong growth() {
        long before = basis.used(first);
        long now = basis.used(last);
        boolean isKnown = before != MemoryCounters.UNKNOWN && now != MemoryCounters.UNKNOWN;
        return isKnown ? OptionalLong.of(now - before) : OptionalLong.empty();
    }

    /**
     * How much of it grew in no profiled call that has ended; empty where that is unknown, or calls of several threads saw each other's
     * memory.
     */
    public OptionalLong growthBetween() {
        boolean isShared = calls.stream().anyMatch(call -> call.shared() > 0);
        long within = calls.stream().mapToLong(CallSummary::ownGrowth).sum();
        return growth().isPresent() && !isShared
                ? OptionalLong.of(growth().getAsLong() - within)
                : OptionalLong.empty();
    }
}
