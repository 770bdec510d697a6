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
 */
record SourceStep(
        List<String> file, PythonFunction function, int line, List<Integer> lines, List<PythonDefinition> definitions) {
    private static final Pattern CALLED = Pattern.compile("(?<![\\w])(?<name>\\w+)\\(");

    /** Of the calls of a stack, the innermost first, up to one that stands in a loop; if none does, of the one that allocates. */
    static List<SourceStep> of(List<Frame> frames, Function<Frame, List<String>> files) {
        List<SourceStep> found = new ArrayList<>();
        for (Frame frame : frames) {
            List<String> file = files.apply(frame);
            if (frame.line() > 0 && frame.line() <= file.size()) {
                PythonFunction function = PythonFunction.of(file, frame.line());
                List<Integer> loop = function.outermostLoop(frame.line());
                List<Integer> lines = loop.isEmpty() ? function.all() : loop;
                found.add(new SourceStep(file, function, frame.line(), lines, PythonDefinition.all(file)));
                if (!loop.isEmpty()) {
                    return found;
                }
            }
        }
        return found.stream().limit(1).toList();
    }

    /** The functions, methods and classes of the file that a line calls. */
    List<PythonDefinition> called(int number) {
        return CALLED.matcher(function.line(number))
                .results()
                .flatMap(call -> definitions(call.group("name")))
                .toList();
    }

    private Stream<PythonDefinition> definitions(String name) {
        return definitions.stream().filter(found -> found.name().equals(name) || found.isConstructorOf(name));
    }
}
