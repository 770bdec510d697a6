package dev.leakline.series;

import com.carrotsearch.hppc.DoubleArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.DeviceResult.TimelinePoint;
import dev.leakline.result.MeasuredSeries.Axis;
import java.util.function.ToLongFunction;

/** The timeline of a snapshot's device as figures, to lay others over them. */
final class SnapshotCurves {
    private final DeviceResult device;

    SnapshotCurves(DeviceResult device) {
        this.device = device;
    }

    /** Reserved memory, over time if the recording has times. */
    Curve reserved() {
        return figure(Quantity.RESERVED, TimelinePoint::reservedBytes);
    }

    Curve allocated() {
        return figure(Quantity.ALLOCATED, TimelinePoint::bytes);
    }

    private Curve figure(Quantity quantity, ToLongFunction<TimelinePoint> value) {
        boolean hasTimes = device.coverage().hasTimes();
        MemorySeries.Axis axis = hasTimes ? MemorySeries.Axis.TIME : MemorySeries.Axis.INDEX;
        Subject subject = new Subject(Source.TIMELINE, quantity, axis, device.device(), -1, "");
        double start = hasTimes && !device.timeline().isEmpty()
                ? device.timeline().getFirst().timeUs()
                : 0;
        DoubleArrayList places = new DoubleArrayList();
        LongArrayList values = new LongArrayList();
        for (TimelinePoint point : device.timeline()) {
            places.add(hasTimes ? (point.timeUs() - start) / Curve.MICROS : places.size());
            values.add(value.applyAsLong(point));
        }
        return new Curve(device.input(), subject, Axis.valueOf(axis.name()), start, places, values);
    }
}
