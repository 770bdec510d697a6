package dev.leakline.allocator;

import com.carrotsearch.hppc.IntObjectHashMap;
import java.util.ArrayList;
import java.util.List;

/** The memory pools of a device: the default pool and private ones, each with a small and a large half. */
final class MemoryPools {
    private final Blocks blocks;
    private final Pair common;
    private final IntObjectHashMap<Pair> others = new IntObjectHashMap<>();
    private final List<Pair> releasable = new ArrayList<>();

    private record Pair(BlockPool small, BlockPool large) {}

    MemoryPools(Blocks blocks) {
        this.blocks = blocks;
        this.common = pair(0);
    }

    /** Half of a pool, which need not have been used before. */
    BlockPool of(int number, boolean isSmall) {
        Pair pair = number == 0 ? common : other(number);
        return isSmall ? pair.small : pair.large;
    }

    /** Says that nobody uses a private pool any more, so that what it caches may go back to the driver. */
    void setReleasable(int number) {
        Pair pair = other(number);
        if (!releasable.contains(pair)) {
            releasable.add(pair);
        }
    }

    /** The pools whose cached segments are released, in that order: the default one's large half first, private ones' small. */
    List<BlockPool> releasable() {
        List<BlockPool> pools = new ArrayList<>(List.of(common.large, common.small));
        for (Pair pair : releasable) {
            pools.add(pair.small);
            pools.add(pair.large);
        }
        return pools;
    }

    private Pair other(int number) {
        Pair known = others.get(number);
        if (known == null) {
            known = pair(number);
            others.put(number, known);
        }
        return known;
    }

    private Pair pair(int number) {
        return new Pair(new BlockPool(number, true, blocks), new BlockPool(number, false, blocks));
    }
}
