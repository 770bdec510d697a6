package dev.leakline.lifetime;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows a {@link MemoryCurve} through a window of events: where it is highest, and its shape. */
public final class PeakFinder implements MemoryCurve.Reader {
    /** Points of the shape: enough for the widest terminal, few enough to be read by people in JSON. */
    private static final int POINTS = 240;

    private static final int NO_EVENT = Integer.MIN_VALUE;

    /** The values of the curve after an event: bytes held, requested and reserved. */
    public record Moment(int event, long held, long requested, long reserved) {}

    /** The most that was held and reserved in a stretch of events that begins with {@code event}. */
    public record Point(int event, long held, long reserved) {}

    /**
     * The result of a search.
     *
     * @param start before the first event of the recording
     * @param end after its last
     * @param peak the first moment of the window at which most was held
     * @param peakRequested the most that was requested at any moment of the window
     * @param latePeak the most that was held in the second half of the recording
     * @param unseenReleases bytes that must have gone back to the driver while the recording does not say so
     * @param points the window's shape
     */
    public record Found(
            Moment start,
            Moment end,
            Moment peak,
            long peakRequested,
            long latePeak,
            long unseenReleases,
            List<Point> points) {}

    private final int from;
    private final int to;
    private final int half;
    private @Nullable Moment start;
    private final List<Point> points = new ArrayList<>();
    private Moment peak;
    private long peakRequested;
    private long latePeak;
    private long pointHeld;
    private long pointReserved;
    private int pointEvent = NO_EVENT;
    /** The event that begins the next point. */
    private int nextPoint;

    /**
     * Looks for the peak of a window of a recording.
     *
     * @param events of the recording
     * @param from the first event of the window; the moment before it belongs to the window too
     * @param to the event after the window's last
     */
    public PeakFinder(int events, int from, int to) {
        this.from = Math.clamp(from, 0, events);
        this.to = Math.clamp(to, this.from, events);
        this.half = events / 2;
        this.nextPoint = this.from - 1;
        this.peak = new Moment(this.from - 1, Long.MIN_VALUE, 0, 0);
    }

    @Override
    public void look(MemoryCurve curve) {
        if (start == null) {
            start = moment(curve);
        }
        if (curve.event() >= from - 1 && curve.event() < to) {
            lookWithin(curve);
        }
        if (curve.event() >= half - 1) {
            latePeak = Math.max(latePeak, curve.held());
        }
    }

    /** The result of the search along a curve, which is at its end. */
    public Found found(MemoryCurve curve) {
        endPoint();
        Moment end = moment(curve);
        return new Found(
                start == null ? end : start,
                end,
                peak,
                peakRequested,
                latePeak,
                curve.unseenReleases(),
                List.copyOf(points));
    }

    private void lookWithin(MemoryCurve curve) {
        if (curve.held() > peak.held()) {
            peak = moment(curve);
        }
        peakRequested = Math.max(peakRequested, curve.requested());
        if (curve.event() == nextPoint) {
            endPoint();
            pointEvent = curve.event();
            nextPoint = from + startBehind(Math.max(pointEvent - from, 0));
            pointHeld = curve.held();
            pointReserved = curve.reserved();
        }
        pointHeld = Math.max(pointHeld, curve.held());
        pointReserved = Math.max(pointReserved, curve.reserved());
    }

    /** How far into the window the point begins behind that in which another event is. */
    private int startBehind(int offset) {
        long span = Math.max(to - from, POINTS);
        long point = offset * (long) POINTS / span + 1;
        return Math.toIntExact((point * span + POINTS - 1) / POINTS);
    }

    private void endPoint() {
        if (pointEvent != NO_EVENT) {
            points.add(new Point(pointEvent, pointHeld, pointReserved));
        }
    }

    private static Moment moment(MemoryCurve curve) {
        return new Moment(curve.event(), curve.held(), curve.requested(), curve.reserved());
    }
}
