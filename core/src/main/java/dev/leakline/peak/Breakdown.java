package dev.leakline.peak;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.Recorder;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Peak.Category;
import dev.leakline.result.Peak.Share;
import dev.leakline.result.Peak.Use;
import dev.leakline.site.Operators;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Splits the memory live after an event by category, operator and module, for recordings of the profiler. */
public final class Breakdown {
    /** Operators and modules that are listed: more than fit on a screen, few enough for a report. */
    private static final int MOST = 50;

    private static final String OLDER = "(allocated before the recording)";

    private static final class Sums<K extends Comparable<K>> {
        private final Map<K, long[]> byKey = new TreeMap<>();

        private void add(K key, long bytes) {
            long[] sum = byKey.computeIfAbsent(key, _ -> new long[2]);
            sum[0] += bytes;
            sum[1]++;
        }

        /** The largest few; of equal ones the first by their keys. */
        private <T> List<T> largest(long all, Part<K, T> part) {
            return byKey.entrySet().stream()
                    .sorted(Comparator.comparingLong((Map.Entry<K, long[]> entry) -> -entry.getValue()[0]))
                    .limit(MOST)
                    .map(entry -> part.of(
                            entry.getKey(),
                            entry.getValue()[0],
                            (int) entry.getValue()[1],
                            all == 0 ? 0 : (double) entry.getValue()[0] / all))
                    .toList();
        }
    }

    private interface Part<K, T> {
        T of(K key, long bytes, int blocks, double share);
    }

    private final Sums<Category> categories = new Sums<>();
    private final Sums<String> operators = new Sums<>();
    private final Sums<String> modules = new Sums<>();
    private boolean hasModules;

    private final long all;

    private Breakdown(long all) {
        this.all = all;
    }

    /** The breakdown of the peak; empty if the recording is not a profiler's. */
    public static Breakdown ofPeak(Evidence evidence) {
        Breakdown breakdown = new Breakdown(evidence.peakBytes());
        if (evidence.columns().recorder == Recorder.PROFILER) {
            breakdown.add(evidence);
        }
        return breakdown;
    }

    /** Memory by use, largest first. */
    public List<Use> byCategory() {
        return categories.largest(all, Use::new);
    }

    /** Memory by operator, the largest few. */
    public List<Share> byOperator() {
        return operators.largest(all, Share::new);
    }

    /** Memory by module, the largest few; none if no module is known. */
    public List<Share> byModule() {
        return hasModules ? modules.largest(all, Share::new) : List.of();
    }

    private void add(Evidence evidence) {
        Lifetimes lifetimes = evidence.lifetimes();
        Categories kinds = new Categories(evidence);
        Operators names = evidence.stacks().operators();
        for (IntCursor each : evidence.liveAtPeak()) {
            int allocation = each.value;
            long bytes = lifetimes.held(allocation);
            categories.add(kinds.of(allocation), bytes);
            add(names, lifetimes.born(allocation) == Lifetimes.BEFORE, lifetimes.stack(allocation), bytes);
        }
    }

    private void add(Operators names, boolean isOlder, int stack, long bytes) {
        String operator = names.operatorName(stack);
        String module = names.moduleNames(stack);
        hasModules |= !module.isEmpty();
        operators.add(isOlder ? OLDER : operator.isEmpty() ? "(outside of operators)" : operator, bytes);
        modules.add(isOlder ? OLDER : module.isEmpty() ? "(outside of modules)" : module, bytes);
    }
}
