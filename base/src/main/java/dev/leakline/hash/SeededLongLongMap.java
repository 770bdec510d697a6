package dev.leakline.hash;

import com.carrotsearch.hppc.LongLongHashMap;

/** A map from numbers to longs whose keys come from a file; see {@link SeededHash}. */
public final class SeededLongLongMap extends LongLongHashMap {
    @Override
    protected int hashKey(long key) {
        return SeededHash.of(key);
    }
}
