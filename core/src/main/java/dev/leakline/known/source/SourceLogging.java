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
import java.util.stream.IntStream;

/** Finds tensors that are given to a log whose handlers keep records. */
final class SourceLogging {
    private static final Pattern CALL = Pattern.compile(
            "\\s*(?<call>[\\w.]*log\\w*\\.(debug|info|warning|error|exception|critical|log))\\((?<list>.*)\\)\\s*",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern HANDLER =
            Pattern.compile("(?!\\s*(from|import)\\b).*\\b(Memory|Buffering|Queue)Handler\\b.*");
    /** What of a tensor is none: its sizes, and numbers of it. */
    private static final Pattern NO_TENSOR = Pattern.compile("len\\(.*|.*\\.(shape|dtype|device)\\b.*|.*\\.size\\(.*");

    private static final Pattern CONVERSION =
            Pattern.compile("%(?:\\(\\w+\\))?[-#0 +]*[\\d*]*(?:\\.[\\d*]+)?([a-zA-Z%])");

    private SourceLogging() {}

    /** The call that logs the value of a line as it is. */
    static Optional<SourceClue> keeping(List<String> file, PythonFunction function, int line) {
        SourceUse flow = SourceUse.flow(function, line);
        return isKeeping(file)
                ? function.after(line).stream()
                        .flatMap(next -> clue(flow, file, next, function.line(next)).stream())
                        .findFirst()
                : Optional.empty();
    }

    /** Whether a file has a handler that keeps records: one of Python's that buffer, or one of its own. */
    private static boolean isKeeping(List<String> file) {
        return file.stream().anyMatch(text -> HANDLER.matcher(text).matches())
                || PythonDefinition.all(file).stream()
                        .filter(found -> found.name().equals("emit")
                                && found.parameters().size() > 1)
                        .anyMatch(SourceLogging::isStoring);
    }

    private static boolean isStoring(PythonDefinition emit) {
        PythonFunction body = emit.body();
        String record = emit.parameters().get(1);
        return emit.lines().stream()
                .flatMap(line -> SourceUse.written(body, line).stream())
                .anyMatch(sink -> PythonExpression.values(sink.value()).contains(record));
    }

    private static Optional<SourceClue> clue(SourceUse flow, List<String> file, int line, String text) {
        Matcher call = CALL.matcher(text);
        if (!call.matches()) {
            return Optional.empty();
        }
        List<String> given = PythonExpression.elements(call.group("list"));
        List<String> verbs = given.isEmpty() ? List.of() : verbs(given.getFirst());
        String list = IntStream.range(0, given.size())
                .mapToObj(i -> logged(flow, given.get(i), i > 0 && i <= verbs.size() ? verbs.get(i - 1) : ""))
                .collect(Collectors.joining(", "));
        boolean isTold = given.stream().anyMatch(value -> isTensor(flow, value));
        String after = call.group("call") + "(" + list + ")";
        return isTold && !after.equals(text.strip())
                ? Optional.of(
                        SourceClue.of(Cause.LOG_RECORDS, file, line, after).asGuess(true))
                : Optional.empty();
    }

    /** The letters that end the conversions of a message, in their order. */
    private static List<String> verbs(String message) {
        return CONVERSION
                .matcher(message)
                .results()
                .map(found -> found.group(1))
                .filter(verb -> !verb.equals("%"))
                .toList();
    }

    /** An argument as what a record may keep: as text all that is written as text, as a number what is known to be a tensor. */
    private static String logged(SourceUse flow, String given, String verb) {
        boolean isPlain = given.matches("[\\d.]+|[rbf]?[\"'].*|(str|repr)\\(.*")
                || NO_TENSOR.matcher(given).matches();
        boolean isText = verb.equals("s") || verb.equals("r");
        return (isText && !isPlain && !SourceUse.isLetGo(given)) || (verb.isEmpty() && isTensor(flow, given))
                ? "str(" + given + ")"
                : isTensor(flow, given) ? given + ".item()" : given;
    }

    private static boolean isTensor(SourceUse flow, String given) {
        boolean isText = given.matches("[rbf]?[\"'].*");
        return !isText
                && flow.uses(given)
                && !SourceUse.isLetGo(given)
                && !NO_TENSOR.matcher(given).matches();
    }
}
