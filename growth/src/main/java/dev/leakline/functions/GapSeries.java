package dev.leakline.functions;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.functions.Rules.GapSample;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The series that a tracker wrote of one device, joined moment by moment. */
final class GapSeries {
    /** A tracker's device. */
    private record Tracked(int device, long process, String label) {}

    private final Map<Quantity, MemorySeries> series;
    private final Map<Quantity, Integer> next = new EnumMap<>(Quantity.class);

    private GapSeries(Map<Quantity, MemorySeries> series) {
        this.series = series;
    }

    /** The samples of each device of which a tracker wrote both what is used and what the allocator reserved. */
    static List<List<GapSample>> of(List<MemorySeries> all) {
        Map<Tracked, Map<Quantity, MemorySeries>> tracked = new LinkedHashMap<>();
        for (MemorySeries one : all) {
            Subject subject = one.subject;
            if (subject.source() == Source.TELEMETRY) {
                tracked.computeIfAbsent(
                                new Tracked(subject.device(), subject.process(), subject.label()),
                                _ -> new EnumMap<>(Quantity.class))
                        .putIfAbsent(subject.quantity(), one);
            }
        }
        return tracked.values().stream()
                .map(device -> new GapSeries(device).samples())
                .filter(samples -> !samples.isEmpty())
                .toList();
    }

    private List<GapSample> samples() {
        List<GapSample> samples = new ArrayList<>();
        MemorySeries used = series.get(Quantity.DEVICE_USED);
        for (int i = 0; used != null && i < used.size(); i++) {
            double time = used.position(i);
            long reserved = at(Quantity.RESERVED, time);
            long allocated = at(Quantity.ALLOCATED, time);
            long total = at(Quantity.DEVICE_TOTAL, time);
            if (reserved >= 0 && allocated >= 0) {
                samples.add(new GapSample(time, allocated, reserved, used.value(i), total));
            }
        }
        return samples;
    }

    /** The value of a quantity that was written at a time, -1 where none was; times are passed in ascending order. */
    private long at(Quantity quantity, double time) {
        MemorySeries one = series.get(quantity);
        int index = one == null ? 0 : skip(one, next.getOrDefault(quantity, 0), time);
        boolean isThere = one != null && index < one.size() && one.position(index) == time;
        next.put(quantity, isThere ? index + 1 : index);
        return isThere ? value(one, index) : -1;
    }

    private static int skip(MemorySeries one, int from, double time) {
        int index = from;
        while (index < one.size() && one.position(index) < time) {
            index++;
        }
        return index;
    }

    private static long value(@Nullable MemorySeries one, int index) {
        return one == null ? -1 : one.value(index);
    }
}
