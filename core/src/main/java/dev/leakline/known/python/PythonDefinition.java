package dev.leakline.known.python;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The definition of a function in a Python file.
 *
 * @param file the lines of the file
 * @param line the number of its line
 * @param name its name
 * @param parameters their names, without defaults and types
 * @param type the class that it is a method of; empty where it is none
 * @param first the number of the first line of its body
 */
public record PythonDefinition(
        List<String> file, int line, String name, List<String> parameters, String type, int first) {
    private static final Pattern HEAD = Pattern.compile("(?<indent>\\s*)(async\\s+)?def\\s+(?<name>\\w+)\\s*\\(.*");
    private static final Pattern CLASS = Pattern.compile("(?<indent>\\s*)class\\s+(?<name>\\w+).*");
    private static final Pattern SIGNATURE = Pattern.compile("[^(]*\\((?<list>.*)\\)[^)]*:.*");
    /** Lines of a signature: more than one parameter a line is rare, and more than fifty parameters are rarer. */
    private static final int SIGNATURE_LINES = 50;

    /** All of a file, in its order. */
    public static List<PythonDefinition> all(List<String> file) {
        return IntStream.rangeClosed(1, file.size())
                .mapToObj(line -> at(file, line))
                .flatMap(Optional::stream)
                .toList();
    }

    /** The innermost around a line, of all definitions of a file. */
    public static Optional<PythonDefinition> around(List<PythonDefinition> all, int line) {
        return all.stream()
                .filter(found -> found.line <= line && line < found.body().end())
                .max(Comparator.comparingInt(PythonDefinition::line));
    }

    private static Optional<PythonDefinition> at(List<String> file, int line) {
        Matcher head = HEAD.matcher(file.get(line - 1));
        if (!head.matches()) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder(file.get(line - 1));
        int next = line;
        while (next < file.size() && next < line + SIGNATURE_LINES && !isWhole(text)) {
            text.append(' ').append(file.get(next++).strip());
        }
        Matcher signature = SIGNATURE.matcher(text);
        List<String> parameters = signature.matches() ? names(signature.group("list")) : List.of();
        String type = type(file, line, head.group("indent").length());
        return next < file.size()
                ? Optional.of(new PythonDefinition(file, line, head.group("name"), parameters, type, next + 1))
                : Optional.empty();
    }

    private static boolean isWhole(CharSequence text) {
        return text.chars().filter(c -> c == '(').count()
                <= text.chars().filter(c -> c == ')').count();
    }

    private static List<String> names(String list) {
        return PythonExpression.elements(list).stream()
                .map(parameter -> parameter.replaceFirst("^\\*+", "").replaceFirst("\\s*[:=].*", ""))
                .toList();
    }

    /** The class in whose body a line stands with an indentation; empty where it stands in none. */
    private static String type(List<String> file, int line, int indent) {
        for (int above = line - 1; above > 0; above--) {
            String text = file.get(above - 1);
            if (!text.isBlank() && text.length() - text.stripLeading().length() < indent) {
                Matcher head = CLASS.matcher(text);
                return head.matches() ? head.group("name") : "";
            }
        }
        return "";
    }

    /** Whether it makes the objects of a class. */
    public boolean isConstructorOf(String name) {
        return type.equals(name) && this.name.equals("__init__");
    }

    /** Whether it is called with an object of its class. */
    public boolean isMethod() {
        return !type.isEmpty() && !parameters.isEmpty() && parameters.getFirst().equals("self");
    }

    /** The function that it defines. */
    public PythonFunction body() {
        return PythonFunction.of(file, first);
    }

    /** The numbers of the lines of its body. */
    public List<Integer> lines() {
        return IntStream.range(first, body().end()).boxed().toList();
    }
}
