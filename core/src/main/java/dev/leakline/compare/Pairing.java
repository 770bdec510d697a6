package dev.leakline.compare;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the same things on two sides, key by key, the surest key first: what one key has paired is out of the next one's reach. Where
 * several have one key they are paired in their order.
 */
final class Pairing<T> {
    /** A thing that is on both sides, or on one. */
    record Pair<T>(@Nullable T before, @Nullable T after) {}

    private List<T> before;
    private List<T> after;
    private final List<Pair<T>> pairs = new ArrayList<>();

    Pairing(List<T> before, List<T> after) {
        this.before = before;
        this.after = after;
    }

    /** Pairs what has the same key. */
    Pairing<T> by(Function<T, Object> key) {
        return by(key, key);
    }

    /** Pairs what has the same key, which is found in another way on each side. */
    Pairing<T> by(Function<T, Object> keyBefore, Function<T, Object> keyAfter) {
        Map<Object, Deque<T>> waiting = new HashMap<>();
        after.forEach(item -> waiting.computeIfAbsent(keyAfter.apply(item), _ -> new ArrayDeque<>())
                .add(item));
        List<T> rest = new ArrayList<>();
        Set<T> paired = Collections.newSetFromMap(new IdentityHashMap<>());
        for (T item : before) {
            Deque<T> same = waiting.get(keyBefore.apply(item));
            if (same == null || same.isEmpty()) {
                rest.add(item);
            } else {
                pairs.add(new Pair<>(item, same.getFirst()));
                paired.add(same.removeFirst());
            }
        }
        before = rest;
        after = after.stream().filter(item -> !paired.contains(item)).toList();
        return this;
    }

    /** Pairs what has a key that nothing else on its side has. */
    Pairing<T> byUnique(Function<T, Object> key) {
        Map<Object, Long> ofBefore = counts(before, key);
        Map<Object, Long> ofAfter = counts(after, key);
        return by(item -> isAlone(key.apply(item), ofBefore, ofAfter) ? key.apply(item) : item);
    }

    private static boolean isAlone(Object key, Map<Object, Long> before, Map<Object, Long> after) {
        return before.getOrDefault(key, 0L) <= 1 && after.getOrDefault(key, 0L) <= 1;
    }

    private static <T> Map<Object, Long> counts(List<T> items, Function<T, Object> key) {
        return items.stream().collect(Collectors.groupingBy(key, Collectors.counting()));
    }

    /** The pairs, then what is before only, then what is after only. */
    List<Pair<T>> pairs() {
        List<Pair<T>> all = new ArrayList<>(pairs);
        before.forEach(item -> all.add(new Pair<>(item, null)));
        after.forEach(item -> all.add(new Pair<>(null, item)));
        return all;
    }
}
