package dev.leakline.testkit.snapshot;

import dev.leakline.testkit.snapshot.event.CallStack;
import dev.leakline.testkit.snapshot.event.PoolId;
import org.jspecify.annotations.Nullable;

/**
 * A wish for memory.
 *
 * @param bytes before rounding
 * @param stack null when no context is recorded
 */
record Request(
        long bytes,
        long stream,
        PoolId pool,
        boolean expandable,
        @Nullable CallStack stack) {
    long rounded() {
        return Pool.rounded(bytes);
    }
}
