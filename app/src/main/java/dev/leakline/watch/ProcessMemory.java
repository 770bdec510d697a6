package dev.leakline.watch;

import dev.leakline.live.ProcessSample;

/**
 * One memory that a process uses.
 *
 * @param device the GPU's number, or {@link #HOST}
 * @param last the newest sample that tells of it
 * @param history how it went
 */
public record ProcessMemory(int device, ProcessSample last, MemoryHistory history) {
    /** The memory of the host. */
    public static final int HOST = -1;

    /** What a sample tells of the memory of a GPU: what the driver counts, or else the allocator; negative where nobody says. */
    static long onDevice(ProcessSample sample) {
        return sample.used() >= 0 ? sample.used() : Math.max(sample.reserved(), sample.allocated());
    }

    ProcessMemory add(ProcessSample sample, long value) {
        history.add(sample.t(), value);
        return new ProcessMemory(device, sample, history);
    }

    ProcessMemory copy() {
        return new ProcessMemory(device, last, history.copy());
    }

    public boolean isHost() {
        return device < 0;
    }

    /** The bytes that the process has of it now. */
    public long used() {
        return isHost() ? last.resident() : onDevice(last);
    }

    /** The bytes that it may have, negative where nobody says. */
    public long limit() {
        return isHost() ? last.hostLimit() : last.deviceTotal();
    }
}
