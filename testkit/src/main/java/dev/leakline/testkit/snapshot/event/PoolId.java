package dev.leakline.testkit.snapshot.event;

/** The identity of a memory pool; (0, 0) is the default pool. */
public record PoolId(long first, long second) {
    public static final PoolId DEFAULT = new PoolId(0, 0);
}
