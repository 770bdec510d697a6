package dev.leakline.known.python;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a call in a file calls: functions, methods and objects of that file, and of those beside it that it imports from.
 *
 * @param file the lines of the file
 * @param definitions all functions that it may call
 */
public record SourceCallees(List<String> file, List<PythonDefinition> definitions) {
    private static final Pattern IMPORT = Pattern.compile("\\s*from\\s+(?<module>[\\w.]+)\\s+import\\b.*");
    /** What runs where an object is called. */
    private static final Set<String> CALLED = Set.of("__call__", "forward");

    /** Callees of a file, with those of the modules that it imports from, as far as {@code modules} has them. */
    public static SourceCallees of(List<String> file, Function<String, List<String>> modules) {
        Stream<List<String>> imported = file.stream()
                .map(IMPORT::matcher)
                .filter(Matcher::matches)
                .map(found -> modules.apply(found.group("module")));
        return new SourceCallees(
                file,
                Stream.concat(Stream.of(file), imported)
                        .distinct()
                        .flatMap(lines -> PythonDefinition.all(lines).stream())
                        .toList());
    }

    /**
     * A function that may be called.
     *
     * @param definition its definition
     * @param isSure whether the program says so, and not only the function's name
     */
    public record Callee(PythonDefinition definition, boolean isSure) {
        /** Its lines. */
        public PythonFunction body() {
            return definition.body();
        }

        /** The parameter that an argument is for: by its name, else by its place. */
        public Stream<String> parameter(String name, int position) {
            return name.isEmpty()
                    ? definition.parameters().stream()
                            .skip(position + (definition.isMethod() ? 1L : 0L))
                            .limit(1)
                    : definition.parameters().stream().filter(name::equals);
        }

        /** Whether what has a name lives longer than a call: an attribute, or what no line of the function makes. */
        public boolean outlives(String box) {
            String root = box.split("[.\\[]", -1)[0];
            Pattern made = Pattern.compile("\\s*" + Pattern.quote(root) + "\\s*(:[^=]*)?=[^=].*");
            boolean isGlobal = definition.lines().stream()
                    .map(body()::line)
                    .anyMatch(text -> text.matches("\\s*(global|nonlocal)\\b.*\\b" + Pattern.quote(root) + "\\b.*"));
            boolean isGiven = definition.parameters().contains(root) && !root.equals("self");
            boolean isMade = definition.lines().stream()
                    .map(body()::line)
                    .anyMatch(text -> made.matcher(text).matches());
            return isGlobal || (!isGiven && !isMade);
        }
    }

    /** What a call by a name may run. */
    public Stream<Callee> of(String name) {
        int dot = name.lastIndexOf('.');
        Stream<Callee> functions = definitions.stream()
                .filter(found ->
                        dot < 0 && found.type().isEmpty() && found.name().equals(name))
                .map(found -> new Callee(found, true));
        Stream<Callee> objects = methods(name, CALLED).filter(Callee::isSure);
        Stream<Callee> methods =
                dot < 0 ? Stream.empty() : methods(name.substring(0, dot), Set.of(name.substring(dot + 1)));
        return Stream.of(functions, objects, methods).flatMap(Function.identity());
    }

    private Stream<Callee> methods(String receiver, Set<String> names) {
        List<PythonDefinition> named = definitions.stream()
                .filter(found -> found.isMethod() && names.contains(found.name()))
                .toList();
        Set<String> types = types(receiver);
        List<PythonDefinition> sure =
                named.stream().filter(found -> types.contains(found.type())).toList();
        boolean isOnly = types.isEmpty() && named.size() == 1;
        return Stream.concat(
                sure.stream().map(found -> new Callee(found, true)),
                named.stream().filter(_ -> isOnly).map(found -> new Callee(found, false)));
    }

    /** The classes of which something with a name is made, or is said to be. */
    private Set<String> types(String receiver) {
        Pattern made = Pattern.compile("(.*[\\s(,])?" + Pattern.quote(receiver)
                + "\\s*(:\\s*[\"']?(?<said>\\w+)[^=,]*|(:[^=]*)?=\\s*(?:[\\w.]+\\.)?(?<type>[A-Z]\\w*)\\(.*)(\\W.*)?");
        Set<String> said = IntStream.rangeClosed(1, file.size())
                .mapToObj(line -> made.matcher(file.get(line - 1)))
                .filter(Matcher::matches)
                .map(found -> found.group("type") == null ? found.group("said") : found.group("type"))
                .collect(Collectors.toSet());
        return receiver.equals("self") ? Set.of() : said;
    }
}
