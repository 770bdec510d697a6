package dev.leakline.testkit;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/** How much the tests do: a push is told within minutes what it broke; all seeds, files and jobs are for {@code LEAKLINE_CI=full}. */
public final class Thoroughness {
    /** Seconds after which something hangs, however busy the machine is. */
    public static final int HANGS = 1200;

    private static final boolean IS_FULL = "full".equals(System.getenv("LEAKLINE_CI"));
    private static final int ONE_IN = 5;

    private Thoroughness() {}

    /** How many to do of what is all alike. */
    public static int of(int onPush, int full) {
        return IS_FULL ? full : onPush;
    }

    /** On a push the first case of each five, so that each list has some; their order must not depend on where the tests run. */
    public static <T> List<T> of(List<T> cases) {
        return IntStream.range(0, cases.size())
                .filter(i -> IS_FULL || i % ONE_IN == 0)
                .mapToObj(cases::get)
                .toList();
    }

    /** On a push the first case of each kind. */
    public static <T> List<T> ofEachKind(List<T> cases, Function<T, ?> kind) {
        Set<Object> seen = new HashSet<>();
        return cases.stream()
                .filter(one -> seen.add(kind.apply(one)) || IS_FULL)
                .toList();
    }
}
