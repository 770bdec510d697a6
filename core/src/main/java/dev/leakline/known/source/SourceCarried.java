package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceSink;
import dev.leakline.known.python.SourceUse;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Values that a step computes from those of the step before, with the graphs of all steps behind them. */
final class SourceCarried {
    private SourceCarried() {}

    /** What a function carries from one of its lines to the next step: detached, all of it; or no graph at all, where nothing uses one. */
    static SourceClue of(PythonFunction function, int line, Cause cause, Cause known) {
        List<SourceSink> carried = SourceUse.carried(function, line);
        SourceEdit detached =
                new SourceEdit(lines(carried, sink -> sink.text().strip()), lines(carried, SourceCarried::detached));
        SourceSink first = carried.getFirst();
        boolean isUnused = known.equals(Cause.NO_GRAD_MISSING);
        return SourceClue.of(
                isUnused ? Cause.GRAPH_CARRIED : cause,
                first.line(),
                first.text().strip(),
                isUnused ? List.of(withoutGraph(function, first), detached) : List.of(detached));
    }

    private static String lines(List<SourceSink> carried, Function<SourceSink, String> text) {
        return carried.stream().map(text).collect(Collectors.joining("\n"));
    }

    private static String detached(SourceSink sink) {
        return sink.text().strip() + "; " + sink.box() + " = " + sink.box() + ".detach()";
    }

    /** The function under a decorator that saves nothing for a backward pass; of a module's code, the line in such a block. */
    private static SourceEdit withoutGraph(PythonFunction function, SourceSink sink) {
        Optional<String> head = function.head().map(String::strip);
        String text = sink.text().strip();
        return head.map(line -> new SourceEdit(line, "@torch.no_grad()\n" + line))
                .orElseGet(() -> new SourceEdit(text, "with torch.no_grad(): " + text));
    }
}
