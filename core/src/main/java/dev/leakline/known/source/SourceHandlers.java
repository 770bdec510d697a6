package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.PythonExpression;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceSink.Kind;
import dev.leakline.known.python.SourceUse;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds handlers that keep the exceptions that they handle. */
final class SourceHandlers {
    private static final Pattern EXCEPT = Pattern.compile("\\s*except\\b.*?(?:\\bas\\s+(?<name>\\w+))?\\s*:\\s*");

    /** What frameworks call with the exceptions of requests. */
    private static final Pattern DECORATOR =
            Pattern.compile("\\s*@.*\\b(exception_handler|errorhandler|error_handler)\\b.*");

    private static final Pattern REGISTERED = Pattern.compile(
            ".*\\b(add_exception_handler|register_error_handler|set_exception_handler)\\((?<list>.*)\\).*");

    private SourceHandlers() {}

    /** A line of a file that keeps an exception: in a function which a framework calls with those of requests, or behind an {@code except}. */
    static Optional<SourceClue> ofFile(List<String> file) {
        Stream<SourceClue> registered = PythonDefinition.all(file).stream()
                .filter(found -> isRegistered(file, found))
                .flatMap(handler -> handler.parameters().stream().flatMap(name -> kept(handler, name)));
        Stream<SourceClue> caught = IntStream.rangeClosed(1, file.size())
                .boxed()
                .flatMap(line -> caught(PythonFunction.of(file, line), line))
                .map(clue -> clue.asGuess(true));
        return Stream.concat(registered, caught).findFirst();
    }

    private static boolean isRegistered(List<String> file, PythonDefinition found) {
        boolean isDecorated = found.body().decorators().stream()
                .anyMatch(line -> DECORATOR.matcher(found.body().line(line)).matches());
        return isDecorated
                || file.stream()
                        .map(REGISTERED::matcher)
                        .anyMatch(call -> call.matches()
                                && PythonExpression.elements(call.group("list")).stream()
                                        .anyMatch(given ->
                                                given.replaceFirst(".*\\.", "").equals(found.name())));
    }

    private static Stream<SourceClue> kept(PythonDefinition handler, String name) {
        return handler.lines().stream().flatMap(line -> ofException(handler.body(), line, name).stream());
    }

    private static Stream<SourceClue> caught(PythonFunction function, int line) {
        return function.blocks(line).stream()
                .map(block -> EXCEPT.matcher(function.line(block)))
                .filter(except -> except.matches() && except.group("name") != null)
                .flatMap(except -> ofException(function, line, except.group("name")).stream());
    }

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
                .filter(sink -> whole.matcher(PythonExpression.withoutTexts(sink.value()))
                                .find()
                        || PythonExpression.values(sink.value()).contains(name))
                .map(sink -> SourceClue.edit(Cause.EXCEPTION, sink, asText(sink.value(), whole)))
                .or(() -> ofFuture(function, line, name));
    }

    /** A value with the text of an exception in its place. */
    private static String asText(String value, Pattern exception) {
        StringBuilder text = new StringBuilder(value);
        exception
                .matcher(PythonExpression.withoutTexts(value))
                .results()
                .toList()
                .reversed()
                .forEach(found -> text.replace(found.start(), found.end(), "repr(" + found.group() + ")"));
        return text.toString();
    }

    /** Where a line gives an exception to a future, which keeps it as long as somebody keeps the future. */
    private static Optional<SourceClue> ofFuture(PythonFunction function, int line, String name) {
        String given = ".set_exception(" + name + ")";
        String text = function.line(line).strip();
        return text.endsWith(given)
                ? Optional.of(SourceClue.of(
                        Cause.EXCEPTION,
                        function.file(),
                        line,
                        text.substring(0, text.length() - 1) + ".with_traceback(None))"))
                : Optional.empty();
    }

    /** Where a handler keeps something else. */
    private static Optional<SourceClue> ofHandled(PythonFunction function, int line) {
        return SourceUse.of(function, line, false)
                .filter(sink -> sink.line() == line && sink.kind() == Kind.ADDED)
                .map(sink -> SourceClue.each(Cause.CONTAINER, sink, ".cpu()"));
    }
}
