package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.PythonExpression;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceSink.Kind;
import dev.leakline.known.python.SourceUse;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds handlers that keep the exceptions that they handle. */
final class SourceHandlers {
    private static final Pattern EXCEPT = Pattern.compile("\\s*except\\b.*?(?:\\bas\\s+(?<name>\\w+))?\\s*:\\s*");

    private SourceHandlers() {}

    /** The handler of what a line raises, where it keeps the exception or something else. */
    static Optional<SourceClue> keeping(Cause known, PythonFunction function, int line) {
        boolean isTried = known.equals(Cause.EXCEPTION)
                || function.blocks(line).stream()
                        .anyMatch(block -> function.line(block).strip().equals("try:"));
        String name = "";
        for (int next = line; isTried && next < function.end(); next++) {
            Matcher handler = EXCEPT.matcher(function.line(next));
            name = handler.matches() && handler.group("name") != null ? handler.group("name") : name;
            Optional<SourceClue> kept = name.isEmpty() ? Optional.empty() : kept(function, next, name);
            if (kept.isPresent()) {
                return kept;
            }
        }
        return Optional.empty();
    }

    private static Optional<SourceClue> kept(PythonFunction function, int line, String exception) {
        return ofException(function, line, exception).or(() -> ofHandled(function, line));
    }

    /** Where a line keeps an exception, whole: as an element, or as one of what a condition chooses from. */
    private static Optional<SourceClue> ofException(PythonFunction function, int line, String name) {
        Pattern whole = Pattern.compile("(?<![\\w.(])" + Pattern.quote(name) + "(?![\\w.\\[(])");
        return SourceUse.written(function, line)
                .filter(sink -> sink.kind() == Kind.ADDED || sink.kind() == Kind.STORED)
                .filter(sink -> whole.matcher(sink.value()).find()
                        || PythonExpression.values(sink.value()).contains(name))
                .map(sink -> SourceClue.edit(
                        Cause.EXCEPTION, sink, whole.matcher(sink.value()).replaceAll("repr(" + name + ")")));
    }

    /** Where a handler keeps something else. */
    private static Optional<SourceClue> ofHandled(PythonFunction function, int line) {
        return SourceUse.of(function, line, false)
                .filter(sink -> sink.line() == line && sink.kind() == Kind.ADDED)
                .map(sink -> SourceClue.each(Cause.CONTAINER, sink, ".cpu()"));
    }
}
