package dev.leakline.conclusion;

import dev.leakline.result.Finding.Advice;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MeasuredSeries.Band;
import java.util.List;

/** Ways in which memory that does not grow goes on, and what to say of each. */
enum Course {
    /** It rose at first. */
    WARM_UP(
            "Nothing: this is warm-up, not a leak; the first steps make caches and the optimizer's states, and meet the largest inputs",
            "It has stayed where it is since."),
    /** It piles up and is freed again. */
    FREED_AGAIN(
            "Nothing, if its highest fits: what piles up is freed again each time, and the lowest does not rise",
            "It is freed at intervals, by a garbage collector, a flush or the end of an epoch; at shorter ones the highest is lower."),
    /** It is where it was. */
    FLAT(
            "Nothing: memory stays where it is, so it is no leak",
            "Nothing piled up while it was measured; what is kept on purpose stays at one level.");

    /** Two moments of a program differ by less. */
    private static final double NOTABLE = 0.05;

    private final String action;
    private final String why;

    Course(String action, String why) {
        this.action = action;
        this.why = why;
    }

    Advice advice() {
        return Advice.of(action, why, 0);
    }

    /** How a figure goes on. */
    static Course of(MeasuredSeries series) {
        List<Band> curve = series.curve();
        long first = series.first().value();
        long later = lowest(curve.subList(curve.size() / 2, curve.size()));
        long highest = curve.stream().mapToLong(Band::high).max().orElse(first);
        if (later - first >= NOTABLE * later) {
            return WARM_UP;
        }
        return highest - lowest(curve) >= NOTABLE * highest ? FREED_AGAIN : FLAT;
    }

    private static long lowest(List<Band> curve) {
        return curve.stream().mapToLong(Band::low).min().orElse(0);
    }
}
