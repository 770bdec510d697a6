package dev.leakline.series;

import dev.leakline.result.DeviceResult;
import dev.leakline.result.MeasuredSeries.Shape;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The host's memory that a process takes without a leak, by the figures of Leakline's probe. Those begin when the process first uses a device, so its start
 * is in them, and what PyTorch records is, too.
 */
public final class HostNeeds {
    /** That an event of PyTorch's history takes, with its stack: 250 to 350 measured. */
    private static final long BYTES_OF_EVENT = 512;
    /** That a process may take by and by for imports, caches of kernels and what its allocators do not give back. */
    private static final long BYTES = 64 << 20;
    /** Models take some seconds to load. What {@code leakline run} tells while a job runs waits for as long: {@code TIME_SETTLED} in the probe's forecast.py. */
    private static final double SECONDS = 10;

    private final long bytes;

    private HostNeeds(long events) {
        this.bytes = bytes(events);
    }

    /** The needs of processes with these recordings. */
    static HostNeeds of(List<DeviceResult> devices) {
        Map<Integer, Long> events = devices.stream()
                .collect(Collectors.groupingBy(DeviceResult::input, Collectors.summingLong(DeviceResult::events)));
        return new HostNeeds(
                events.values().stream().mapToLong(Long::longValue).max().orElse(0));
    }

    /** The most that a process takes for which so many events are recorded. */
    public static long bytes(long events) {
        return BYTES + events * BYTES_OF_EVENT;
    }

    /** The shape of a figure; growth that a process without a leak has, too, does not count. */
    Shape shape(Curve figure, CurveShape test) {
        Shape shape = test.shape();
        if (shape != Shape.GROWS || !figure.subject().isOfProbe()) {
            return shape;
        }
        return test.trend().span() < SECONDS ? Shape.TOO_FEW : isNeed(test) ? Shape.LEVEL : shape;
    }

    /** Returns whether a process without a leak takes it too: the history of allocations takes no more once it is full, and the probe looks ever more rarely. */
    private boolean isNeed(CurveShape test) {
        return test.trend().rise() <= bytes || test.slowsLater();
    }
}
