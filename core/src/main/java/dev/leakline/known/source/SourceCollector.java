package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.CollectorCall;
import dev.leakline.known.python.PythonFunction;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Finds files that switch Python's garbage collector off. */
final class SourceCollector {
    private static final Pattern DISABLED = Pattern.compile("\\s*gc\\.disable\\(\\)\\s*");

    private SourceCollector() {}

    /** The line of a file that switches the collector off, where no line calls it or switches it on. */
    static Optional<SourceClue> switchedOff(List<String> file) {
        boolean isCalled = IntStream.rangeClosed(1, file.size())
                .anyMatch(line ->
                        CollectorCall.is(file, line) || file.get(line - 1).contains("gc.enable("));
        return IntStream.rangeClosed(1, isCalled ? 0 : file.size())
                .boxed()
                .filter(line -> DISABLED.matcher(PythonFunction.of(file, line).line(line))
                        .matches())
                .findFirst()
                .map(line -> SourceClue.of(
                                Cause.COLLECTOR_OFF,
                                file,
                                line,
                                "gc.disable(); ...; gc.collect()  # every hundred steps")
                        .asGuess(true));
    }
}
