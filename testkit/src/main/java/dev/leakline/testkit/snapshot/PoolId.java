package dev.leakline.testkit.snapshot;

/** The identity of a memory pool; (0, 0) is the default pool. */
record PoolId(long first, long second) {
    static final PoolId DEFAULT = new PoolId(0, 0);
}
