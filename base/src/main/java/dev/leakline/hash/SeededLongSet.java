package dev.leakline.hash;

import com.carrotsearch.hppc.LongHashSet;

/** A set of numbers whose keys come from a file; see {@link SeededHash}. */
public final class SeededLongSet extends LongHashSet {
    @Override
    protected int hashKey(long key) {
        return SeededHash.of(key);
    }
}
