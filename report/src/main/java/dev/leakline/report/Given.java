package dev.leakline.report;

import dev.leakline.text.Printable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The files that an answer is about, as commands name them, and the job that wrote them.
 *
 * @param files names as they were typed
 * @param job the command of the job with its arguments; empty where it is not known to be of this user and this machine
 */
public record Given(List<String> files, List<String> job) {
    /** Characters of names, or of a command, that are worth repeating. */
    private static final int NAMED = 240;

    private static final String META = "'\"\\$`*?&;|<>()!#~[]{}";

    /** Files of a job that nobody knows. */
    public static Given of(String... files) {
        return new Given(Arrays.asList(files), List.of());
    }

    /** The files as a shell takes them; FILES where they would fill the line. */
    public String names() {
        String names = words(files);
        return names.isEmpty() || names.length() > NAMED ? "FILES" : names;
    }

    /** The command that shows all of what was reported of these files. */
    public String more() {
        return "leakline report --full " + names();
    }

    /** The job's command as a shell takes it; where it is not known, that of a script of a name. */
    String job(String script) {
        String words = words(job);
        return words.isEmpty() || words.length() > NAMED
                ? "python " + (script.isEmpty() ? "SCRIPT.py" : word(script))
                : words;
    }

    /** The inputs before a change, for the command that verifies it. */
    String before() {
        return files.size() == 1 ? names() : "BEFORE";
    }

    private static String words(List<String> words) {
        return words.stream().map(Printable::of).map(Given::word).collect(Collectors.joining(" "));
    }

    /** A word as a shell takes it. */
    public static String word(String name) {
        boolean isPlain = !name.isEmpty() && name.chars().allMatch(letter -> letter > ' ' && META.indexOf(letter) < 0);
        return isPlain ? name : "'" + name.replace("'", "'\\''") + "'";
    }
}
