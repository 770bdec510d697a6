package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceEdit;
import dev.leakline.known.edit.SourceEdit.Change;
import dev.leakline.known.edit.SourceExits;
import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceSink;
import dev.leakline.known.python.SourceSink.Kind;
import dev.leakline.known.python.SourceUse;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
                ? Optional.of(SourceClue.of(Cause.GENERATOR_SUSPENDED, file, sink.line(), after))
                : Optional.empty();
    }

    /** The line of a file that keeps the calls of a generator, and does not take all of them out again. */
    static Optional<SourceClue> registered(List<String> file, PythonFunction generator) {
        Pattern called = Pattern.compile("(?<!\\w)(?<!def )" + Pattern.quote(generator.name()) + "\\(");
        return IntStream.rangeClosed(1, generator.name().isEmpty() ? 0 : file.size())
                .boxed()
                .filter(line -> called.matcher(file.get(line - 1)).find())
                .flatMap(line -> registered(PythonFunction.of(file, line), line))
                .findFirst();
    }

    private static Stream<SourceClue> registered(PythonFunction function, int line) {
        return SourceUse.of(function, line, false).stream()
                .filter(sink -> sink.kind() == Kind.ADDED || sink.kind() == Kind.STORED)
                .map(sink -> SourceClue.of(
                        Cause.GENERATOR_SUSPENDED, function.file(), sink.line(), List.of(removed(function, sink))));
    }

    /** What takes a call out of where it is kept when its caller ends. */
    private static SourceEdit removed(PythonFunction function, SourceSink sink) {
        String text = sink.text().strip();
        String removed = sink.kind() == Kind.STORED
                ? sink.box() + ".pop(" + text.substring(text.indexOf('[') + 1, text.indexOf(']')) + ", None)"
                : sink.box() + (text.contains(".add(") ? ".discard(" : ".remove(") + sink.value() + ")";
        boolean isNamed = sink.kind() == Kind.STORED || sink.value().matches("[\\w.]+");
        List<Change> exits = isNamed ? SourceExits.before(function, sink.line(), removed) : List.of();
        Pattern gone = Pattern.compile("(del\\s+" + Pattern.quote(sink.box()) + "\\[|" + Pattern.quote(sink.box())
                + "\\.(pop|remove|discard)\\().*");
        return new SourceEdit(exits.stream()
                .filter(change -> !isAfter(function, change.line(), gone))
                .toList());
    }

    /** Whether the statement above a line takes the call out already. */
    private static boolean isAfter(PythonFunction function, int line, Pattern gone) {
        int above = line - 1;
        while (above > 1 && function.line(above).isBlank()) {
            above--;
        }
        boolean isBeside = function.blocks(above).equals(function.blocks(line));
        return (isBeside && gone.matcher(function.line(above).strip()).matches())
                || gone.matcher(function.line(line).strip()).matches();
    }

    private static boolean calls(List<String> file, String text) {
        return PythonDefinition.all(file).stream()
                .filter(found -> Pattern.compile("\\b" + found.name() + "\\(")
                        .matcher(text)
                        .find())
                .anyMatch(found -> isSuspended(found.body(), found.first()));
    }
}
