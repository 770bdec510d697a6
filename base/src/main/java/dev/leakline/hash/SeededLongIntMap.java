package dev.leakline.hash;

import com.carrotsearch.hppc.LongIntHashMap;

/** A map from numbers to ints whose keys come from a file; see {@link SeededHash}. */
public final class SeededLongIntMap extends LongIntHashMap {
    @Override
    protected int hashKey(long key) {
        return SeededHash.of(key);
    }
}
