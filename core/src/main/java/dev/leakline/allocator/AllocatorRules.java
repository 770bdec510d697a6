package dev.leakline.allocator;

/**
 * Versions of torch whose allocator knows other settings than the one before. How blocks are found, split, merged and released has not
 * changed since 1.13; ages for garbage collection are counted differently since 2.3, but come out the same.
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
    /** torch 2.13 and later: the size of large segments is a setting. */
    TORCH_2_13;

    /** The newest. */
    public static final AllocatorRules CURRENT = TORCH_2_13;

    /** Whether this version has what {@code since} introduced. */
    public boolean has(AllocatorRules since) {
        return compareTo(since) >= 0;
    }

    /**
     * Whether {@code >} in a list of divisions sets the entries behind the last one that the list names, and not that one too. The old
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
