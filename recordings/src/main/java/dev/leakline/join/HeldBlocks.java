package dev.leakline.join;

import com.carrotsearch.hppc.IntHashSet;
import dev.leakline.result.Site;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Blocks by who holds them, the groups of a dump by their numbers. */
final class HeldBlocks {
    /** Stands for the group of a block that is no storage of the dump. */
    static final int UNSEEN = -1;

    /** The memory of a group. */
    static final class Sum {
        private final int group;
        private final Map<Site, Long> bySite = new HashMap<>();
        private final IntHashSet steps = new IntHashSet();
        private long bytes;
        private int blocks;

        private Sum(int group) {
            this.group = group;
        }

        int group() {
            return group;
        }

        long bytes() {
            return bytes;
        }

        int blocks() {
            return blocks;
        }

        /** The steps that allocated it. */
        int steps() {
            return steps.size();
        }

        /** The line that allocated most of it. */
        @Nullable
        Site site() {
            return bySite.entrySet().stream()
                    .max(Map.Entry.<Site, Long>comparingByValue()
                            .thenComparing(entry -> entry.getKey().inWords(), Comparator.reverseOrder()))
                    .map(Map.Entry::getKey)
                    .orElse(null);
        }
    }

    private final Map<Integer, Sum> byGroup = new HashMap<>();

    /** Adds a block that was allocated in a step. */
    void add(int group, long bytes, Site site, int step) {
        Sum sum = byGroup.computeIfAbsent(group, Sum::new);
        sum.bytes += bytes;
        sum.blocks++;
        sum.bySite.merge(site, bytes, Long::sum);
        sum.steps.add(step);
    }

    /** Adds the blocks of another device. */
    void addAll(HeldBlocks others) {
        others.byGroup.forEach((group, other) -> {
            Sum sum = byGroup.computeIfAbsent(group, Sum::new);
            sum.bytes += other.bytes;
            sum.blocks += other.blocks;
            other.bySite.forEach((site, bytes) -> sum.bySite.merge(site, bytes, Long::sum));
            sum.steps.addAll(other.steps);
        });
    }

    /** The groups that hold any, the one that holds most first. */
    List<Sum> groups() {
        return byGroup.values().stream()
                .filter(sum -> sum.group != UNSEEN)
                .sorted(Comparator.comparingLong((Sum sum) -> -sum.bytes).thenComparingInt(Sum::group))
                .toList();
    }

    /** Blocks that are no storages of the dump. */
    Sum unseen() {
        return byGroup.getOrDefault(UNSEEN, new Sum(UNSEEN));
    }

    /** Bytes of all blocks. */
    long bytes() {
        return byGroup.values().stream().mapToLong(Sum::bytes).sum();
    }

    /** All blocks. */
    int blocks() {
        return byGroup.values().stream().mapToInt(Sum::blocks).sum();
    }
}
