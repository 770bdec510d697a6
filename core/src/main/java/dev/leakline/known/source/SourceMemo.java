package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceStep;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds functions whose results are cached, and methods whose cache keeps the objects that they belong to. */
final class SourceMemo {
    private static final Pattern MEMO =
            Pattern.compile("\\s*@(functools\\.)?(cache|lru_cache)(\\((?<size>.*)\\))?\\s*");
    private static final Pattern UNLIMITED =
            Pattern.compile("\\s*@(functools\\.)?(cache|lru_cache\\(\\s*(maxsize\\s*=\\s*)?None\\b.*\\))\\s*");

    private SourceMemo() {}

    /** The cache without a limit under which a function stands. */
    static Optional<SourceClue> ofResults(PythonFunction function) {
        return function.decorators().stream()
                .filter(above -> UNLIMITED.matcher(function.line(above)).matches())
                .findFirst()
                .map(above -> SourceClue.of(
                        Cause.MEMO_GROWS, above, function.line(above).strip(), "@functools.lru_cache(maxsize=64)"));
    }

    /** The cache of a method whose objects a step makes. */
    static Optional<SourceClue> ofObjects(SourceStep step) {
        return step.definitions().stream()
                .filter(PythonDefinition::isMethod)
                .flatMap(method -> ofMethod(step, method))
                .findFirst();
    }

    private static Stream<SourceClue> ofMethod(SourceStep step, PythonDefinition method) {
        PythonFunction body = method.body();
        return body.decorators().stream()
                .filter(above -> MEMO.matcher(body.line(above)).matches())
                .filter(_ -> isMade(step, method.type()) && isFilled(step.file(), method.name()))
                .map(above -> ofCache(above, body.line(above).strip()));
    }

    private static SourceClue ofCache(int line, String text) {
        return SourceClue.of(Cause.MEMO_OBJECTS, line, text, "# no cache: its keys would hold self")
                .asGuess(!UNLIMITED.matcher(text).matches());
    }

    /** Whether a step is a constructor of a class, or calls it. */
    private static boolean isMade(SourceStep step, String type) {
        boolean isConstructor = PythonDefinition.around(step.definitions(), step.line())
                .filter(around -> around.isConstructorOf(type))
                .isPresent();
        Pattern call = Pattern.compile("(?<![\\w.])" + type + "\\(");
        return isConstructor
                || (step.isLooped()
                        && step.lines().stream()
                                .anyMatch(line ->
                                        call.matcher(step.function().line(line)).find()));
    }

    /** Whether a file calls a cached method and never empties the cache. */
    private static boolean isFilled(List<String> file, String name) {
        Matcher call = Pattern.compile("\\." + name + "\\(").matcher("");
        return file.stream().anyMatch(line -> call.reset(line).find())
                && file.stream().noneMatch(line -> line.contains(name + ".cache_clear("));
    }
}
