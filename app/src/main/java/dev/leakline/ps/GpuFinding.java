package dev.leakline.ps;

import dev.leakline.nvml.GpuDevice;
import java.util.List;

/**
 * A likely mistake in the use of GPU memory.
 *
 * @param kind what it is
 * @param rows the processes that it is about
 * @param remedy what to do about it
 */
public record GpuFinding(Kind kind, List<Row> rows, String remedy) {
    /** Kinds of mistakes. */
    public enum Kind {
        /** Workers outlive the process that started them, and keep what that one held. */
        SURVIVOR,
        /** The driver lists processes that {@code /proc} does not have. */
        UNSEEN,
        /** Workers that load data hold memory of their own. */
        WORKER,
        /** A process holds memory on a GPU that belongs to another of its job. */
        WRONG_GPU
    }

    /**
     * A process.
     *
     * @param pid its number
     * @param bytes what it holds, {@link GpuDevice.Use#UNKNOWN} where nobody says
     * @param reason why it is listed
     */
    public record Row(int pid, long bytes, String reason) {}
}
