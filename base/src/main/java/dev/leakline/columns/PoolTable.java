package dev.leakline.columns;

import dev.leakline.hash.SeededHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The memory pools that a snapshot names, each with a small number; number 0 is the default pool (0, 0). */
public final class PoolTable {
    /** A pool's name: (0, 0) is the default, (n, 0) a graph's, (0, n) the program's own. */
    public record PoolId(long first, long second) {
        @Override
        public int hashCode() {
            return 31 * SeededHash.of(first) + SeededHash.of(second);
        }
    }

    private final List<PoolId> pools = new ArrayList<>(List.of(new PoolId(0, 0)));
    private final Map<PoolId, Integer> numbers = new HashMap<>();

    /** The number of a pool. */
    public int intern(long first, long second) {
        if ((first | second) == 0) {
            return 0;
        }
        PoolId pool = new PoolId(first, second);
        Integer known = numbers.putIfAbsent(pool, pools.size());
        if (known != null) {
            return known;
        }
        pools.add(pool);
        return pools.size() - 1;
    }

    /** The name of a pool. */
    public PoolId get(int pool) {
        return pools.get(pool);
    }

    /** Distinct pools, the default one included. */
    public int size() {
        return pools.size();
    }
}
