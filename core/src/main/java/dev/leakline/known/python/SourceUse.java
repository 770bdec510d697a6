package dev.leakline.known.python;

import dev.leakline.known.python.SourceSink.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a function does with the value of one of its lines: follows names from assignment to assignment, to where one of them is added to
 * something, or returned. What is passed on as a number or as a copy in CPU memory is let go.
 */
public final class SourceUse {
    private static final Pattern ASSIGNED = Pattern.compile(
            "\\s*(?:[\\w.]+\\[[^\\]=]*\\]\\s*=\\s*)?(?<names>[A-Za-z_][\\w.]*(?:\\s*,\\s*[A-Za-z_]\\w*)*)\\s*=\\s*(?<value>[^=].*)");
    private static final Pattern LET_GO =
            Pattern.compile(".*\\.(item|tolist|cpu|numpy)\\(.*|(float|int|len|str|repr)\\(.*");
    /** A name or a literal: at the line that allocates, it is not what was allocated. */
    private static final Pattern PLAIN = Pattern.compile("[\\w.]+|\"[^\"]*\"|'[^']*'");

    private final PythonFunction function;
    private final int line;
    private final Set<String> names = new HashSet<>();

    private final boolean isGraph;
    /** The lines that are gone through. */
    private final List<Integer> lines;

    private SourceUse(PythonFunction function, int line, boolean isGraph) {
        this(function, line, isGraph, function.after(line));
    }

    private SourceUse(PythonFunction function, int line, boolean isGraph, List<Integer> lines) {
        this.function = function;
        this.line = line;
        this.isGraph = isGraph;
        this.lines = lines;
    }

    /** Where a function keeps, or carries to its next call, what it is given as a parameter. */
    public static Stream<SourceSink> given(PythonFunction function, String parameter) {
        SourceUse use = new SourceUse(function, 0, true, function.all());
        use.names.add(parameter);
        return use.sinks();
    }

    /** Where a function keeps the value of a line first, if it does; a value that is carried to the next step keeps its graph only. */
    public static Optional<SourceSink> of(PythonFunction function, int line, boolean isGraph) {
        return new SourceUse(function, line, isGraph).sinks().findFirst();
    }

    /** Where a function carries values that use that of a line to the next step. */
    public static List<SourceSink> carried(PythonFunction function, int line) {
        return new SourceUse(function, line, true)
                .sinks()
                .filter(sink -> sink.kind() == Kind.CARRIED)
                .toList();
    }

    private Stream<SourceSink> sinks() {
        return lines.stream().flatMap(next -> {
            String text = function.line(next);
            Stream<SourceSink> written = SourceSink.at(function, next, names).stream()
                    .filter(sink -> isKept(sink.value(), next == line) && !isBounded(sink.box()));
            Matcher assigned = ASSIGNED.matcher(text);
            return Stream.concat(written, assigned.matches() ? take(next, text, assigned).stream() : Stream.empty());
        });
    }

    /** Whether the file makes a box that drops its oldest entries by itself. */
    private boolean isBounded(String box) {
        return function.isInFile(Pattern.compile(
                "\\s*" + Pattern.quote(box) + "\\s*(:[^=]*)?=.*\\bdeque\\(.*\\bmaxlen\\s*=\\s*(?!None).*"));
    }

    /** Whether a value has a part that is, or uses, what was allocated, and is neither a number nor a text. */
    private boolean isKept(String value, boolean isMadeHere) {
        List<String> parts = PythonExpression.values(value);
        return parts.stream()
                .filter(part ->
                        isMadeHere ? parts.size() == 1 || !PLAIN.matcher(part).matches() : uses(part))
                .anyMatch(part -> !isLetGo(part));
    }

    /** Whether a value is a number, a text or a copy in CPU memory, whatever a condition chooses. */
    public static boolean isLetGo(String value) {
        return PythonExpression.values(value).stream()
                .allMatch(part -> LET_GO.matcher(part).matches());
    }

    /** The line as one that keeps a value, whatever that is. */
    public static Optional<SourceSink> written(PythonFunction function, int line) {
        return SourceSink.at(function, line, Set.of());
    }

    /** The names that a function gives to what a line makes, each with the lines that have it. */
    public static SourceUse flow(PythonFunction function, int line) {
        SourceUse use = new SourceUse(function, line, false);
        function.after(line).stream()
                .map(next -> Map.entry(next, ASSIGNED.matcher(function.line(next))))
                .filter(assigned -> assigned.getValue().matches())
                .forEach(assigned -> use.take(assigned.getKey(), "", assigned.getValue()));
        return use;
    }

    /** Takes the names that a line gives to the value; one that the value is computed from as well carries it to the next step. */
    private List<SourceSink> take(int number, String text, Matcher assigned) {
        String value = assigned.group("value");
        boolean isOther = number != line && !uses(value);
        if (!isOther && isGraph && value.endsWith(".detach()")) {
            forget(number, assigned.group("names"), false);
        }
        if (isOther || isLetGo(value)) {
            forget(number, assigned.group("names"), isOther);
            return List.of();
        }
        List<SourceSink> carried = new ArrayList<>();
        for (String name : assigned.group("names").split("\\s*,\\s*", -1)) {
            if (isGraph && isIn(name, value) && isCarried(number, name) && !value.contains(".detach()")) {
                carried.add(new SourceSink(function.file(), number, text, Kind.CARRIED, name, name, names));
            }
            names.add(name);
        }
        return carried;
    }

    /** Takes a name back that a line gives to a number or to a copy of the value. */
    private void forget(int number, String assigned, boolean isOther) {
        if (!isOther && number != line && function.isUnconditional(number)) {
            names.remove(assigned);
        }
    }

    /**
     * Whether a name that a line computes from itself has its value of the iteration before: at the line that allocates, and where no other line
     * of the innermost loop gives it a new one.
     */
    private boolean isCarried(int number, String name) {
        boolean isMadeAnew = names.contains(name)
                || function.loop(number).stream()
                        .map(function::line)
                        .map(ASSIGNED::matcher)
                        .anyMatch(assigned -> assigned.matches()
                                && isIn(name, assigned.group("names"))
                                && !isIn(name, assigned.group("value")));
        boolean isKept = name.contains(".") || !function.loop(number).isEmpty();
        return number == line || (isKept && !isMadeAnew);
    }

    /** Whether an expression has one of the names of what was allocated. */
    public boolean uses(String value) {
        return names.stream().anyMatch(name -> isIn(name, value));
    }

    /** Whether an expression has a name in it. */
    public static boolean isIn(String name, String value) {
        return Pattern.compile("(?<![\\w.])" + Pattern.quote(name) + "(?!\\w)")
                .matcher(PythonExpression.withoutTexts(value))
                .find();
    }
}
