package dev.leakline.nvml;

import java.util.List;

/**
 * A GPU, or an instance of a partitioned one (MIG).
 *
 * @param index its number, as the driver counts
 * @param name its name
 * @param uuid its identity, {@code GPU-...} or {@code MIG-...}
 * @param total bytes of its memory, 0 where the driver does not say
 * @param used bytes in use, by whomever
 * @param uses the processes that hold some of it
 */
public record GpuDevice(int index, String name, String uuid, long total, long used, List<Use> uses) {
    /**
     * The memory that one process holds on a device.
     *
     * @param pid its number in the outermost PID namespace
     * @param bytes what it holds: PyTorch's memory, the context, and that of other libraries; {@link #UNKNOWN} where the driver does
     *     not say
     * @param kind Compute, Graphics, or MPSCompute
     */
    public record Use(int pid, long bytes, String kind) {
        /** The driver does not know: under Windows's driver model, and in some virtual machines. */
        public static final long UNKNOWN = -1;
    }

    /** Bytes in use that belong to a process of the list. */
    public long attributed() {
        return uses.stream().mapToLong(use -> Math.max(use.bytes(), 0)).sum();
    }
}
