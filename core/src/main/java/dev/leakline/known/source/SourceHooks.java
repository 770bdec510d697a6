package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.HookRegistration;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceSink;
import dev.leakline.known.python.SourceUse;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Finds, in the lines of a file, the hooks that keep a value: one that refers to a value of its maker's, or one that stores what it is given. */
final class SourceHooks {
    private static final Pattern ASSIGNED = Pattern.compile("\\s*(?<name>\\w+)\\s*=[^=].*");
    private static final Pattern PARAMETERS = Pattern.compile("\\s*def\\s+(?<name>\\w+)\\((?<list>[^)]*)\\).*");

    private SourceHooks() {}

    /** The line that registers a hook which refers to what a line makes, in the same function. */
    static Optional<SourceClue> referring(PythonFunction function, int line) {
        Matcher assigned = ASSIGNED.matcher(function.line(line));
        if (!assigned.matches()) {
            return Optional.empty();
        }
        Pattern name = Pattern.compile("\\b" + assigned.group("name") + "\\b");
        return IntStream.range(line + 1, function.end())
                .boxed()
                .flatMap(next -> HookRegistration.of(function.line(next)).stream()
                        .filter(registered -> refers(function, line, next, registered.hook(), name))
                        .map(registered ->
                                SourceClue.of(Cause.HOOKS_KEEP, function.file(), next, registered.removed())))
                .findFirst();
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
    static Optional<SourceSink> storing(List<String> file) {
        return file.stream()
                .flatMap(line -> HookRegistration.of(line).stream())
                .flatMap(registered -> stored(file, registered.hook()).stream())
                .findFirst();
    }

    private static Optional<SourceSink> stored(List<String> file, String hook) {
        for (int line = 1; line < file.size(); line++) {
            Matcher definition = PARAMETERS.matcher(file.get(line - 1));
            if (definition.matches() && hook.endsWith(definition.group("name"))) {
                return stored(PythonFunction.of(file, line + 1), line + 1, definition.group("list"));
            }
        }
        return Optional.empty();
    }

    private static Optional<SourceSink> stored(PythonFunction hook, int first, String parameters) {
        Pattern given = Pattern.compile("\\b(?!self\\b)("
                + parameters.replaceAll("\\s*(=[^,]*)?,\\s*", "|").replace("*", "") + ")\\b");
        for (int line = first; line < hook.end(); line++) {
            int number = line;
            Optional<SourceSink> sink = SourceUse.of(hook, line, false)
                    .filter(found -> found.line() == number
                            && given.matcher(found.value()).find());
            if (sink.isPresent()) {
                return sink;
            }
        }
        return Optional.empty();
    }
}
