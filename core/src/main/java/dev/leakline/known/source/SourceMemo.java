package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceEdit;
import dev.leakline.known.edit.SourceEdit.Change;
import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceStep;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds functions whose results are cached, and methods whose cache keeps the objects that they belong to. */
final class SourceMemo {
    private static final Pattern MEMO =
            Pattern.compile("\\s*@(functools\\.)?(cache|lru_cache)(\\((?<size>.*)\\))?\\s*");
    private static final Pattern UNLIMITED =
            Pattern.compile("\\s*@(functools\\.)?(cache|lru_cache\\(\\s*(maxsize\\s*=\\s*)?None\\b.*\\))\\s*");

    /** A cache that is put around a function by a call. */
    private static final Pattern WRAPPED = Pattern.compile(
            ".*?(?<![\\w.])(?<cache>(?<module>functools\\.)?(lru_cache\\(\\s*(maxsize\\s*=\\s*)?None\\b[^()]*\\)|cache)\\()(?<given>.*)\\).*");

    private SourceMemo() {}

    /** The cache without a limit under which a function stands, or which a call puts around it. */
    static Optional<SourceClue> ofResults(PythonFunction function) {
        return function.decorators().stream()
                .filter(above -> UNLIMITED.matcher(function.line(above)).matches())
                .findFirst()
                .map(above -> SourceClue.of(
                        Cause.MEMO_GROWS,
                        function.file(),
                        above,
                        List.of(limited(
                                function.file(),
                                above,
                                "@",
                                function.line(above).strip()))))
                .or(() -> wrapped(function));
    }

    private static Optional<SourceClue> wrapped(PythonFunction function) {
        List<String> file = function.file();
        return IntStream.rangeClosed(1, function.name().isEmpty() ? 0 : file.size())
                .boxed()
                .flatMap(line -> {
                    Matcher call = WRAPPED.matcher(file.get(line - 1));
                    boolean isIts = call.matches()
                            && call.group("given")
                                    .strip()
                                    .replaceFirst(".*\\.", "")
                                    .equals(function.name());
                    return isIts ? Stream.of(wrapped(file, line, call)) : Stream.empty();
                })
                .findFirst();
    }

    private static SourceClue wrapped(List<String> file, int line, Matcher call) {
        String text = call.group();
        String before = text.substring(0, call.start("cache")).strip();
        String rest = text.substring(call.end("cache") - 1);
        SourceEdit limited = limited(file, line, before + (before.isEmpty() ? "" : " "), call.group("cache"));
        return SourceClue.of(
                Cause.MEMO_GROWS,
                file,
                line,
                List.of(new SourceEdit(limited.changes().stream()
                        .map(change -> change.line() == line ? new Change(file, line, change.after() + rest) : change)
                        .toList())));
    }

    /** A cache with a limit, called as it is called there. */
    private static SourceEdit limited(List<String> file, int line, String before, String text) {
        boolean isBare = !text.contains("functools.") && text.contains("lru_cache");
        SourceEdit edit = SourceEdit.of(file, line, before + (isBare ? "" : "functools.") + "lru_cache(maxsize=64)");
        return isBare ? edit : edit.importing(file, "functools");
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
                .map(above -> ofCache(body, above));
    }

    private static SourceClue ofCache(PythonFunction function, int line) {
        return SourceClue.of(Cause.MEMO_OBJECTS, function.file(), line, "# no cache: its keys would hold self")
                .asGuess(!UNLIMITED.matcher(function.line(line)).matches());
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
