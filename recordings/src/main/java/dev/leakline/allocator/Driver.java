package dev.leakline.allocator;

/**
 * The source of the allocator's memory: cudaMalloc, cudaFree, cudaMemGetInfo and the virtual memory calls of one device.
 *
 * <p>{@link SimulatedDriver} makes up addresses; a replay may give those that a recording shows. Sizes are bytes.
 */
public interface Driver {
    /** The address that {@link #malloc} and {@link #reserve} return when there is no memory. */
    long NO_MEMORY = 0;

    /** cudaMalloc: the address of {@code size} bytes, or {@link #NO_MEMORY} when the device has no more. */
    long malloc(long size);

    /** cudaFree of what {@link #malloc} gave. */
    void free(long address, long size);

    /** cuMemAddressReserve: a range of addresses without memory behind them, or {@link #NO_MEMORY}. */
    long reserve(long size);

    /** cuMemAddressFree of a whole range, nothing of which is mapped. */
    void release(long address, long size);

    /** cuMemCreate and cuMemMap for pages of a reserved range: all of them, or none and the answer is false. */
    boolean map(long address, long size);

    /** Gives back mapped pages. */
    void unmap(long address, long size);

    /**
     * Tells of a segment that is there already: from now on it is as if {@link #malloc}, or {@link #reserve} and {@link #map}, had given it.
     *
     * @param size addresses that it takes
     * @param held bytes with memory behind them
     */
    void adopt(long address, long size, long held);

    /** Bytes of the device that nobody holds. */
    long freeBytes();

    /** Bytes of the device. */
    long totalBytes();
}
