package dev.leakline.series;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.result.MeasuredSeries.Change;
import dev.leakline.statistics.TheilSen;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds the jumps of a figure's floor to another level: the difference between the lines before and after each of its changes. */
final class CurveJumps {
    /** Windows on either side that make a line, if there are so many until the next change. */
    private static final int BESIDE = 8;
    /** Less than a fiftieth of the highest value is hardly seen in a chart. */
    private static final double SEEN = 0.02;
    /** Where there are more, the figure does not jump but move. */
    private static final int MOST = 6;

    private final Curve figure;
    private final CurveFloor floor;
    private final IntArrayList cuts;

    /** Finds the jumps of a figure whose floor changes its level or its slope at {@code cuts}. */
    CurveJumps(Curve figure, CurveFloor floor, IntArrayList cuts) {
        this.figure = figure;
        this.floor = floor;
        this.cuts = cuts;
    }

    /** The jumps, in order; none where there are too many to speak of. */
    List<Change> list() {
        List<Change> jumps = new ArrayList<>();
        for (int i = 0; i < cuts.size(); i++) {
            long bytes = by(i);
            if (Math.abs(bytes) > SEEN * figure.value(figure.peak())) {
                jumps.add(new Change(figure.position(floor.place(cuts.get(i))), bytes));
            }
        }
        return jumps.size() > MOST ? List.of() : jumps;
    }

    private long by(int index) {
        int cut = cuts.get(index);
        int before = index == 0 ? 0 : cuts.get(index - 1);
        int after = index == cuts.size() - 1 ? floor.size() : cuts.get(index + 1);
        double place = (floor.place(cut - 1) + floor.place(cut)) / 2;
        return Math.round(lineAt(place, floor.part(cut, Math.min(cut + BESIDE, after)))
                - lineAt(place, floor.part(Math.max(cut - BESIDE, before), cut)));
    }

    private static double lineAt(double place, CurveFloor part) {
        double slope = TheilSen.median(part.places(), part.values());
        double[] rest = new double[part.size()];
        Arrays.setAll(rest, window -> part.value(window) - slope * (part.place(window) - place));
        Arrays.sort(rest);
        return (rest[(rest.length - 1) / 2] + rest[rest.length / 2]) / 2;
    }
}
