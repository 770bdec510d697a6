package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceSink;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds functions that stop in their middle, and whoever keeps their calls. */
final class SourceGenerators {
    private static final Pattern SUSPENDED = Pattern.compile(".*\\b(yield|await)\\b.*");

    private SourceGenerators() {}

    /** Whether a function may stop at a line or after it. */
    static boolean isSuspended(PythonFunction function, int line) {
        for (int next = line; next < function.end(); next++) {
            if (SUSPENDED.matcher(function.line(next)).matches()) {
                return true;
            }
        }
        return false;
    }

    /** What is kept, where a line calls a generator or a coroutine of the same file. */
    static Optional<SourceClue> kept(List<String> file, String text, SourceSink sink) {
        String before = sink.text().strip();
        String value = sink.value();
        String after = before + "; ...; " + sink.box() + ".remove(" + value + "); " + value + ".close()";
        return calls(file, text)
                ? Optional.of(SourceClue.of(Cause.GENERATOR_SUSPENDED, sink.line(), before, after))
                : Optional.empty();
    }

    private static boolean calls(List<String> file, String text) {
        return PythonDefinition.all(file).stream()
                .filter(found -> Pattern.compile("\\b" + found.name() + "\\(")
                        .matcher(text)
                        .find())
                .anyMatch(found -> isSuspended(found.body(), found.first()));
    }
}
