package dev.leakline.known.held;

import dev.leakline.known.python.PythonExpression;
import dev.leakline.result.Holders.Hop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What is added to a collection, as far as an expression shows it: a tensor, or a tuple, list or dict with one.
 *
 * @param hops the references from the collection to the tensor
 */
public record HeldItem(List<Hop> hops) {
    private static final Pattern TUPLE = Pattern.compile("(?<open>[(\\[{])(?<inside>.*?)(?<close>,?[)\\]}])");
    private static final Pattern PLACE = Pattern.compile("\\[(?<place>\\d+|'[^']*')\\]");
    /** A tensor, and a tensor in a tuple; what is deeper is not shown by the line that adds it. */
    private static final int MOST_HOPS = 2;

    /** The expression with a call after the tensor; empty where it does not show the tensor. */
    public Optional<String> with(String value, String call) {
        String whole = value.strip();
        if (hops.isEmpty() || hops.size() > MOST_HOPS || !hops.getLast().isTensor()) {
            return Optional.empty();
        }
        return hops.size() > 1
                ? ofElement(whole, hops.getLast().label(), call)
                : Optional.of(PythonExpression.called(whole, call))
                        .filter(_ -> PythonExpression.elements(whole).size() == 1);
    }

    private static Optional<String> ofElement(String whole, String label, String call) {
        Matcher tuple = TUPLE.matcher(whole);
        Matcher place = PLACE.matcher(label);
        if (!tuple.matches() || !place.matches()) {
            return Optional.empty();
        }
        List<String> elements = new ArrayList<>(PythonExpression.elements(tuple.group("inside")));
        return IntStream.range(0, elements.size())
                .filter(i -> isAt(elements.get(i), i, place.group("place")))
                .boxed()
                .findFirst()
                .map(i -> {
                    elements.set(i, PythonExpression.called(elements.get(i), call));
                    return tuple.group("open") + String.join(", ", elements) + tuple.group("close");
                });
    }

    private static boolean isAt(String element, int index, String place) {
        return place.equals(String.valueOf(index)) || element.replace('"', '\'').startsWith(place + ":");
    }
}
