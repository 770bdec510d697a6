package dev.leakline.series;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The most that was in use on a device so far: as its figures say, or all of its processes together. */
final class DeviceUse {
    /** A process that was not measured any more in the last tenth of the time has ended, and what it had is free. */
    private static final double LAST_PART = 0.1;

    private DeviceUse() {}

    /** The most of a figure's device, by {@code all} that was measured. */
    static long most(Curve figure, List<Curve> all) {
        List<Curve> own = all.stream().filter(other -> isOf(figure, other)).toList();
        Map<Long, Long> processes = own.stream()
                .filter(other -> other.subject().process() >= 0 && isThere(figure, other))
                .collect(Collectors.toMap(other -> other.subject().process(), DeviceUse::peak, Math::max));
        long together = processes.values().stream().mapToLong(Long::longValue).sum();
        return Math.max(together, own.stream().mapToLong(DeviceUse::peak).max().orElse(0));
    }

    private static boolean isOf(Curve figure, Curve other) {
        Layer layer = Layer.of(other.subject().quantity());
        return other.subject().quantity().isBytes()
                && layer != Layer.NONE
                && layer != Layer.HOST
                && !other.isTaken()
                && CurveSet.isSame(figure.subject().device(), other.subject().device());
    }

    /** Returns whether a process is there as long as a figure is. */
    private static boolean isThere(Curve figure, Curve other) {
        double end = figure.position(figure.place(figure.size() - 1));
        double begin = figure.position(figure.place(0));
        return figure.axis() != other.axis()
                || other.position(other.place(other.size() - 1)) >= end - LAST_PART * (end - begin);
    }

    private static long peak(Curve figure) {
        return figure.value(figure.peak());
    }
}
