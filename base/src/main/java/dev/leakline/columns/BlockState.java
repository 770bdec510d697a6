package dev.leakline.columns;

/** States of a block in the final state. */
public enum BlockState {
    /** A tensor lives in it. */
    ALLOCATED,
    /** Freed by the program, but work on other streams still uses it. */
    PENDING_FREE,
    /** Cached: free for the next request that fits. */
    INACTIVE
}
