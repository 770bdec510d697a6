package dev.leakline.testkit.snapshot;

/** The version of PyTorch whose keys a snapshot has; each has what the one before has, and more. */
public enum Layout {
    /** A bare list of segments without addresses of blocks; stacks in a {@code history}. */
    V1_13,
    /** A dict with segments and traces, and requested sizes; still the {@code history}. */
    V2_0,
    /** Addresses and frames of blocks, private pools, expandable segments. */
    V2_1,
    /** {@code time_us} in events. */
    V2_2,
    /** {@code allocator_settings}. */
    V2_4,
    /** {@code external_annotations}. */
    V2_6,
    /** {@code compile_context} in events. */
    V2_8,
    /** {@code user_metadata} in events. */
    V2_10,
    /** {@code pool_id} in events. */
    V2_12,
    /** Pinned host memory, annotate events. */
    V2_14;

    /** Returns whether this version is {@code first} or a later one. */
    public boolean since(Layout first) {
        return compareTo(first) >= 0;
    }
}
