package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceEdit;
import dev.leakline.known.python.PythonFunction;
import dev.leakline.known.python.SourceUse;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds metrics of torchmetrics that are given a value and never reset. */
final class SourceMetrics {
    private static final Pattern IMPORTED = Pattern.compile(
            "(?m)^\\s*from\\s+torchmetrics[\\w.]*\\s+import\\s+(\\((?<list>[^)]*)\\)|(?<names>[^(\\n]*))");
    private static final Pattern MODULE =
            Pattern.compile("(?m)^\\s*import\\s+torchmetrics(?:[\\w.]*\\s+as\\s+(?<name>\\w+))?");
    private static final Pattern ASSIGNED =
            Pattern.compile("\\s*(?<metric>(self\\.)?\\w+)\\s*(:[^=]+)?=(?<value>[^=].*)");

    private SourceMetrics() {}

    /** The metric that a function gives the value of a line, where its file does not reset it. */
    static Optional<SourceClue> unreset(List<String> file, PythonFunction function, int line) {
        SourceUse flow = SourceUse.flow(function, line);
        return metrics(file)
                .flatMap(metric -> function.after(line).stream()
                        .filter(next -> isGiven(metric, function.line(next), flow, next == line))
                        .flatMap(next ->
                                clue(file, metric, next, function.line(next).strip()).stream()))
                .findFirst();
    }

    private static Stream<String> metrics(List<String> file) {
        Set<String> makers = makers(String.join("\n", file));
        Pattern made = Pattern.compile(".*(?<!\\w)(" + String.join("|", makers) + ")\\(.*");
        return file.stream()
                .map(ASSIGNED::matcher)
                .filter(assigned -> assigned.matches()
                        && !makers.isEmpty()
                        && made.matcher(assigned.group("value")).matches())
                .map(assigned -> assigned.group("metric"))
                .distinct();
    }

    /** Patterns of the names by which a file calls the classes of torchmetrics; functions begin with a small letter and keep nothing. */
    private static Set<String> makers(String text) {
        Stream<String> classes = IMPORTED.matcher(text)
                .results()
                .map(found -> Optional.ofNullable(found.group("list")).orElseGet(() -> found.group("names")))
                .flatMap(Pattern.compile("[,\\s]+")::splitAsStream)
                .filter(name -> name.matches("[A-Z]\\w*"));
        Stream<String> modules = MODULE.matcher(text).results().map(SourceMetrics::module);
        return Stream.concat(classes, modules.map(name -> name + "(\\.\\w+)*\\.[A-Z]\\w*"))
                .collect(Collectors.toSet());
    }

    private static String module(MatchResult imported) {
        return Optional.ofNullable(imported.group("name")).orElse("torchmetrics");
    }

    private static boolean isGiven(String metric, String text, SourceUse flow, boolean isMadeThere) {
        Matcher call = Pattern.compile(
                        "(?<![\\w.])" + Pattern.quote(metric) + "(\\.update|\\.forward)?\\((?<given>.+)\\)")
                .matcher(text);
        return call.find() && (isMadeThere || flow.uses(call.group("given")));
    }

    /** What an update shows, unless the metric is reset, or logged as a whole: Lightning resets it then. */
    private static Optional<SourceClue> clue(List<String> file, String metric, int line, String update) {
        String name = "(?<![\\w.])" + Pattern.quote(metric);
        Pattern logged = Pattern.compile("\\blog(_dict)?\\(.*" + name + "(?![\\w.(])");
        boolean isReset = resets(file, name).anyMatch(step -> step);
        if (isReset || file.stream().anyMatch(text -> logged.matcher(text).find())) {
            return Optional.empty();
        }
        Pattern compute = Pattern.compile(name + "\\.compute\\(");
        SourceEdit edit = IntStream.rangeClosed(1, file.size())
                .filter(number -> compute.matcher(file.get(number - 1)).find())
                .boxed()
                .findFirst()
                .map(number -> SourceEdit.of(file, number, file.get(number - 1).strip() + "; " + metric + ".reset()"))
                .orElseGet(() -> SourceEdit.of(file, line, update + "; ...; " + metric + ".reset()"));
        return Optional.of(
                SourceClue.of(Cause.METRIC, line, update, List.of(edit)).asGuess(true));
    }

    /** For each line that resets a metric, whether it does so under no condition. */
    private static Stream<Boolean> resets(List<String> file, String name) {
        Pattern reset = Pattern.compile(name + "\\.reset\\(");
        return Stream.iterate(1, line -> line <= file.size(), line -> line + 1)
                .filter(line -> reset.matcher(file.get(line - 1)).find())
                .map(line -> PythonFunction.of(file, line).isUnconditional(line));
    }
}
