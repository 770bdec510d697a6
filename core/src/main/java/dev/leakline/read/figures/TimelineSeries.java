package dev.leakline.read.figures;

import com.carrotsearch.hppc.DoubleArrayList;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.read.figures.Whereabouts.Place;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The memory of a profiled program, category by category, as torch.profiler's memory timeline has it: a series for each that ever holds memory,
 * and one, without a name, for all together.
 */
public final class TimelineSeries {
    /** In the order of {@code _CATEGORY_TO_INDEX} in torch/profiler/_memory_profiler.py of torch 2.0 to 2.14. */
    private static final List<String> CATEGORIES = List.of(
            "parameter",
            "optimizer_state",
            "input",
            "temporary",
            "activation",
            "gradient",
            "autograd_detail",
            "unknown");

    /** Kineto of torch 2.2 and later writes Unix times; microseconds from here on are some of after 2001. */
    private static final double LEAST_UNIX = 1e15;

    private final SeriesBook book;
    private final double[] levels = new double[CATEGORIES.size()];
    /** Categories that have held memory, from 1 on; 0 is all together. */
    private final BitSet held = new BitSet();

    /** A timeline that goes into a book. */
    public TimelineSeries(SeriesBook book) {
        this.book = book;
    }

    /** All sizes at a moment in microseconds, behind a zero that plots stack them on. */
    public void level(double micros, DoubleArrayList sizes) {
        Place place = place(micros);
        double total = 0;
        for (int i = 1; i < sizes.size(); i++) {
            total += sizes.get(i);
            add(place, i - 1, sizes.get(i));
        }
        add(place, -1, total);
    }

    /** A change: a moment in nanoseconds, -1 for what there was before, an action, bytes more, a category. */
    public void change(DoubleArrayList change) {
        int category = (int) change.get(3);
        if (category < 0 || category >= levels.length) {
            return;
        }
        levels[category] += change.get(2);
        if (change.get(0) >= 0) {
            Place place = place(change.get(0) / 1e3);
            add(place, category, levels[category]);
            add(place, -1, Arrays.stream(levels).sum());
        }
    }

    private static Place place(double micros) {
        return new Place(micros < LEAST_UNIX ? Axis.ELAPSED : Axis.TIME, micros);
    }

    private void add(Place place, int category, double bytes) {
        if (bytes > 0) {
            held.set(category + 1);
        }
        if (!held.get(category + 1)) {
            return;
        }
        String label =
                category < 0 ? "" : category < CATEGORIES.size() ? CATEGORIES.get(category) : "category " + category;
        book.add(new Subject(Source.TIMELINE, Quantity.ALLOCATED, place.axis(), -1, -1, label), place, bytes, 1);
    }
}
