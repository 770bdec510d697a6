package dev.leakline.known.python;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line at which a value is kept.
 *
 * @param file the lines of the file
 * @param line its number
 * @param text the line
 * @param kind how it is kept
 * @param box what keeps it
 * @param value the expression that is kept
 * @param names the names of the function that stand for what was allocated
 */
public record SourceSink(
        List<String> file, int line, String text, Kind kind, String box, String value, Set<String> names) {
    /** The ways to keep a value. */
    public enum Kind {
        ADDED,
        STORED,
        SUMMED,
        CARRIED
    }

    private static final String BOX = "(?<box>[A-Za-z_][\\w.]*(?:\\[[^\\]]*\\])*)";
    private static final Pattern ADDED = Pattern.compile(
            "\\s*" + BOX + "\\.(?:append|appendleft|add|put|put_nowait|extend|insert)\\((?<value>.*)\\)\\s*");
    private static final Pattern STORED = Pattern.compile(
            "\\s*(?<box>[A-Za-z_][\\w.]*)\\[(?<key>(?:[^\\[\\]=]|\\[[^\\[\\]]*\\])+)\\]\\s*(?::[^=]*)?=\\s*(?:[\\w.]+\\s*=\\s*)*(?<value>[^=].*?)\\s*");
    private static final Pattern SUMMED = Pattern.compile("\\s*" + BOX + "\\s*\\+=\\s*(?<value>.+?)\\s*");

    private static final Pattern DEFAULTED =
            Pattern.compile("\\s*(?:[\\w.]+\\s*=\\s*)?" + BOX + "\\.setdefault\\((?<value>.*)\\).*");

    /** A tuple, list or dict of names, each of which is kept. */
    private static final Pattern TUPLE = Pattern.compile("[\\[({].*[\\])}]");

    private static final Pattern NAME = Pattern.compile("(?<=[\\[({,:] {0,4})([A-Za-z_][\\w.]*)(?=\\s*[,\\])}])");

    /** A line as one that keeps a value. */
    public static Optional<SourceSink> at(PythonFunction function, int line, Set<String> names) {
        String text = function.line(line);
        List<String> file = function.file();
        Matcher added = ADDED.matcher(text);
        Matcher stored = STORED.matcher(text);
        Matcher summed = SUMMED.matcher(text);
        return added.matches()
                ? Optional.of(of(file, line, text, Kind.ADDED, added, names))
                : stored.matches()
                        ? Optional.of(of(file, line, text, Kind.STORED, stored, names))
                        : summed.matches()
                                ? Optional.of(of(file, line, text, Kind.SUMMED, summed, names))
                                : Optional.empty();
    }

    /** A line as one that gives a dict an entry where it has none of that key. */
    public static Optional<SourceSink> defaulted(PythonFunction function, int line) {
        String text = function.line(line);
        Matcher given = DEFAULTED.matcher(text);
        return given.matches()
                ? Optional.of(of(function.file(), line, text, Kind.STORED, given, Set.of()))
                : Optional.empty();
    }

    private static SourceSink of(List<String> file, int line, String text, Kind kind, Matcher kept, Set<String> names) {
        return new SourceSink(file, line, text, kind, kept.group("box"), kept.group("value"), names);
    }

    /** The line with a call after what was allocated: after each of its names in a tuple, a list or a dict, else after each value it may come to. */
    public String each(String call) {
        String whole = value.strip();
        return with(
                TUPLE.matcher(whole).matches()
                        ? NAME.matcher(whole)
                                .replaceAll(name -> Matcher.quoteReplacement(
                                        names.contains(name.group()) ? name.group() + call : name.group()))
                        : PythonExpression.each(whole, names, call));
    }

    /** The line with another value. */
    public String with(String other) {
        int at = text.lastIndexOf(value);
        return (text.substring(0, at) + other + text.substring(at + value.length())).strip();
    }
}
