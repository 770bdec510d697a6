package dev.leakline.allocator;

import dev.leakline.columns.SnapshotColumns;
import java.util.List;

/**
 * Versions of torch whose allocator knows other settings than the version before. How blocks are split, merged and released has not changed
 * since 1.13, how they are found only in 2.13; ages for garbage collection are counted differently since 2.3, but come out the same.
 */
public enum AllocatorRules {
    /** torch 1.13. */
    TORCH_1_13,
    /** torch 2.0: lists of divisions, other backends. */
    TORCH_2_0,
    /** torch 2.1: expandable segments. */
    TORCH_2_1,
    /** torch 2.2 to 2.5. */
    TORCH_2_2,
    /** torch 2.6 to 2.8: how far a large block may exceed its request is a setting. */
    TORCH_2_6,
    /** torch 2.9: settings are shared by all accelerators, and {@code >} no longer overwrites the entry before it. */
    TORCH_2_9,
    /** torch 2.10 to 2.12: the share of the device's memory is a setting. */
    TORCH_2_10,
    /** torch 2.13 and later: the size of large segments is a setting; blocks of equal size are taken from the oldest segment. */
    TORCH_2_13;

    /** The newest. */
    public static final AllocatorRules CURRENT = TORCH_2_13;

    /** The versions that differ in how blocks are found and may have written a snapshot, as far as its layout tells. */
    static List<AllocatorRules> of(SnapshotColumns columns) {
        if (columns.topKeys.contains("host_segments")) {
            return List.of(CURRENT); // written since 2.14
        }
        boolean isRecent = columns.eventKeys.contains("pool_id"); // written since 2.12
        return isRecent ? List.of(TORCH_2_10, CURRENT) : List.of(TORCH_2_10);
    }

    /** Returns whether this version has what {@code since} introduced. */
    public boolean has(AllocatorRules since) {
        return compareTo(since) >= 0;
    }

    /**
     * Returns whether of two blocks of equal size the one is taken whose segment came first from the driver, and not the one with the lower
     * address, so that ranks that ask for the same get the same. Source: pytorch's pull request 183591 of May 2026, and what 2.14.1 does; no
     * recording of 2.11 or before does it.
     */
    public boolean prefersOldSegments() {
        return has(TORCH_2_13);
    }

    /**
     * Returns whether {@code >} in a list of divisions sets the entries behind the last one that the list names, and not that one too. The old
     * way is in the source of 2.6.0, the new one was seen in 2.14.1; it came with the settings that all accelerators share.
     */
    boolean fillsBehindLastEntry() {
        return has(TORCH_2_9);
    }

    /** The smallest {@code max_split_size_mb}: it had to be more than a large segment's 20 MiB and may equal it today. */
    long smallestMaxSplitMib() {
        return has(TORCH_2_9) ? 20 : 21;
    }
}
