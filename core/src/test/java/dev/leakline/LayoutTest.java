package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the packages in one line: each sees only those that stand left of it. */
final class LayoutTest {

    private static final String API = "(public API)";

    /** From left to right; packages between two {@code <} do not see one another. */
    private static final String LINE =
            "primitive < statistics, columns, result < read, lifetime, holders, nvml < allocator"
                    + " < known < detect, patterns, compare < report < profile < (public API) < store < live < server < cli";

    private static final Map<String, Integer> RANK = ranks();

    private static final Map<String, Set<String>> ONLY = Map.of("report", Set.of("result", "primitive"));

    private static final Map<String, Set<String>> NEVER = Map.of("detect", Set.of("read"));

    private static final Pattern PACKAGE = Pattern.compile("(?m)^package dev\\.leakline(?:\\.([a-z]\\w*))?[\\w.]*;");

    /** A type of ours, in an import or in the code: the group is its package, or is absent for the public API. */
    private static final Pattern REFERENCE =
            Pattern.compile("\\bdev\\.leakline\\.(?:([a-z]\\w*)\\.(?:[a-z]\\w*\\.)*)?[A-Z*]\\w*");

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)^\\s*//.*$");

    @Test
    void everyPackageSeesOnlyWhatStandsLeftOfIt() throws IOException {
        List<String> breaches = new ArrayList<>();
        for (String module : List.of("core", "app")) for (Path source : sources(module)) check(source, breaches);
        assertThat(breaches)
                .as("breaches of the line %s; more strictly %s only, %s never", LINE, ONLY, NEVER)
                .isEmpty();
    }

    private static void check(Path source, List<String> breaches) throws IOException {
        Path file = Repository.root().relativize(source);
        String code = COMMENT.matcher(Files.readString(source)).replaceAll("");
        String from = PACKAGE.matcher(code)
                .results()
                .map(m -> name(m.group(1)))
                .findFirst()
                .orElse("(no package)");
        if (!RANK.containsKey(from)) breaches.add("%s: package %s has no place in the line".formatted(file, from));
        REFERENCE.matcher(code).results().forEach(type -> {
            String to = name(type.group(1));
            if (!allowed(from, to))
                breaches.add("%s names %s, but %s must not see %s".formatted(file, type.group(), from, to));
        });
    }

    private static boolean allowed(String from, String to) {
        if (from.equals(to)) return true;
        if (ONLY.containsKey(from)) return ONLY.get(from).contains(to);
        if (NEVER.getOrDefault(from, Set.of()).contains(to)) return false;
        return RANK.getOrDefault(to, Integer.MAX_VALUE) < RANK.getOrDefault(from, 0);
    }

    private static String name(String packageName) {
        return packageName == null ? API : packageName;
    }

    private static Map<String, Integer> ranks() {
        Map<String, Integer> ranks = new HashMap<>();
        String[] places = LINE.split(" < ", -1);
        for (int rank = 0; rank < places.length; rank++)
            for (String name : places[rank].split(", ", -1)) ranks.put(name, rank);
        return ranks;
    }

    private static List<Path> sources(String module) throws IOException {
        try (Stream<Path> files = Files.walk(Repository.root().resolve(module + "/src/main/java"))) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            assertThat(sources).as("Java sources of %s", module).isNotEmpty();
            return sources;
        }
    }
}
