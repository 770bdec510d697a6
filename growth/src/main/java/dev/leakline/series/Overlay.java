package dev.leakline.series;

import com.carrotsearch.hppc.DoubleArrayList;
import com.carrotsearch.hppc.LongArrayList;
import dev.leakline.result.MeasuredSeries.Axis;
import dev.leakline.result.MemoryGap.Alignment;
import org.jspecify.annotations.Nullable;

/**
 * Two figures aligned with each other: their values at the same moments.
 *
 * <p>Where both have times that overlap, moments are those of the one that was measured less often, and of the other counts what it said last.
 * Where one source says both at once, moments are its own. Else the two have nothing in common but that they come from one job: then
 * the inner figure is stretched over that part of the outer one where the difference between the two varies least. That explains away
 * as much as can be; a difference that grows with the inner figure is not seen then, and whoever shows it must say so.
 */
final class Overlay {
    /** Fewer moments that both have are no overlap. */
    private static final int FEWEST = 3;
    /** Moments of a figure that are tried as the beginning and end of the other: 7,140 pairs. */
    private static final int TRIED = 120;
    /** Finer steps around the best of those, between two of them. */
    private static final int FINER = 8;
    /** Moments at which a pair is compared. */
    private static final int COMPARED = 64;
    /** The inner figure was measured over a quarter of the outer one at least. */
    private static final int LEAST_PART = 4;

    private final Curve outer;
    private final Alignment alignment;
    private final DoubleArrayList places = new DoubleArrayList();
    private final LongArrayList used = new LongArrayList();
    /** The measurement of the inner figure that belongs to each moment. */
    private final LongArrayList inside = new LongArrayList();

    private final DoubleArrayList insidePlaces = new DoubleArrayList();

    private Overlay(Curve outer, Alignment alignment) {
        this.outer = outer;
        this.alignment = alignment;
    }

    /** Lays a figure over another that holds it; null where there are too few measurements for it. */
    static @Nullable Overlay of(Curve outer, Curve inner) {
        Overlay overlay = null;
        if (outer.axis() == Axis.TIME && inner.axis() == Axis.TIME) {
            overlay = byPlaces(outer, inner, Alignment.TIME);
        } else if (outer.input() == inner.input() && outer.axis() == inner.axis()) {
            overlay = byPlaces(outer, inner, Alignment.POSITION);
        }
        if (overlay == null || overlay.size() < FEWEST) {
            overlay = outer.size() < FEWEST || inner.size() < FEWEST ? null : byShape(outer, inner);
        }
        return overlay;
    }

    private static Overlay byPlaces(Curve outer, Curve inner, Alignment alignment) {
        Overlay overlay = new Overlay(outer, alignment);
        double shift = outer.placeOf(inner.position(0));
        double from = Math.max(outer.place(0), inner.place(0) + shift);
        double to = Math.min(outer.place(outer.size() - 1), inner.place(inner.size() - 1) + shift);
        boolean isOuterSparse = between(outer, from, to, 0) <= between(inner, from, to, shift);
        Curve sparse = isOuterSparse ? outer : inner;
        for (int i = 0; i < sparse.size(); i++) {
            double place = sparse.place(i) + (isOuterSparse ? 0 : shift);
            if (place >= from && place <= to) {
                overlay.add(place, outer.at(place), inner, inner.at(place - shift));
            }
        }
        return overlay;
    }

    private static int between(Curve figure, double from, double to, double shift) {
        return figure.at(to - shift) - figure.at(Math.nextDown(from - shift));
    }

    private void add(double place, int outerIndex, Curve inner, int innerIndex) {
        if (outerIndex >= 0 && innerIndex >= 0) {
            places.add(place);
            used.add(outer.value(outerIndex));
            inside.add(inner.value(innerIndex));
            insidePlaces.add(inner.place(innerIndex));
        }
    }

    /** The best pair of all that are some way apart, then the best around it. */
    private static Overlay byShape(Curve outer, Curve inner) {
        int last = outer.size() - 1;
        int step = Math.max(last / TRIED, 1);
        Stretch best = new Stretch(0, last, spread(outer, inner, 0, last));
        for (int from = 0; from <= last; from += step) {
            for (int to = last; to - from >= last / LEAST_PART; to -= step) {
                best = best.better(from, to, spread(outer, inner, from, to));
            }
        }
        return stretched(outer, inner, refined(outer, inner, best, step));
    }

    private static Stretch refined(Curve outer, Curve inner, Stretch coarse, int step) {
        int last = outer.size() - 1;
        int fine = Math.max(step / FINER, 1);
        Stretch best = coarse;
        for (int from = Math.max(coarse.from - step, 0); from <= Math.min(coarse.from + step, last); from += fine) {
            for (int to = Math.min(coarse.to + step, last); to > Math.max(coarse.to - step, from); to -= fine) {
                best = best.better(from, to, spread(outer, inner, from, to));
            }
        }
        return best;
    }

    /** A part of the outer figure over which the inner one can be laid, and how far the difference then goes up and down. */
    private record Stretch(int from, int to, double spread) {
        /** The one with less of that; of equal ones the longer. */
        Stretch better(int otherFrom, int otherTo, double otherSpread) {
            boolean isLonger = otherSpread == spread && otherTo - otherFrom > to - from;
            return otherSpread < spread || isLonger ? new Stretch(otherFrom, otherTo, otherSpread) : this;
        }
    }

    private static int index(Curve figure, int number, int of) {
        return of <= 1 ? 0 : (int) ((long) number * (figure.size() - 1) / (of - 1));
    }

    /**
     * How far the difference goes up and down, all ways added up: a jump costs its height, a crooked place much more. By as much as the outer figure grows after
     * the inner one has ended, it ends too early; and where it has less than the inner one, it is the wrong place.
     */
    private static double spread(Curve outer, Curve inner, int from, int to) {
        double sum = Math.max(outer.highestFrom(to) - outer.value(to), 0);
        long last = 0;
        for (int i = 0; i < COMPARED; i++) {
            int at = from + (int) ((long) i * (to - from) / (COMPARED - 1));
            long difference = outer.value(at) - inner.value(index(inner, i, COMPARED));
            if (difference < 0) {
                return Double.POSITIVE_INFINITY;
            }
            sum += i == 0 ? 0 : Math.abs(difference - last);
            last = difference;
        }
        return sum;
    }

    private static Overlay stretched(Curve outer, Curve inner, Stretch stretch) {
        int from = stretch.from;
        int to = stretch.to;
        Overlay overlay = new Overlay(outer, Alignment.SHAPE);
        int count = Math.min(to - from + 1, inner.size());
        for (int i = 0; i < count; i++) {
            int at = from + (count <= 1 ? 0 : (int) ((long) i * (to - from) / (count - 1)));
            overlay.add(outer.place(at), at, inner, index(inner, i, count));
        }
        return overlay;
    }

    /** How they are laid. */
    Alignment alignment() {
        return alignment;
    }

    /** How many moments both have. */
    int size() {
        return places.size();
    }

    /** Where a moment is on the outer figure's axis. */
    double place(int moment) {
        return places.get(moment);
    }

    /** The outer figure's value at a moment. */
    long used(int moment) {
        return used.get(moment);
    }

    /** The inner figure's value at a moment. */
    long inside(int moment) {
        return inside.get(moment);
    }

    /** Where the inner figure was measured for a moment, on its own axis. */
    double insidePlace(int moment) {
        return insidePlaces.get(moment);
    }

    /** The moment at which the outer figure is highest; the last of several. */
    int peak() {
        int peak = 0;
        for (int moment = 1; moment < size(); moment++) {
            peak = used(moment) >= used(peak) ? moment : peak;
        }
        return peak;
    }

    /** The outer figure minus the inner one, as a figure that is never below 0. */
    Curve difference() {
        LongArrayList differences = new LongArrayList(size());
        long lowest = lowest();
        for (int moment = 0; moment < size(); moment++) {
            differences.add(used(moment) - inside(moment) - lowest);
        }
        return new Curve(outer.input(), outer.subject(), outer.axis(), outer.position(0), places, differences);
    }

    /** The least that the outer figure says more; less than 0 where it once says less. */
    long lowest() {
        long lowest = Long.MAX_VALUE;
        for (int moment = 0; moment < size(); moment++) {
            lowest = Math.min(lowest, used(moment) - inside(moment));
        }
        return lowest;
    }
}
