package dev.leakline.peak;

import com.carrotsearch.hppc.IntObjectHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.columns.Recorder;
import dev.leakline.evidence.Culprits;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.peak.Categories.Guess;
import dev.leakline.result.Frame;
import dev.leakline.result.Peak.Category;
import dev.leakline.result.Peak.ModuleUse;
import dev.leakline.result.Peak.Share;
import dev.leakline.result.Peak.Use;
import dev.leakline.result.Site;
import dev.leakline.site.Operators;
import dev.leakline.site.SiteFinder;
import dev.leakline.site.StackSites;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Splits the memory live at the peak by what it is for, by operator and by module. */
public final class Breakdown {
    /** Operators and modules that are listed: more than fit on a screen, few enough for a report. */
    private static final int MOST = 50;

    /** The share of the peak that must show who made it where the recording has no events: the rest is of unknown use. */
    private static final double SHOWN = 0.25;

    private static final String OLDER = "(allocated before the recording)";
    private static final String OUTSIDE = "(outside of modules)";

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

    private record Module(String name, String file, int line, Category category) implements Comparable<Module> {
        private static final Comparator<Module> ORDER = Comparator.comparing(Module::name)
                .thenComparing(Module::file)
                .thenComparingInt(Module::line)
                .thenComparing(Module::category);

        @Override
        public int compareTo(Module other) {
            return ORDER.compare(this, other);
        }
    }

    private static final Guess LEAKED = new Guess(Category.LEAKED, null);

    private final Sums<Category> categories = new Sums<>();
    /** Bytes of a category that may be of another, and of others that may be of it. */
    private final Map<Category, Long> open = new EnumMap<>(Category.class);

    private final Map<Category, Long> possible = new EnumMap<>(Category.class);
    private final Sums<String> operators = new Sums<>();
    private final Sums<Module> modules = new Sums<>();
    private final IntObjectHashMap<Guess> guesses = new IntObjectHashMap<>();
    private boolean hasModules;

    private final Lifetimes lifetimes;
    private final StackSites stacks;
    private final SiteFinder sites;
    private final boolean isTrace;
    private final long all;
    private final Culprits leaked;
    private final OptimizerSteps steps;

    private Breakdown(Evidence evidence, EventWindow window, Culprits leaked) {
        this.leaked = leaked;
        this.steps = window.steps();
        this.lifetimes = evidence.lifetimes();
        this.stacks = evidence.stacks();
        this.sites = evidence.sites();
        this.isTrace = evidence.columns().recorder == Recorder.PROFILER;
        this.all = evidence.peakBytes();
    }

    /** The breakdown of the peak, with what leaks apart; empty where no stack shows who made what. */
    public static Breakdown ofPeak(Evidence evidence, EventWindow window, Culprits leaked) {
        Breakdown breakdown = new Breakdown(evidence, window, leaked);
        Categories kinds = categories(evidence, window);
        if (kinds != null) {
            breakdown.add(evidence, kinds);
        }
        return breakdown;
    }

    /** The categories of what is live at the peak, asked of each allocation once, in order; null where no stack shows who made what. */
    static @Nullable Categories categories(Evidence evidence, EventWindow window) {
        boolean isTrace = evidence.columns().recorder == Recorder.PROFILER;
        boolean seesModel = window.runs().hasPython() && window.runs().hasPhases();
        return isTrace || seesModel || hasPython(evidence)
                ? new Categories(evidence, window, evidence.course().peak().event())
                : null;
    }

    /** Returns whether enough of what is live shows who made it, though nothing of that was recorded. */
    private static boolean hasPython(Evidence evidence) {
        if (evidence.lifetimes().events().count() > 1) {
            return false;
        }
        long shown = 0;
        for (IntCursor each : evidence.liveAtPeak()) {
            boolean isShown =
                    evidence.stacks().of(evidence.lifetimes().stack(each.value)).hasPython();
            shown += isShown ? evidence.lifetimes().held(each.value) : 0;
        }
        return shown >= SHOWN * evidence.peakBytes();
    }

    /** The use of a block of the peak; null of others. */
    public @Nullable Category category(int allocation) {
        Guess guess = guesses.get(allocation);
        return guess == null ? null : guess.likely();
    }

    /** Returns whether a block of the peak is other memory, and neither a copy of a parameter nor a cache. */
    public boolean isSurelyOther(int allocation) {
        Guess guess = guesses.get(allocation);
        return guess != null
                && guess.likely() == Category.OTHER
                && (guess.other() == null || guess.other() == Category.INPUTS);
    }

    /** Returns whether a finding says that it leaks, and nothing frees it in the recording before the program ends. */
    public boolean isLeaked(int allocation) {
        return leaked.finding(allocation) != null && steps.areOutlivedBy(lifetimes.freed(allocation));
    }

    /** Memory by use, largest first. */
    public List<Use> byCategory() {
        return categories.largest(
                all,
                (category, bytes, blocks, share) -> new Use(
                        category,
                        bytes,
                        blocks,
                        share,
                        bytes - open.getOrDefault(category, 0L),
                        bytes + possible.getOrDefault(category, 0L)));
    }

    /** Memory by operator, the largest few; none where no profiler recorded them. */
    public List<Share> byOperator() {
        return operators.largest(all, Share::new);
    }

    /** Memory by module and use, the largest few; none if no module is known. */
    public List<ModuleUse> byModule() {
        return hasModules
                ? modules.largest(
                        all,
                        (module, bytes, blocks, share) -> new ModuleUse(
                                module.name, module.file, module.line, module.category, bytes, blocks, share))
                : List.of();
    }

    private void add(Evidence evidence, Categories kinds) {
        for (IntCursor each : evidence.liveAtPeak()) {
            int allocation = each.value;
            long bytes = lifetimes.held(allocation);
            Guess guess = isLeaked(allocation) && !kinds.isOfUnfinishedPass(allocation) ? LEAKED : kinds.of(allocation);
            Category category = guess.likely();
            guesses.put(allocation, guess);
            categories.add(category, bytes);
            if (guess.other() != null) {
                open.merge(category, bytes, Long::sum);
                possible.merge(guess.other(), bytes, Long::sum);
            }
            modules.add(module(allocation, category), bytes);
            if (isTrace) {
                operators.add(operator(allocation), bytes);
            }
        }
    }

    private String operator(int allocation) {
        String operator = stacks.operators().operatorName(lifetimes.stack(allocation));
        return isOlder(allocation) ? OLDER : operator.isEmpty() ? "(outside of operators)" : operator;
    }

    private boolean isOlder(int allocation) {
        return lifetimes.born(allocation) == Lifetimes.BEFORE;
    }

    private Module module(int allocation, Category category) {
        int stack = lifetimes.stack(allocation);
        if (isTrace) {
            Operators names = stacks.operators();
            String name = names.moduleNames(stack);
            hasModules |= !name.isEmpty();
            return new Module(isOlder(allocation) ? OLDER : name.isEmpty() ? OUTSIDE : name, "", 0, category);
        }
        Frame forward = stacks.forwardLine(stack);
        hasModules |= forward != null || stacks.callsModule(stack);
        Site site = sites.site(allocation);
        if (forward == null && site.kind() != Site.Kind.USER) {
            return new Module(isOlder(allocation) ? OLDER : OUTSIDE, "", 0, category);
        }
        Frame line = forward == null ? site.frame() : forward;
        return new Module(line.inWords(), line.file(), line.line(), category);
    }
}
