package dev.leakline.known;

import dev.leakline.result.Finding.Advice;
import dev.leakline.result.HostMemory.Kind;
import dev.leakline.text.DataRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A leak of a library that is known: a row of {@code known-leaks.txt}, which explains its form.
 *
 * @param id its name
 * @param library the package that has it
 * @param bound the versions that have it, such as {@code < 2.14}; empty where the thread is to be asked
 * @param grows the parts that grow by it, in small letters
 * @param by what is named where it grows
 * @param says what a line of a text has
 * @param text what goes on
 * @param fixed what to do
 * @param link the thread
 */
public record KnownLeak(
        String id,
        String library,
        String bound,
        Set<String> grows,
        Pattern by,
        Pattern says,
        String text,
        String fixed,
        String link) {
    /** Nothing. */
    private static final String NEVER = "(?!)";

    /** Digits of a part of a version from which on it is none. */
    private static final int DIGITS = 9;

    /** A name of a package; nothing else is asked of a Python. */
    private static final Pattern PACKAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private static final Pattern RELEASE = Pattern.compile("[^0-9.].*");
    private static final List<KnownLeak> ALL =
            new ArrayList<>(of(DataRow.read(KnownLeak.class, "known-leaks.txt", Set.of("see"))));

    /** All of them. */
    public static List<KnownLeak> all() {
        return Collections.unmodifiableList(ALL);
    }

    /**
     * Adds the rows of another file, before anything is judged: more leaks are known than when this was released. Throws
     * {@link IllegalArgumentException} where a row is none.
     */
    public static void add(String file) {
        ALL.addAll(0, of(DataRow.of(file, Set.of("see"))));
    }

    private static List<KnownLeak> of(List<DataRow> rows) {
        return rows.stream().map(KnownLeak::of).toList();
    }

    private static KnownLeak of(DataRow row) {
        String[] library = row.says("library").split(" ", 2);
        if (!PACKAGE.matcher(library[0]).matches()) {
            throw new IllegalArgumentException(
                    "known leaks: library of " + row.head() + ": expected the name of a package");
        }
        return new KnownLeak(
                row.head(),
                library[0],
                library.length > 1 ? library[1] : "",
                Set.of(row.says("grows").split(" ", -1)),
                pattern(row.says("by")),
                pattern(row.says("says")),
                row.says("text"),
                row.says("fixed"),
                row.says("see"));
    }

    private static Pattern pattern(String form) {
        return Pattern.compile(form.isEmpty() ? NEVER : form);
    }

    /** Returns whether a version of the library has it. */
    public boolean isIn(String version) {
        String[] words = bound.split(" ", -1);
        if (words.length < 2) {
            return true;
        }
        int order = order(numbers(version), numbers(words[1]));
        return words[0].equals("<") ? order < 0 : order == 0;
    }

    private static int order(int[] one, int[] other) {
        for (int i = 0; i < Math.min(one.length, other.length); i++) {
            if (one[i] != other[i]) {
                return Integer.compare(one[i], other[i]);
            }
        }
        return Integer.compare(one.length, other.length);
    }

    /** The numbers of a release: what stands behind it, such as {@code +cu130}, orders nothing. */
    private static int[] numbers(String version) {
        return Arrays.stream(RELEASE.matcher(version).replaceFirst("").split("\\.", -1))
                .filter(part -> !part.isEmpty() && part.length() < DIGITS)
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    /** Returns whether libraries of these versions have it, and a part grows where its words are named. */
    public boolean fits(Map<String, String> versions, Kind kind, String named) {
        return versions.containsKey(library)
                && isIn(versions.getOrDefault(library, ""))
                && grows.contains(kind.name().toLowerCase(Locale.ROOT))
                && by.matcher(named).find();
    }

    /** It in a sentence, as known for whoever has the library. */
    public String words() {
        return library + (bound.isEmpty() ? "" : " " + bound) + ": " + text;
    }

    /** It as advice. */
    public Advice advice() {
        return Advice.of(fixed, "A known leak of " + words() + ".", 0, "", "", link);
    }
}
