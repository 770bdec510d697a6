package dev.leakline.picture;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntObjectHashMap;
import dev.leakline.columns.AnnotationColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.DeviceEvents;
import dev.leakline.result.Picture.Range;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * The longest record_function ranges of a device, by the events that happened in them. Marks name no thread, so an end closes the range
 * of its name that was opened last; an end without a beginning is passed over, and what never ends goes on to the last event.
 */
final class AnnotationRanges {
    private static final Comparator<Span> BY_LENGTH = Comparator.comparingInt((Span span) -> span.to - span.from)
            .thenComparing(Comparator.comparingInt(Span::from).reversed());

    /** A range; {@code name} is a string number. */
    private record Span(int name, int from, int to) {}

    private final AnnotationColumns marks;
    private final DeviceEvents events;
    private final IntObjectHashMap<IntArrayList> open = new IntObjectHashMap<>();
    /** The longest so far, the shortest of them first. */
    private final PriorityQueue<Span> longest = new PriorityQueue<>(BY_LENGTH);

    private AnnotationRanges(AnnotationColumns marks, DeviceEvents events) {
        this.marks = marks;
        this.events = events;
    }

    /** The ranges, in the order of their beginning. */
    static List<Range> of(SnapshotColumns columns, int device, DeviceEvents events) {
        boolean hasTimes = columns.eventKeys.contains("time_us") && events.count() > 0;
        AnnotationRanges ranges = new AnnotationRanges(columns.annotations, events);
        if (hasTimes) {
            ranges.pair(device);
        }
        return ranges.longest.stream()
                .sorted(Comparator.comparingInt(Span::from).thenComparing(BY_LENGTH.reversed()))
                .map(span -> new Range(PictureLimits.name(columns.strings.get(span.name)), span.from, span.to))
                .toList();
    }

    private void pair(int device) {
        IntStream.range(0, marks.size())
                .filter(mark -> marks.device(mark) == device)
                .boxed()
                .sorted(Comparator.comparingLong(marks::timeMicros))
                .forEach(this::take);
        open.forEach((com.carrotsearch.hppc.procedures.IntObjectProcedure<IntArrayList>) (name, starts) -> {
            for (int i = 0; i < starts.size(); i++) {
                offer(name, starts.get(i), events.count());
            }
        });
    }

    private void take(int mark) {
        int name = marks.name(mark);
        int event = events.firstFrom(marks.timeMicros(mark));
        IntArrayList starts = open.get(name);
        if (marks.isStart(mark)) {
            if (starts == null) {
                starts = new IntArrayList();
                open.put(name, starts);
            }
            starts.add(event);
        } else if (starts != null && !starts.isEmpty()) {
            offer(name, starts.removeLast(), event);
        }
    }

    /** Takes a range from one event up to, but without, another; those without any event are nothing to see. */
    private void offer(int name, int from, int to) {
        if (to > from) {
            longest.add(new Span(name, from, to - 1));
        }
        if (longest.size() > PictureLimits.RANGES) {
            longest.remove();
        }
    }
}
