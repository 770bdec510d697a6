package dev.leakline.known.python;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds, in the lines of a file, the hooks that keep a value: one that refers to a value of its maker's, or one that stores what it is given. */
final class SourceHooks {
    private static final Pattern REGISTERED =
            Pattern.compile("\\s*(?:[\\w.]+\\s*=\\s*)?[\\w.\\[\\]()]+\\.register_\\w*hook\\((?<hook>.+)\\)\\s*");
    private static final Pattern ASSIGNED = Pattern.compile("\\s*(?<name>\\w+)\\s*=[^=].*");
    private static final Pattern PARAMETERS = Pattern.compile("\\s*def\\s+(?<name>\\w+)\\((?<list>[^)]*)\\).*");

    private SourceHooks() {}

    /** The number of the line that registers a hook which refers to what a line makes, in the same function; 0 where none does. */
    static int registration(PythonFunction function, int line) {
        Matcher assigned = ASSIGNED.matcher(function.line(line));
        if (!assigned.matches()) {
            return 0;
        }
        Pattern name = Pattern.compile("\\b" + assigned.group("name") + "\\b");
        for (int next = line + 1; next < function.end(); next++) {
            Matcher registered = REGISTERED.matcher(function.line(next));
            if (registered.matches() && refers(function, line, next, registered.group("hook"), name)) {
                return next;
            }
        }
        return 0;
    }

    /** Whether a hook, or the definition of one between two lines, has a name in it. */
    private static boolean refers(PythonFunction function, int from, int to, String hook, Pattern name) {
        boolean refers = name.matcher(hook).find();
        boolean isInside = false;
        for (int line = from + 1; line < to; line++) {
            Matcher definition = PARAMETERS.matcher(function.line(line));
            isInside = definition.matches() ? hook.endsWith(definition.group("name")) : isInside;
            refers |= isInside && name.matcher(function.line(line)).find();
        }
        return refers;
    }

    /** The line at which a hook that a file registers stores one of its parameters. */
    static Optional<SourceUse.Sink> storing(List<String> file) {
        for (String line : file) {
            Matcher registered = REGISTERED.matcher(line);
            Optional<SourceUse.Sink> stored =
                    registered.matches() ? stored(file, registered.group("hook")) : Optional.empty();
            if (stored.isPresent()) {
                return stored;
            }
        }
        return Optional.empty();
    }

    private static Optional<SourceUse.Sink> stored(List<String> file, String hook) {
        for (int line = 1; line < file.size(); line++) {
            Matcher definition = PARAMETERS.matcher(file.get(line - 1));
            if (definition.matches() && hook.endsWith(definition.group("name"))) {
                return stored(PythonFunction.of(file, line + 1), line + 1, definition.group("list"));
            }
        }
        return Optional.empty();
    }

    private static Optional<SourceUse.Sink> stored(PythonFunction hook, int first, String parameters) {
        Pattern given = Pattern.compile("\\b(?!self\\b)("
                + parameters.replaceAll("\\s*(=[^,]*)?,\\s*", "|").replace("*", "") + ")\\b");
        for (int line = first; line < hook.end(); line++) {
            int number = line;
            Optional<SourceUse.Sink> sink = SourceUse.of(hook, line, false)
                    .filter(found -> found.line() == number
                            && given.matcher(found.value()).find());
            if (sink.isPresent()) {
                return sink;
            }
        }
        return Optional.empty();
    }
}
