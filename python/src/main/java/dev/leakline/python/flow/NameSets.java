package dev.leakline.python.flow;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The sets of names of {@code names.txt}, which explains its form. */
public final class NameSets {
    private static final Map<String, Set<String>> ALL = new HashMap<>();

    static {
        rows("names.txt")
                .forEach(row -> ALL.computeIfAbsent(row.getFirst(), _ -> new LinkedHashSet<>())
                        .addAll(row.subList(1, row.size())));
    }

    private NameSets() {}

    /** Returns whether a set has a name. */
    public static boolean has(String set, String name) {
        return Objects.requireNonNull(ALL.get(set), set).contains(name);
    }

    /** The rows of a file beside this class, each its head and its words. */
    static List<List<String>> rows(String name) {
        try (InputStream file = Objects.requireNonNull(NameSets.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> List.of(line.strip().split("[ :]+")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
