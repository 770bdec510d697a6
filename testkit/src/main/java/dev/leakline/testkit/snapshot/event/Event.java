package dev.leakline.testkit.snapshot.event;

import org.jspecify.annotations.Nullable;

/**
 * One entry of a trace.
 *
 * @param address of the block or range; for {@link EventAction#OOM} the free bytes of the device instead
 * @param stack null when no context was recorded
 * @param origin for a free, the stack of the allocation, where known
 */
public record Event(
        EventAction action,
        long address,
        long size,
        long stream,
        PoolId pool,
        Scene scene,
        @Nullable CallStack stack,
        @Nullable CallStack origin) {}
