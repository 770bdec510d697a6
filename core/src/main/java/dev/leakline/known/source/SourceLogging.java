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

/** Finds tensors that are given to a log whose handlers keep records. */
final class SourceLogging {
    private static final Pattern CALL = Pattern.compile(
            "\\s*(?<call>[\\w.]*log\\w*\\.(debug|info|warning|error|exception|critical|log))\\((?<list>.*)\\)\\s*",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern HANDLER =
            Pattern.compile("(?!\\s*(from|import)\\b).*\\b(Memory|Buffering|Queue)Handler\\b.*");
    /** What of a tensor is none: its sizes, and numbers of it. */
    private static final Pattern NO_TENSOR = Pattern.compile("len\\(.*|.*\\.(shape|dtype|device)\\b.*|.*\\.size\\(.*");

    private SourceLogging() {}

    /** The call that logs the value of a line as it is. */
    static Optional<SourceClue> keeping(List<String> file, PythonFunction function, int line) {
        SourceUse flow = SourceUse.flow(function, line);
        return isKeeping(file)
                ? function.after(line).stream()
                        .flatMap(next -> clue(flow, next, function.line(next)).stream())
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

    private static Optional<SourceClue> clue(SourceUse flow, int line, String text) {
        Matcher call = CALL.matcher(text);
        if (!call.matches()) {
            return Optional.empty();
        }
        String before = text.strip();
        String list = PythonExpression.elements(call.group("list")).stream()
                .map(given -> isTensor(flow, given) ? "str(" + given + ")" : given)
                .collect(Collectors.joining(", "));
        String after = call.group("call") + "(" + list + ")";
        return after.contains("str(") && !after.equals(before)
                ? Optional.of(
                        SourceClue.of(Cause.LOG_RECORDS, line, before, after).asGuess(true))
                : Optional.empty();
    }

    private static boolean isTensor(SourceUse flow, String given) {
        boolean isText = given.matches("[rbf]?[\"'].*");
        return !isText
                && flow.uses(given)
                && !SourceUse.isLetGo(given)
                && !NO_TENSOR.matcher(given).matches();
    }
}
