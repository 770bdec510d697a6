package dev.leakline.host;

import dev.leakline.objects.HostLevel;
import dev.leakline.result.HostMemory.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Figures between looks: the bytes that the allocators have in use and that the system has resident. A look says which part has grown; these say whether the whole that it belongs to
 * grows without a pause, for which looks are too few.
 */
final class HostLevels {
    /** Measurements of a series that are judged; of more, one in so many. */
    private static final int MOST = 200;
    /** Figures from which on something is said not to grow: twice as many as looks that say that it does. */
    private static final int ENOUGH = 2 * RowGrowth.FEWEST_LOOKS;

    /** Runs of the collector between which a whole period of it lies. */
    private static final int RUNS = 2;

    private final List<HostLevel> levels;
    private final double least;

    HostLevels(List<HostLevel> all, double since, double least) {
        List<HostLevel> later =
                all.stream().filter(level -> level.seconds() >= since).toList();
        int every = 1 + later.size() / MOST;
        this.levels = java.util.stream.IntStream.range(0, later.size())
                .filter(i -> i % every == 0)
                .mapToObj(later::get)
                .toList();
        this.least = least;
    }

    /** The name of the level that a part belongs to; null of parts that are free. */
    private static @Nullable String level(Kind kind) {
        return switch (kind) {
            case PYTHON_OBJECTS, HOST_TENSORS, NUMPY, NATIVE_LIVE, PINNED_LIVE -> "used";
            case ANONYMOUS_MAPS, STACKS, LIBRARY_DATA -> "anonymous";
            case SHARED_MEMORY -> "shared";
            case CHILDREN -> "alone";
            case COPY_ON_WRITE -> "copied";
            default -> null;
        };
    }

    /** Returns whether what grows outlives what only the collector frees: the process has become larger by so many bytes, and the collector has run in full. */
    boolean outlives(double bytes) {
        RowGrowth resident = named("anonymous");
        long runs = levels.isEmpty() ? 0 : count(levels.getLast()) - count(levels.getFirst());
        return resident != null && resident.rise() >= bytes && runs >= RUNS;
    }

    /** How often the collector had run in full. */
    private static long count(HostLevel level) {
        return level.bytes().getOrDefault("collections", 0L);
    }

    /** Bytes per second by which what the allocators have in use grows; 0 where it does not. */
    double growthInUse() {
        RowGrowth used = named("used");
        return used != null && used.creeps() ? used.rate() : 0;
    }

    /** The growth of what a part belongs to; null where too little is known of it. */
    @Nullable
    RowGrowth of(Kind kind) {
        String name = level(kind);
        return name == null ? null : named(name);
    }

    private @Nullable RowGrowth named(String name) {
        if (levels.size() < ENOUGH) {
            return null;
        }
        double begin = levels.getFirst().seconds();
        return new RowGrowth(
                levels.stream().mapToDouble(level -> level.seconds() - begin).toArray(),
                levels.stream()
                        .mapToDouble(level -> level.bytes().getOrDefault(name, 0L))
                        .toArray(),
                least);
    }
}
