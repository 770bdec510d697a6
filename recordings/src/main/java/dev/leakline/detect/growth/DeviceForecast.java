package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.allocator.AllocatorSettings;
import dev.leakline.allocator.FilledSegments;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.evidence.Evidence;

/**
 * When a device is full if all that grows on it goes on: its lines share the room, and so the answer.
 */
public final class DeviceForecast {
    private DeviceForecast() {}

    /** Bytes that blocks take from the driver for each step, where they grow by {@code bytesPerStep} together; the host has no segments. */
    static double takenPerStep(Evidence evidence, IntArrayList growing, double bytesPerStep) {
        boolean isHost = evidence.lifetimes().device() == SnapshotColumns.HOST;
        AllocatorSettings settings = AllocatorSettings.of(evidence.columns().settings);
        return isHost ? bytesPerStep : bytesPerStep * FilledSegments.perByte(evidence.lifetimes(), growing, settings);
    }

    /**
     * Steps until the device is full; NaN where its size is not known. What grows comes out of what the driver has left: the memory that is
     * cached is needed again for the peak of the next step, and where the cache was emptied that peak comes again.
     *
     * @param memory of the device, 0 where nobody said
     * @param peak the most that was held
     * @param reserved what the allocator has from the driver
     */
    public static double steps(long memory, long peak, long reserved, double takenPerStep) {
        return memory > 0 ? Math.max(memory - Math.max(peak, reserved), 0) / takenPerStep : Double.NaN;
    }
}
