package dev.leakline.watch;

import dev.leakline.columns.ProcessSample;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.ArrayList;
import java.util.List;

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

    /** The GPU memory in a sample: as the driver counts it, or else the allocator; negative where nobody says. */
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

    /** All that is known of it now, in words. */
    public String figures() {
        List<String> figures = new ArrayList<>();
        if (isHost()) {
            add(figures, used(), "resident");
            add(figures, last.rssChildren() > 0 ? last.rssChildren() : -1, "of it in children");
            add(figures, last.pinned() > 0 ? last.pinned() : -1, "pinned");
        } else {
            add(figures, last.used(), "used");
            add(figures, last.reserved(), "reserved");
            add(figures, last.allocated(), "allocated");
        }
        String limit = limit() <= 0
                ? ""
                : " of " + ByteSize.format(limit()) + ", " + Numbers.percent((double) used() / limit());
        return String.join(", ", figures) + limit;
    }

    private static void add(List<String> figures, long bytes, String what) {
        if (bytes >= 0) {
            figures.add(ByteSize.format(bytes) + " " + what);
        }
    }

    /** The name of the process, or its number. */
    public String title() {
        return isHost() ? "Host" : "GPU " + device;
    }

    /** The bytes that it may have, negative where nobody says. */
    public long limit() {
        return isHost() ? last.hostLimit() : last.deviceTotal();
    }
}
