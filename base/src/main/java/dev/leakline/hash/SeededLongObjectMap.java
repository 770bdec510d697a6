package dev.leakline.hash;

import com.carrotsearch.hppc.LongObjectHashMap;

/** A map from numbers to objects whose keys come from a file; see {@link SeededHash}. */
public final class SeededLongObjectMap<V> extends LongObjectHashMap<V> {
    @Override
    protected int hashKey(long key) {
        return SeededHash.of(key);
    }
}
