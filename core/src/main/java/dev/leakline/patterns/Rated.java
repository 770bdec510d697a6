package dev.leakline.patterns;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** A function with a figure of its calls. */
record Rated(String function, double value) {
    /** The highest first; equal ones in the order in which they were. */
    static final Comparator<Rated> HIGHEST_FIRST = Comparator.comparingDouble(rated -> -rated.value);

    /** The highest; the first of equal ones. */
    static Rated highest(Collection<Rated> rated) {
        return rated.stream().sorted(HIGHEST_FIRST).toList().getFirst();
    }

    static List<String> names(Collection<Rated> rated) {
        return rated.stream().map(Rated::function).toList();
    }

    static double[] values(Collection<Rated> rated) {
        return rated.stream().mapToDouble(Rated::value).toArray();
    }
}
