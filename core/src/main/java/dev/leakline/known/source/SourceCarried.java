package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceEdit;
import dev.leakline.known.edit.SourceEdit.Change;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceSink;
import dev.leakline.known.python.SourceUse;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Values that a step computes from those of the step before, with the graphs of all steps behind them. */
final class SourceCarried {
    private static final Pattern BACKWARD = Pattern.compile("\\s*[\\w.\\[\\]()]+\\.backward\\(.*\\)\\s*(#.*)?");

    private SourceCarried() {}

    /** What a function carries from one of its lines to the next step: detached, all of it; or no graph at all, where nothing uses one. */
    static SourceClue of(PythonFunction function, int line, Cause cause, Cause known) {
        List<SourceSink> carried = SourceUse.carried(function, line);
        SourceEdit detached = backward(function, line)
                .map(backward -> detachedBehind(function, backward, carried))
                .orElseGet(() -> new SourceEdit(carried.stream()
                        .map(sink -> Change.of(sink.file(), sink.line(), detached(sink)))
                        .toList()));
        SourceSink first = carried.getFirst();
        boolean isUnused = known.equals(Cause.NO_GRAD_MISSING);
        return SourceClue.of(
                isUnused ? Cause.GRAPH_CARRIED : cause,
                function.file(),
                first.line(),
                isUnused ? List.of(withoutGraph(function, first), detached) : List.of(detached));
    }

    /** The backward pass that follows in the function, which still needs the graph of what is carried. */
    private static Optional<Integer> backward(PythonFunction function, int line) {
        return function.after(line).stream()
                .filter(next -> BACKWARD.matcher(function.line(next)).matches())
                .findFirst();
    }

    private static SourceEdit detachedBehind(PythonFunction function, int backward, List<SourceSink> carried) {
        return SourceEdit.of(
                function.file(),
                backward,
                function.line(backward).strip()
                        + carried.stream().map(sink -> "\n" + detachment(sink)).collect(Collectors.joining()));
    }

    private static String detached(SourceSink sink) {
        return sink.text().strip() + "; " + detachment(sink);
    }

    private static String detachment(SourceSink sink) {
        return sink.box() + " = " + sink.box() + ".detach()";
    }

    /** The function under a decorator that saves nothing for a backward pass; of a module's code, the line in such a block. */
    private static SourceEdit withoutGraph(PythonFunction function, SourceSink sink) {
        return function.head()
                .map(head -> SourceEdit.of(
                        sink.file(),
                        head,
                        "@torch.no_grad()\n" + function.line(head).strip()))
                .orElseGet(() -> SourceEdit.of(
                        sink.file(),
                        sink.line(),
                        "with torch.no_grad(): " + sink.text().strip()));
    }
}
