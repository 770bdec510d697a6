package dev.leakline.profile;

import dev.leakline.columns.ProfiledCall;
import dev.leakline.result.Frame;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Profiles the memory of calls: how much each keeps, how high it goes, how long it takes.
 *
 * <pre>{@code
 * GpuMemoryProfiler profiler = GpuMemoryProfiler.of(source);
 * Tensor out = profiler.profile("forward", () -> model.forward(batch));
 * try (ProfileScope epoch = profiler.open("epoch")) { ... }
 * ProfileText.of(profiler.summary(), 100).forEach(System.out::println);
 * }</pre>
 *
 * <p>What there is when the profiler begins is nobody's growth. Calls nest, and each has its true peak, although the source has a single
 * counter of peaks for all: what it says is credited to every call that was under way, before it is reset for the next.
 *
 * <p>All methods may be called by any thread, platform or virtual. The counters are those of a whole device or process, so calls of
 * several threads at a time see each other's memory; their results are marked as shared, and their peaks are those of all together.
 *
 * <p>A profiler costs a call two readings of its source and one reset, one thread at a time, and a microsecond. It never waits for the
 * device, never runs the garbage collector, and never harms the call: a source that fails leaves a result that is not measured.
 *
 * <p>Its memory is bounded: of the results it keeps the last, of each name the totals of all.
 */
public final class GpuMemoryProfiler {
    /**
     * Limits of what is kept.
     *
     * @param results how many results; earlier ones go on to count in the totals
     * @param names for how many names there are totals; calls by further names share one
     * @param hasStacks whether results say who called, which takes some ten microseconds a call
     */
    public record Options(int results, int names, boolean hasStacks) {
        /** Ten thousand results, which take a few megabytes, and as many names; no stacks. */
        public static final Options DEFAULT = new Options(10_000, 10_000, false);

        /** Checks the numbers; throws {@link IllegalArgumentException} for one below 1. */
        public Options {
            if (results < 1 || names < 1) {
                throw new IllegalArgumentException(
                        "expected at least one result and one name to keep, found " + results + " and " + names);
            }
        }

        /** A copy with stacks. */
        public Options withStacks() {
            return new Options(results, names, true);
        }
    }

    /** A call to be profiled: what it returns, and what it may throw, are the caller's. */
    @FunctionalInterface
    public interface Call<T extends @Nullable Object, E extends Exception> {
        /** Makes the call. */
        T call() throws E;
    }

    final PeakWindows windows;

    private final Options options;
    private final ResultLog log;
    /** The innermost open scope of each thread. */
    private final Map<Thread, ProfileScope> innermost = new ConcurrentHashMap<>();

    private GpuMemoryProfiler(MemorySource source, Options options) {
        this.windows = new PeakWindows(source);
        this.options = options;
        this.log = new ResultLog(options, windows.read());
    }

    /** A profiler of its own over a source, which nobody else may reset. */
    public static GpuMemoryProfiler of(MemorySource source) {
        return of(source, Options.DEFAULT);
    }

    /** A profiler with other limits. */
    public static GpuMemoryProfiler of(MemorySource source, Options options) {
        return new GpuMemoryProfiler(source, options);
    }

    /** Makes a call, keeps what it did to memory under a name, and returns what it returned or throws what it threw. */
    public <T extends @Nullable Object, E extends Exception> T profile(String name, Call<T, E> call) throws E {
        try (ProfileScope scope = open(name)) {
            try {
                return call.call();
            } catch (Throwable e) {
                scope.fail(e);
                throw e;
            }
        }
    }

    /** Begins a scope, for the {@code try} that closes it. */
    public ProfileScope open(String name) {
        Thread thread = Thread.currentThread();
        List<Frame> stack = options.hasStacks ? Caller.ofCaller() : List.of();
        ProfileScope scope = new ProfileScope(this, name, innermost.get(thread), stack);
        if (scope.isMeasured()) {
            innermost.put(thread, scope);
        }
        return scope;
    }

    void finish(ProfileScope scope, ProfileResult result) {
        innermost.computeIfPresent(scope.thread, (_, inner) -> firstOpen(inner));
        if (scope.outer != null) {
            result.growth().ifPresent(scope.outer::addInner);
        }
        log.add(result);
    }

    private static @Nullable ProfileScope firstOpen(@Nullable ProfileScope scope) {
        ProfileScope open = scope;
        while (open != null && open.isClosed()) {
            open = open.outer;
        }
        return open;
    }

    /** Begins to sample in the background, until the monitor is closed; profiled calls go on meanwhile, and their peaks stay right. */
    public MemoryMonitor monitor(Duration interval) {
        return MemoryMonitor.start(windows, interval, MemoryMonitor.MOST_SAMPLES);
    }

    /** The last results, those that ended first in front. */
    public List<ProfileResult> results() {
        return log.results();
    }

    /** The calls in the form that the analyzer of function profiles takes; calls that could not be measured are left out. */
    public List<ProfiledCall> calls() {
        return ProfiledResults.of(results());
    }

    /** The totals of all calls so far, by name, and the memory in use now. */
    public ProfileSummary summary() {
        return log.summary(windows.read(), windows.failures(), windows.lastFailure());
    }

    /** Forgets all results and totals, and takes what is in use now for what was there before. */
    public void clear() {
        log.clear(windows.read());
    }
}
