package dev.leakline.compare;

import dev.leakline.result.SiteUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Matches the lines of code of two results. Between two runs a project may lie in another folder, and code may have been added. So a file whose path is on one side only is the
 * one of the other side that shares the longest end of it; and the lines of a function are matched in their order ({@link AlignedLines}). Where that pairs none, a line is the same
 * where its number is.
 */
final class SamePlaces {
    /** Parts of a path that are compared; deeper folders do not make a file more certain. */
    private static final int MOST_PARTS = 8;

    /** A function of a file by its path after. */
    private record Function(String file, String name) {}

    private final Map<String, String> files = new HashMap<>();
    private final IdentityHashMap<SiteUse, SiteUse> partners = new IdentityHashMap<>();

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
        were.forEach((function, uses) -> AlignedLines.match(uses, are.getOrDefault(function, List.of()), partners));
    }

    /** Where the line of after is that one of before is matched with; nowhere else where there is none. */
    Object placeOfPartner(SiteUse use) {
        SiteUse partner = partners.get(use);
        return partner == null ? use : placeOfAfter(partner);
    }

    /** Where a line of before is looked for by its number. */
    Object placeOfBefore(SiteUse use) {
        return List.of(use.site().kind(), functionBefore(use), AlignedLines.line(use));
    }

    /** Where a line of after is. */
    Object placeOfAfter(SiteUse use) {
        return List.of(use.site().kind(), function(use), AlignedLines.line(use));
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
        return new Function(files.getOrDefault(function.file, function.file), function.name);
    }

    private static Function function(SiteUse use) {
        return new Function(use.site().frame().file(), use.site().frame().function());
    }
}
