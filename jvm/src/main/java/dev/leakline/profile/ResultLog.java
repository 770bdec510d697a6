package dev.leakline.profile;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps the last results, and the totals of all by name. */
final class ResultLog {
    private static final Comparator<CallSummary> BY_GROWTH =
            Comparator.comparingLong(CallSummary::ownGrowth).reversed();

    private final GpuMemoryProfiler.Options options;
    private final Deque<ProfileResult> last = new ArrayDeque<>();
    private final Map<String, CallTotals> totals = new LinkedHashMap<>();
    private MemoryCounters first;
    private long beganNanos = System.nanoTime();
    private long dropped;

    ResultLog(GpuMemoryProfiler.Options options, MemoryCounters first) {
        this.options = options;
        this.first = first;
    }

    synchronized void add(ProfileResult result) {
        last.add(result);
        if (last.size() > options.results()) {
            last.remove();
            dropped++;
        }
        boolean hasRoom = totals.size() < options.names() || totals.containsKey(result.name());
        totals.computeIfAbsent(hasRoom ? result.name() : CallSummary.OTHERS, CallTotals::new)
                .add(result);
    }

    synchronized List<ProfileResult> results() {
        return List.copyOf(last);
    }

    synchronized ProfileSummary summary(MemoryCounters now, long failures, @Nullable String lastFailure) {
        List<CallSummary> calls = totals.values().stream()
                .map(CallTotals::summary)
                .sorted(BY_GROWTH)
                .toList();
        Duration elapsed = Duration.ofNanos(System.nanoTime() - beganNanos);
        return new ProfileSummary(elapsed, Basis.of(now), first, now, calls, dropped, failures, lastFailure);
    }

    synchronized void clear(MemoryCounters now) {
        last.clear();
        totals.clear();
        dropped = 0;
        first = now;
        beganNanos = System.nanoTime();
    }
}
