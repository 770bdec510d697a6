package dev.leakline.testkit.snapshot;

import java.util.Comparator;

/** Size and place of a free block, in the order in which the allocator prefers them: small first, then low. */
record Extent(long size, long address) implements Comparable<Extent> {
    private static final Comparator<Extent> PREFERENCE =
            Comparator.comparingLong(Extent::size).thenComparingLong(Extent::address);

    @Override
    public int compareTo(Extent other) {
        return PREFERENCE.compare(this, other);
    }
}
