package dev.leakline.series;

import dev.leakline.columns.MemorySeries.Quantity;

/** Layers of memory that figures count, from the inside out: each layer contains those before it. */
enum Layer {
    /** Memory of tensors. */
    TENSORS,
    /** Memory that the allocator has from the driver. */
    ALLOCATOR,
    /** Memory that the process has from the driver. */
    PROCESS,
    /** Memory of all processes. */
    DEVICE,
    /** A process's or a machine's memory on the host, which is no part of a device's. */
    HOST,
    /** Nothing of a device's memory, or not a whole. */
    NONE;

    static Layer of(Quantity quantity) {
        return switch (quantity) {
            case ALLOCATED, ACTIVE, REQUESTED, PEAK_ALLOCATED -> TENSORS;
            case RESERVED, PEAK_RESERVED -> ALLOCATOR;
            case PROCESS_USED -> PROCESS;
            case DEVICE_USED, DEVICE_FREE -> DEVICE;
            case HOST_USED -> HOST;
            case DEVICE_TOTAL, INACTIVE_SPLIT, POOL_SHARE, OUT_OF_MEMORY, RETRIES -> NONE;
        };
    }

    /** Returns whether it is part of another layer of the same device. */
    boolean isWithin(Layer outer) {
        return compareTo(outer) < 0 && outer != HOST && this != HOST;
    }

    /** Returns whether a figure is the highest of its layer so far, which can only rise. */
    static boolean isPeak(Quantity quantity) {
        return quantity == Quantity.PEAK_ALLOCATED || quantity == Quantity.PEAK_RESERVED;
    }
}
