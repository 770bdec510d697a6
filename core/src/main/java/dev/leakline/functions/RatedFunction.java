package dev.leakline.functions;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** A function with a figure of its calls. */
public record RatedFunction(String function, double value) {
    /** The highest first; equal ones in the order in which they were. */
    public static final Comparator<RatedFunction> HIGHEST_FIRST = Comparator.comparingDouble(rated -> -rated.value);

    /** The highest; the first of equal ones. */
    static RatedFunction highest(Collection<RatedFunction> rated) {
        return rated.stream().sorted(HIGHEST_FIRST).toList().getFirst();
    }

    public static List<String> names(Collection<RatedFunction> rated) {
        return rated.stream().map(RatedFunction::function).toList();
    }

    public static double[] values(Collection<RatedFunction> rated) {
        return rated.stream().mapToDouble(RatedFunction::value).toArray();
    }
}
