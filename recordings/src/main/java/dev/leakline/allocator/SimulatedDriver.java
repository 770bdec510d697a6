package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;

import dev.leakline.known.SizeRules;

/**
 * A simulated device of which others hold a fixed part, with addresses that only rise: none is used twice, so the result of a program's
 * requests does not depend on the driver's past.
 */
public final class SimulatedDriver implements Driver {
    /** The multiple that cudaMalloc rounds up to: the granularity of device memory, also that of cuMemCreate. */
    static final long PAGE = 2 * MIB;

    private final long total;
    private final long heldByOthers;
    private long used;
    private long nextAddress;

    /**
     * @param total bytes of the device
     * @param heldByOthers bytes that other processes and libraries hold all the time
     * @param firstAddress what the first call answers, a multiple of 2 MiB above 0
     */
    public SimulatedDriver(long total, long heldByOthers, long firstAddress) {
        if (total < 0 || heldByOthers < 0 || firstAddress <= 0 || firstAddress % PAGE != 0) {
            throw new IllegalArgumentException(
                    "expected sizes from 0 up and an address that is a multiple of 2 MiB, found " + total + ", "
                            + heldByOthers + ", " + firstAddress);
        }
        this.total = total;
        this.heldByOthers = heldByOthers;
        this.nextAddress = firstAddress;
    }

    @Override
    public long malloc(long size) {
        long bytes = SizeRules.roundUp(size, PAGE);
        if (bytes > freeBytes()) {
            return NO_MEMORY;
        }
        used += bytes;
        return addresses(bytes);
    }

    @Override
    public void free(long address, long size) {
        used -= SizeRules.roundUp(size, PAGE);
    }

    @Override
    public long reserve(long size) {
        return addresses(SizeRules.roundUp(size, PAGE));
    }

    @Override
    public void release(long address, long size) {
        // addresses are not used twice
    }

    @Override
    public boolean map(long address, long size) {
        if (size > freeBytes()) {
            return false;
        }
        used += size;
        return true;
    }

    @Override
    public void unmap(long address, long size) {
        used -= size;
    }

    @Override
    public void adopt(long address, long size, long held) {
        used += SizeRules.roundUp(held, PAGE);
        long end = SizeRules.roundUp(address + size, PAGE);
        if (Long.compareUnsigned(end, nextAddress) > 0) {
            nextAddress = end;
        }
    }

    @Override
    public long freeBytes() {
        return Math.max(total - heldByOthers - used, 0);
    }

    @Override
    public long totalBytes() {
        return total;
    }

    private long addresses(long bytes) {
        long address = nextAddress;
        nextAddress += bytes;
        return address;
    }
}
