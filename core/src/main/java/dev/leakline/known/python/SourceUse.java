package dev.leakline.known.python;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a function does with the value of one of its lines: follows names from assignment to assignment, to where one of them is added to
 * something, or returned. What is passed on as a number or as a copy in CPU memory is let go.
 */
final class SourceUse {
    /**
     * A line at which a value is kept.
     *
     * @param line its number
     * @param text the line
     * @param kind how it is kept
     * @param box what keeps it
     * @param value the expression that is kept
     * @param names the names of the function that stand for what was allocated
     */
    record Sink(int line, String text, Kind kind, String box, String value, Set<String> names) {
        /** The line with a call after what was allocated: after each of its names in a tuple, a list or a dict, else after the whole. */
        String each(String call) {
            String whole = value.strip();
            return with(
                    TUPLE.matcher(whole).matches()
                            ? NAME.matcher(whole)
                                    .replaceAll(name -> Matcher.quoteReplacement(
                                            names.contains(name.group()) ? name.group() + call : name.group()))
                            : whole + call);
        }

        /** The line with another value. */
        String with(String other) {
            int at = text.lastIndexOf(value);
            return (text.substring(0, at) + other + text.substring(at + value.length())).strip();
        }
    }

    /** The ways to keep a value. */
    enum Kind {
        ADDED,
        STORED,
        SUMMED,
        CARRIED
    }

    private static final String BOX = "(?<box>[A-Za-z_][\\w.]*(?:\\[[^\\]]*\\])*)";
    private static final Pattern ADDED = Pattern.compile(
            "\\s*" + BOX + "\\.(?:append|appendleft|add|put|put_nowait|extend|insert)\\((?<value>.*)\\)\\s*");
    private static final Pattern STORED =
            Pattern.compile("\\s*(?<box>[A-Za-z_][\\w.]*)\\[(?<key>[^\\]=]+)\\]\\s*=\\s*(?<value>[^=].*?)\\s*");
    private static final Pattern SUMMED = Pattern.compile("\\s*" + BOX + "\\s*\\+=\\s*(?<value>.+?)\\s*");
    private static final Pattern ASSIGNED =
            Pattern.compile("\\s*(?<names>[A-Za-z_][\\w.]*(?:\\s*,\\s*[A-Za-z_]\\w*)*)\\s*=\\s*(?<value>[^=].*)");
    private static final Pattern LET_GO =
            Pattern.compile(".*\\.(item|tolist|cpu|numpy)\\(.*|(float|int|len|str|repr)\\(.*");
    /** A name or a literal: at the line that allocates, it is not what was allocated. */
    private static final Pattern PLAIN = Pattern.compile("[\\w.]+|\"[^\"]*\"|'[^']*'");

    /** A tuple, list or dict of names, each of which is kept. */
    private static final Pattern TUPLE = Pattern.compile("[\\[({].*[\\])}]");

    private static final Pattern NAME = Pattern.compile("(?<=[\\[({,:] {0,4})([A-Za-z_][\\w.]*)(?=\\s*[,\\])}])");

    private final PythonFunction function;
    private final int line;
    private final Set<String> names = new HashSet<>();

    private final boolean isGraph;

    private SourceUse(PythonFunction function, int line, boolean isGraph) {
        this.function = function;
        this.line = line;
        this.isGraph = isGraph;
    }

    /** Where a function keeps the value of a line, if it does; a value that is carried to the next step keeps its graph only. */
    static Optional<Sink> of(PythonFunction function, int line, boolean isGraph) {
        return new SourceUse(function, line, isGraph).sink();
    }

    private Optional<Sink> sink() {
        for (int next : function.after(line)) {
            String text = function.line(next);
            Sink sink = sink(next, text);
            if (sink != null && isKept(sink.value, next == line) && !isBounded(sink.box)) {
                return Optional.of(sink);
            }
            Matcher assigned = ASSIGNED.matcher(text);
            if (assigned.matches()) {
                Optional<Sink> carried = take(next, text, assigned);
                if (carried.isPresent()) {
                    return carried;
                }
            }
        }
        return Optional.empty();
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

    /** Whether a value is a number, a text or a copy in CPU memory. */
    static boolean isLetGo(String value) {
        return LET_GO.matcher(value).matches();
    }

    /** The line as one that keeps a value, whatever that is. */
    static Optional<Sink> written(PythonFunction function, int line) {
        return Optional.ofNullable(new SourceUse(function, line, false).sink(line, function.line(line)));
    }

    /** The names that a function gives to what a line makes, each with the lines that have it. */
    static SourceUse flow(PythonFunction function, int line) {
        SourceUse use = new SourceUse(function, line, false);
        function.after(line).stream()
                .map(next -> Map.entry(next, ASSIGNED.matcher(function.line(next))))
                .filter(assigned -> assigned.getValue().matches())
                .forEach(assigned -> use.take(assigned.getKey(), "", assigned.getValue()));
        return use;
    }

    private @Nullable Sink sink(int line, String text) {
        Matcher added = ADDED.matcher(text);
        if (added.matches()) {
            return new Sink(line, text, Kind.ADDED, added.group("box"), added.group("value"), names);
        }
        Matcher stored = STORED.matcher(text);
        if (stored.matches()) {
            return new Sink(line, text, Kind.STORED, stored.group("box"), stored.group("value"), names);
        }
        Matcher summed = SUMMED.matcher(text);
        return summed.matches()
                ? new Sink(line, text, Kind.SUMMED, summed.group("box"), summed.group("value"), names)
                : null;
    }

    /** Takes the names that a line gives to the value; one that the value is computed from as well carries it to the next step. */
    private Optional<Sink> take(int number, String text, Matcher assigned) {
        String value = assigned.group("value");
        if ((number != line && !uses(value)) || LET_GO.matcher(value).matches()) {
            return Optional.empty();
        }
        for (String name : assigned.group("names").split("\\s*,\\s*", -1)) {
            if (isGraph && isIn(name, value) && isCarried(number, name) && !value.contains(".detach()")) {
                return Optional.of(new Sink(number, text, Kind.CARRIED, name, name, names));
            }
            names.add(name);
        }
        return Optional.empty();
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
    boolean uses(String value) {
        return names.stream().anyMatch(name -> isIn(name, value));
    }

    /** Whether an expression has a name in it. */
    static boolean isIn(String name, String value) {
        return Pattern.compile("(?<![\\w.])" + Pattern.quote(name) + "(?!\\w)")
                .matcher(value)
                .find();
    }
}
