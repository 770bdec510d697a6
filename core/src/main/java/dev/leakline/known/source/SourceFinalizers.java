package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.PythonExpression;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceUse;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds finalizers that hold the objects whose end they wait for. */
final class SourceFinalizers {
    private static final Pattern FINALIZER =
            Pattern.compile("(?<before>.*\\bfinalize)\\((?<object>[A-Za-z_][\\w.]*)\\s*,\\s*(?<rest>.+)\\)\\s*");

    private static final Pattern LAMBDA = Pattern.compile("lambda\\s*:\\s*(?<body>.*)");
    private static final Pattern CALL = Pattern.compile("(?<function>[A-Za-z_][\\w.]*)\\((?<list>.*)\\)");

    private SourceFinalizers() {}

    /** The finalizer of a function whose callback or arguments refer to its object. */
    static Optional<SourceClue> keeping(List<String> file, PythonFunction function) {
        return function.all().stream()
                .flatMap(line -> clue(file, function, line).stream())
                .findFirst();
    }

    private static Optional<SourceClue> clue(List<String> file, PythonFunction function, int line) {
        Matcher found = FINALIZER.matcher(function.line(line));
        if (!found.matches() || !refers(found.group("object"), found.group("rest"))) {
            return Optional.empty();
        }
        String object = found.group("object");
        String callback = PythonExpression.elements(found.group("rest")).getFirst();
        String after = found.group("before").strip() + "(" + object + ", "
                + call(file, callback, object).orElse("release)  # a function that does not refer to " + object);
        return Optional.of(SourceClue.of(Cause.FINALIZER, file, line, after).asGuess(!function.isUnconditional(line)));
    }

    /** What a callback calls, with values of its object alone, as further arguments and the end of a finalizer's; empty where it does more. */
    private static Optional<String> call(List<String> file, String callback, String object) {
        return body(file, callback, object)
                .map(CALL::matcher)
                .filter(call -> call.matches()
                        && !call.group("function").startsWith(object + ".")
                        && !PythonExpression.elements(call.group("list")).contains(object))
                .map(call -> Stream.concat(
                                Stream.of(call.group("function")),
                                PythonExpression.elements(call.group("list")).stream())
                        .collect(Collectors.joining(", ", "", ")")));
    }

    /** The only statement of a callback. */
    private static Optional<String> body(List<String> file, String callback, String object) {
        Matcher lambda = LAMBDA.matcher(callback);
        if (lambda.matches()) {
            return Optional.of(lambda.group("body"));
        }
        return PythonDefinition.all(file).stream()
                .filter(found -> found.isMethod() && callback.equals(object + "." + found.name()))
                .map(SourceFinalizers::statements)
                .filter(statements -> statements.size() == 1)
                .map(List::getFirst)
                .findFirst();
    }

    private static List<String> statements(PythonDefinition method) {
        return method.lines().stream()
                .map(line -> method.body().line(line).strip())
                .filter(text -> !text.isEmpty())
                .toList();
    }

    /** Whether a callback or its arguments have the object itself, or a method of it; a value of an attribute does not refer to it. */
    private static boolean refers(String object, String rest) {
        String callback = PythonExpression.elements(rest).getFirst();
        boolean isMethod = callback.startsWith(object + ".");
        boolean isLambda = callback.startsWith("lambda") && SourceUse.isIn(object.split("\\.", -1)[0], rest);
        boolean isGiven = PythonExpression.elements(rest).stream()
                .map(PythonExpression::unlabelled)
                .anyMatch(object::equals);
        return isMethod || isLambda || isGiven;
    }
}
