package dev.leakline.lifetime;

import dev.leakline.columns.SnapshotColumns;
import java.util.ArrayList;
import java.util.List;

/** Follows a {@link MemoryCurve} through a window of events: where it is highest, and its shape. */
public final class PeakFinder {
    /** Points of the shape: enough for the widest terminal, few enough to be read by people in JSON. */
    private static final int POINTS = 240;

    private static final int NO_EVENT = Integer.MIN_VALUE;

    /** Where the curve stands after an event: bytes held, requested and reserved. */
    public record Moment(int event, long held, long requested, long reserved) {}

    /** The most that was held and reserved in a stretch of events that begins with {@code event}. */
    public record Point(int event, long held, long reserved) {}

    /**
     * What was found.
     *
     * @param start before the first event of the recording
     * @param end after its last
     * @param peak the first moment of the window at which most was held
     * @param peakRequested the most that was requested at any moment of the window
     * @param points the window's shape
     */
    public record Found(Moment start, Moment end, Moment peak, long peakRequested, List<Point> points) {}

    private final MemoryCurve curve;
    private final int from;
    private final int to;
    private final List<Point> points = new ArrayList<>();
    private Moment peak;
    private long peakRequested;
    private long pointHeld;
    private long pointReserved;
    private int pointEvent = NO_EVENT;

    private PeakFinder(MemoryCurve curve, int from, int to) {
        this.curve = curve;
        this.from = from;
        this.to = to;
        this.peak = new Moment(from - 1, Long.MIN_VALUE, 0, 0);
    }

    /**
     * Follows a device's memory through the whole recording.
     *
     * @param from the first event of the window; the moment before it belongs to the window too
     * @param to the event after the window's last
     */
    public static Found find(SnapshotColumns columns, Lifetimes lifetimes, int from, int to) {
        int first = Math.clamp(from, 0, lifetimes.events().count());
        int end = Math.clamp(to, first, lifetimes.events().count());
        return new PeakFinder(new MemoryCurve(columns, lifetimes), first, end).run();
    }

    private Found run() {
        Moment start = moment();
        do {
            if (curve.event() >= from - 1 && curve.event() < to) {
                look();
            }
        } while (curve.next());
        endPoint();
        return new Found(start, moment(), peak, peakRequested, List.copyOf(points));
    }

    private void look() {
        if (curve.held() > peak.held()) {
            peak = moment();
        }
        peakRequested = Math.max(peakRequested, curve.requested());
        if (startsPoint()) {
            endPoint();
            pointEvent = curve.event();
            pointHeld = curve.held();
            pointReserved = curve.reserved();
        }
        pointHeld = Math.max(pointHeld, curve.held());
        pointReserved = Math.max(pointReserved, curve.reserved());
    }

    private boolean startsPoint() {
        int offset = curve.event() - from;
        return offset < 0 || (offset > 0 && point(offset) != point(offset - 1));
    }

    private long point(int offset) {
        return (long) offset * POINTS / Math.max(to - from, POINTS);
    }

    private void endPoint() {
        if (pointEvent != NO_EVENT) {
            points.add(new Point(pointEvent, pointHeld, pointReserved));
        }
    }

    private Moment moment() {
        return new Moment(curve.event(), curve.held(), curve.requested(), curve.reserved());
    }
}
