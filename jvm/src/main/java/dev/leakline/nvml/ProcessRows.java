package dev.leakline.nvml;

import dev.leakline.nvml.GpuDevice.Use;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of {@code nvmlDeviceGetComputeRunningProcesses_v3}: number of the process, 32 bits; bytes, 64 bits; then more, or nothing.
 *
 * <p>How long a row is, the function does not say. The header says 24 bytes; drivers 535.43 to 535.86 wrote 32, and one was seen that
 * writes 16. Read at the wrong distance, numbers of processes and bytes get mixed up. So the room is filled with a pattern before, for
 * the largest rows: where the pattern is whole again, the rows end, and their number tells how long one is. Then every row is checked.
 */
final class ProcessRows {
    /** Bytes of the largest row known. */
    static final int LARGEST = 32;
    /** The byte that fills the room. No number of a process, and no end of a row, consists of it. */
    static final byte UNTOUCHED = (byte) 0xa5;

    private static final int[] KNOWN = {24, 32, 16};
    /** Linux has no larger number of a process (PID_MAX_LIMIT). */
    private static final int MOST_PID = 1 << 22;

    private ProcessRows() {}

    /**
     * Reads rows.
     *
     * @param rows the room that was filled and then handed to the driver
     * @param count how many rows the driver says there are
     * @param total bytes of the device, 0 where that is not known
     * @param kind the kind of use that was queried
     */
    static List<Use> read(ByteBuffer rows, int count, long total, String kind) throws IOException {
        if (count <= 0) {
            return List.of();
        }
        int written = written(rows);
        for (int length : KNOWN) {
            boolean fits = written > (count - 1L) * length && written <= (long) count * length;
            List<Use> uses = fits ? read(rows, count, length, kind) : List.of();
            if (!uses.isEmpty() && uses.stream().allMatch(use -> isPlausible(use, total))) {
                return uses;
            }
        }
        throw new IOException("the NVIDIA driver lists " + count + " processes in " + written
                + " bytes, which matches no known layout; nvidia-smi may show more");
    }

    private static int written(ByteBuffer rows) {
        int end = rows.limit();
        while (end > 0 && rows.get(end - 1) == UNTOUCHED) {
            end--;
        }
        return end;
    }

    private static List<Use> read(ByteBuffer rows, int count, int length, String kind) {
        List<Use> uses = new ArrayList<>();
        for (int at = 0; at < count * length; at += length) {
            uses.add(new Use(rows.getInt(at), rows.getLong(at + 8), kind));
        }
        return uses;
    }

    private static boolean isPlausible(Use use, long total) {
        boolean fits = use.bytes() == Use.UNKNOWN || (use.bytes() >= 0 && (total == 0 || use.bytes() <= total));
        return use.pid() > 0 && use.pid() <= MOST_PID && fits;
    }
}
