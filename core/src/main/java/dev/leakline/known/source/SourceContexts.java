package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.PythonExpression;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.result.Frame;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds functions of autograd that keep their own outputs as attributes of the context: the output keeps the context, which keeps the output. */
final class SourceContexts {
    private static final Pattern CLASS = Pattern.compile("class\\s+\\w+\\(.*\\bFunction\\b.*\\).*");
    private static final Pattern ASSIGNED =
            Pattern.compile("\\s*(?<names>[\\w.]+(\\s*,\\s*[\\w.]+)*)\\s*=\\s*(?<values>[^=].*?)\\s*");
    private static final Pattern RETURN = Pattern.compile("\\s*return\\b\\s*(?<value>.+?)\\s*");

    private SourceContexts() {}

    /** The line of a file that does so; a guess where the line that allocates is in another function. */
    static Optional<SourceClue> keeping(List<String> file, Frame site) {
        return isOfFunctions(file)
                ? PythonDefinition.all(file).stream()
                        .filter(found -> found.name().equals("forward")
                                && found.parameters().size() > 1
                                && !found.isMethod())
                        .flatMap(forward -> clue(forward)
                                .map(clue -> clue.asGuess(!forward.lines().contains(site.line()))))
                        .findFirst()
                : Optional.empty();
    }

    private static boolean isOfFunctions(List<String> file) {
        return file.stream().anyMatch(line -> CLASS.matcher(line.strip()).matches());
    }

    private static Stream<SourceClue> clue(PythonDefinition forward) {
        PythonFunction body = forward.body();
        Set<String> returned = returned(forward);
        return forward.lines().stream().flatMap(line -> {
            Matcher assigned = ASSIGNED.matcher(body.line(line));
            return assigned.matches() ? stored(forward, assigned, returned, line) : Stream.empty();
        });
    }

    private static Set<String> returned(PythonDefinition forward) {
        Set<String> names = new HashSet<>();
        for (int line : forward.lines()) {
            Matcher found = RETURN.matcher(forward.body().line(line));
            if (found.matches()) {
                names.addAll(PythonExpression.values(found.group("value")));
            }
        }
        return names;
    }

    private static Stream<SourceClue> stored(
            PythonDefinition forward, Matcher assigned, Set<String> returned, int line) {
        String context = forward.parameters().getFirst() + ".";
        List<String> names = PythonExpression.elements(assigned.group("names"));
        List<String> values = PythonExpression.elements(assigned.group("values"));
        return names.size() != values.size()
                ? Stream.empty()
                : IntStream.range(0, names.size())
                        .filter(i -> names.get(i).startsWith(context) && returned.contains(values.get(i)))
                        .mapToObj(i -> SourceClue.of(
                                Cause.CONTEXT_CYCLE,
                                forward.file(),
                                line,
                                List.of(new SourceSaved(forward, line, names, values, i).edit())));
    }
}
