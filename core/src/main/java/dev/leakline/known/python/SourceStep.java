package dev.leakline.known.python;

import dev.leakline.result.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lines of a function that run again and again: those of its outermost loop around a call, and all of the functions that the loop calls.
 *
 * @param file the lines of the file
 * @param line the line of the call
 * @param lines the numbers of the lines that repeat
 * @param definitions all functions of the file
 * @param isLooped whether a loop of this function, or of one that called it, is known to repeat them
 */
public record SourceStep(
        List<String> file,
        PythonFunction function,
        int line,
        List<Integer> lines,
        List<PythonDefinition> definitions,
        boolean isLooped) {
    private static final Pattern CALLED = Pattern.compile("(?<![\\w])(?<name>\\w+)\\(");

    /** Of the calls of a stack, the innermost first, up to one that stands in a loop; if none does, of the one that allocates. */
    public static List<SourceStep> of(List<Frame> frames, Function<Frame, List<String>> files) {
        List<SourceStep> found = new ArrayList<>();
        for (Frame frame : frames) {
            List<String> file = files.apply(frame);
            if (frame.line() > 0 && frame.line() <= file.size()) {
                SourceStep step = of(file, frame.line());
                found.add(step);
                if (step.isLooped) {
                    return found.stream().map(SourceStep::looped).toList();
                }
            }
        }
        return found.stream().limit(1).toList();
    }

    private static SourceStep of(List<String> file, int line) {
        PythonFunction function = PythonFunction.of(file, line);
        List<Integer> loop = function.outermostLoop(line);
        List<Integer> lines = loop.isEmpty() ? function.all() : loop;
        return new SourceStep(file, function, line, lines, PythonDefinition.all(file), !loop.isEmpty());
    }

    private SourceStep looped() {
        return new SourceStep(file, function, line, lines, definitions, true);
    }

    /** The numbers of its lines, and of those of what it calls. */
    public Stream<Integer> reached() {
        return lines.stream()
                .flatMap(next -> Stream.concat(
                        Stream.of(next), called(next).stream().flatMap(called -> called.lines().stream())))
                .distinct();
    }

    /** The functions, methods and classes of the file that a line calls. */
    public List<PythonDefinition> called(int number) {
        return CALLED.matcher(function.line(number))
                .results()
                .flatMap(call -> definitions(call.group("name")))
                .toList();
    }

    private Stream<PythonDefinition> definitions(String name) {
        return definitions.stream().filter(found -> found.name().equals(name) || found.isConstructorOf(name));
    }
}
