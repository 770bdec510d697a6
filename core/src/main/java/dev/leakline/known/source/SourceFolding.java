package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.PythonExpression;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceCallees;
import dev.leakline.known.python.SourceSink;
import dev.leakline.known.python.SourceSink.Kind;
import dev.leakline.known.python.SourceUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds values that are given to a function or an object of the program's own, which adds them to what it has: one call is followed. */
final class SourceFolding {
    private static final Pattern CALL =
            Pattern.compile("\\s*(?:[\\w.,\\s]+=\\s*)?(?:await\\s+)?(?<callee>[A-Za-z_][\\w.]*)\\((?<list>.*)\\)\\s*");
    private static final Pattern KEYWORD = Pattern.compile("(?<name>\\w+)\\s*=\\s*(?!=)(?<value>.*)");
    private static final Pattern NO_GRAD = Pattern.compile(".*\\b(no_grad|inference_mode)\\(.*");

    private final Cause known;
    private final SourceCallees callees;
    private final PythonFunction function;
    private final int line;

    SourceFolding(Cause known, SourceCallees callees, PythonFunction function, int line) {
        this.known = known;
        this.callees = callees;
        this.function = function;
        this.line = line;
    }

    /** The call that is given the value of the line. */
    Optional<SourceClue> clue() {
        SourceUse flow = SourceUse.flow(function, line);
        return function.after(line).stream().flatMap(next -> ofCall(flow, next)).findFirst();
    }

    private Stream<SourceClue> ofCall(SourceUse flow, int next) {
        Matcher call = CALL.matcher(function.line(next));
        if (!call.matches()) {
            return Stream.empty();
        }
        List<String> given = PythonExpression.elements(call.group("list"));
        return callees.of(call.group("callee"))
                .flatMap(callee -> IntStream.range(0, given.size())
                        .boxed()
                        .flatMap(i -> ofArgument(flow, next, callee, given, i)));
    }

    private Stream<SourceClue> ofArgument(
            SourceUse flow, int next, SourceCallees.Callee callee, List<String> given, int position) {
        Matcher keyword = KEYWORD.matcher(given.get(position));
        String value = keyword.matches() ? keyword.group("value") : given.get(position);
        boolean isGiven = next == line ? value.contains("(") : flow.uses(value);
        if (!isGiven || SourceUse.isLetGo(value) || value.contains(".detach()")) {
            return Stream.empty();
        }
        return callee.parameter(keyword.matches() ? keyword.group("name") : "", position)
                .flatMap(parameter -> SourceUse.given(callee.body(), parameter))
                .filter(sink -> callee.outlives(sink.box()))
                .flatMap(sink -> clue(sink, next, given, position).stream())
                .map(clue -> clue.asGuess(!callee.isSure()))
                .limit(1);
    }

    private Optional<SourceClue> clue(SourceSink sink, int next, List<String> given, int position) {
        boolean isMixed = sink.kind() == Kind.CARRIED || sink.kind() == Kind.SUMMED;
        boolean isFreed = function.isUnder(next, text -> NO_GRAD.matcher(text).matches())
                || function.isUnder(line, text -> NO_GRAD.matcher(text).matches());
        if (isMixed && !isFreed) {
            return Optional.of(SourceClue.of(Cause.GRAPH_KEPT, function.file(), next, detached(next, given, position)));
        }
        boolean isAdded = sink.kind() == Kind.ADDED || sink.kind() == Kind.STORED;
        return isAdded && (known.isGeneral() || known.isWithoutHolder())
                ? new SourceKeeping(known, sink.file(), PythonFunction.of(sink.file(), sink.line()), sink.line())
                        .ofSink(sink)
                : Optional.empty();
    }

    /** The call with the values detached that use what was allocated. */
    private String detached(int next, List<String> given, int position) {
        List<String> after = new ArrayList<>(given);
        after.set(position, PythonExpression.called(given.get(position), ".detach()"));
        Matcher call = CALL.matcher(function.line(next));
        return call.matches()
                ? (call.group().substring(0, call.start("list"))
                                + String.join(", ", after)
                                + call.group().substring(call.end("list")))
                        .strip()
                : "";
    }
}
