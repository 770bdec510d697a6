package dev.leakline.compare;

import dev.leakline.result.Site;
import dev.leakline.result.SiteUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Matches the lines of code of two results. Between two runs a project may lie in another folder, and code above a line may have been
 * added. So a file whose path is on one side only is the one of the other side that shares the longest end of it; and the lines of a
 * function have moved together by so many lines as pairs the most of them, provided that the lines of each pair hold the same, within the
 * error of sizes. Where that is not so, a line is the same where its number is.
 */
final class SamePlaces {
    /** Parts of a path that are compared; deeper folders do not make a file more certain. */
    private static final int MOST_PARTS = 8;
    /** Lines of one function that hold memory, above which nobody wrote it, and no distance is looked for. */
    private static final int MOST_LINES = 200;
    /** Lines that must have moved together where as many have not: two could not by chance. */
    private static final int FEWEST_LINES = 2;

    /** A function of a file by its path after; what is no line of code is a function, too. */
    private record Function(Site.Kind kind, String file, String name) implements Comparable<Function> {
        @Override
        public int compareTo(Function other) {
            int order = file.compareTo(other.file);
            order = order == 0 ? name.compareTo(other.name) : order;
            return order == 0 ? kind.compareTo(other.kind) : order;
        }
    }

    private final Map<String, String> files = new HashMap<>();
    private final Map<Function, Integer> distances = new HashMap<>();

    SamePlaces(List<SiteUse> before, List<SiteUse> after) {
        new Pairing<>(files(before), files(after))
                .by(file -> file)
                .byUnique(file -> end(file, MOST_PARTS))
                .byUnique(file -> end(file, MOST_PARTS / 2))
                .byUnique(file -> end(file, 2))
                .byUnique(file -> end(file, 1))
                .pairs()
                .forEach(pair -> remember(pair.before(), pair.after()));
        Map<Function, List<SiteUse>> were = new HashMap<>();
        before.forEach(use -> were.computeIfAbsent(functionBefore(use), _ -> new ArrayList<>())
                .add(use));
        Map<Function, List<SiteUse>> are = new HashMap<>();
        after.forEach(use ->
                are.computeIfAbsent(function(use), _ -> new ArrayList<>()).add(use));
        were.forEach((function, uses) ->
                distances.put(function, distance(uses, are.getOrDefault(function, List.of()))));
    }

    /** Where a line of before is to be looked for, moved with its function, or at its own number. */
    Object placeOfBefore(SiteUse use, boolean isMoved) {
        Function function = functionBefore(use);
        int distance = isMoved ? distances.getOrDefault(function, 0) : 0;
        return List.of(function, line(use) + distance);
    }

    /** Where a line of after is. */
    Object placeOfAfter(SiteUse use) {
        return List.of(function(use), line(use));
    }

    private void remember(@Nullable String before, @Nullable String after) {
        if (before != null && after != null) {
            files.put(before, after);
        }
    }

    private static List<String> files(List<SiteUse> uses) {
        return uses.stream().map(use -> use.site().frame().file()).distinct().toList();
    }

    private static Object end(String file, int parts) {
        List<String> all = Arrays.asList(file.split("[/\\\\]", -1));
        return all.subList(Math.max(all.size() - parts, 0), all.size());
    }

    private Function functionBefore(SiteUse use) {
        Function function = function(use);
        return new Function(function.kind, files.getOrDefault(function.file, function.file), function.name);
    }

    private static Function function(SiteUse use) {
        Site site = use.site();
        return new Function(site.kind(), site.frame().file(), site.frame().function());
    }

    private static int line(SiteUse use) {
        return use.site().frame().line();
    }

    private static int distance(List<SiteUse> before, List<SiteUse> after) {
        if (before.size() > MOST_LINES || after.size() > MOST_LINES) {
            return 0;
        }
        Move best = Move.of(0, before, after);
        for (int distance : distances(before, after)) {
            Move move = Move.of(distance, before, after);
            best = move.isSure(best) ? move : best;
        }
        return best.distance;
    }

    /** The distances at which any two lines are one, the shortest first. */
    private static Set<Integer> distances(List<SiteUse> before, List<SiteUse> after) {
        Set<Integer> distances =
                new TreeSet<>(Comparator.<Integer>comparingInt(Math::abs).thenComparing(Comparator.naturalOrder()));
        before.forEach(was -> after.forEach(is -> distances.add(line(is) - line(was))));
        return distances;
    }

    /**
     * Lines moved by a distance.
     *
     * @param pairs lines that are then on both sides
     * @param bytes what the larger of each pair holds
     * @param difference by how much the two of each pair differ
     */
    private record Move(int distance, int pairs, double bytes, double difference) {
        static Move of(int distance, List<SiteUse> before, List<SiteUse> after) {
            Map<Integer, Long> held = new HashMap<>();
            after.forEach(use -> held.put(line(use), use.bytes()));
            int pairs = 0;
            double bytes = 0;
            double difference = 0;
            for (SiteUse use : before) {
                Long is = held.get(line(use) + distance);
                if (is != null) {
                    pairs++;
                    bytes += (double) Math.max(is, use.bytes());
                    difference += Math.abs((double) (is - use.bytes()));
                }
            }
            return new Move(distance, pairs, bytes, difference);
        }

        boolean isSure(Move other) {
            boolean isMore = pairs > other.pairs;
            boolean isNearer = pairs >= FEWEST_LINES && pairs == other.pairs && difference < other.difference;
            return (isMore || isNearer) && difference <= FindingChanges.SIZE_ERROR * bytes;
        }
    }
}
