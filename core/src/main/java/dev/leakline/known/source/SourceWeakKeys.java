package dev.leakline.known.source;

import dev.leakline.known.Cause;
import dev.leakline.known.edit.SourceEdit;
import dev.leakline.known.python.PythonDefinition;
import dev.leakline.known.python.PythonExpression;
import dev.leakline.known.python.PythonFunction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds dictionaries with weak keys whose values refer to their keys. */
final class SourceWeakKeys {
    private static final Pattern MADE =
            Pattern.compile("\\s*(?<name>[A-Za-z_][\\w.]*)\\s*(:[^=]*)?=.*\\bWeakKeyDictionary\\(.*");
    private static final Pattern STORED = Pattern.compile(
            "\\s*(?<box>[A-Za-z_][\\w.]*)(\\[(?<key>[\\w.]+)\\]\\s*=|\\.setdefault\\((?<first>[\\w.]+),)\\s*(?<value>[^=].*?)\\s*");
    private static final Pattern CALL = Pattern.compile("(?<type>\\w+)\\((?<list>.*)\\)+");
    private static final Pattern DATA = Pattern.compile("\\s*@(dataclasses\\.)?dataclass\\b.*");
    private static final Pattern ATTRIBUTE = Pattern.compile("\\s*self\\.\\w+\\s*(:[^=]*)?=\\s*(?<value>[^=].*)");

    private SourceWeakKeys() {}

    /** The line of a file at which a value, or what makes it, refers to its key. */
    static Optional<SourceClue> referringBack(List<String> file) {
        Set<String> names = names(file);
        return IntStream.rangeClosed(1, names.isEmpty() ? 0 : file.size())
                .boxed()
                .flatMap(line -> stored(file, names, line))
                .findFirst();
    }

    /** Whether a name of a file is that of a dictionary with weak keys. */
    static boolean isWeak(List<String> file, String name) {
        return names(file).contains(name);
    }

    private static Set<String> names(List<String> file) {
        return file.stream()
                .map(MADE::matcher)
                .filter(Matcher::matches)
                .map(made -> made.group("name"))
                .collect(Collectors.toSet());
    }

    private static Stream<SourceClue> stored(List<String> file, Set<String> names, int line) {
        Matcher stored = STORED.matcher(file.get(line - 1));
        if (!stored.matches() || !names.contains(stored.group("box"))) {
            return Stream.empty();
        }
        String key = stored.group("key") == null ? stored.group("first") : stored.group("key");
        return Stream.concat(
                ofValue(file, line, key, stored.group("value")), ofName(file, line, key, stored.group("value")));
    }

    /** Where a value as it is written has its key. */
    private static Stream<SourceClue> ofValue(List<String> file, int line, String key, String value) {
        Matcher call = CALL.matcher(value);
        if (call.matches()) {
            List<String> arguments = PythonExpression.elements(call.group("list"));
            boolean isStored = isDataClass(file, call.group("type"))
                    && arguments.stream().map(PythonExpression::unlabelled).anyMatch(key::equals);
            return isStored ? Stream.of(clue(file, line, key)) : ofObject(file, call.group("type"), arguments, key);
        }
        return PythonExpression.values(value).contains(key) ? Stream.of(clue(file, line, key)) : Stream.empty();
    }

    /** Whether a class of a file stores all that it is made with. */
    private static boolean isDataClass(List<String> file, String type) {
        Pattern head = Pattern.compile("\\s*class\\s+" + type + "\\b.*");
        return IntStream.range(1, file.size())
                .filter(line -> head.matcher(file.get(line)).matches())
                .anyMatch(line -> DATA.matcher(file.get(line - 1)).matches());
    }

    /** Where the function that stores a name gave it a value with the key, or an attribute that is the key. */
    private static Stream<SourceClue> ofName(List<String> file, int line, String key, String name) {
        PythonFunction function = PythonFunction.of(file, line);
        Pattern given =
                Pattern.compile("\\s*" + Pattern.quote(name) + "(?<attribute>\\.\\w+)?\\s*=\\s*(?<value>[^=].*?)\\s*");
        return function.all().stream().flatMap(next -> {
            Matcher matcher = given.matcher(function.line(next));
            return matcher.matches() ? ofValue(file, next, key, matcher.group("value")) : Stream.empty();
        });
    }

    /** Where the constructor of a class of the file stores the argument that is the key. */
    private static Stream<SourceClue> ofObject(List<String> file, String type, List<String> arguments, String key) {
        int position =
                arguments.stream().map(PythonExpression::unlabelled).toList().indexOf(key);
        return position < 0
                ? Stream.empty()
                : PythonDefinition.all(file).stream()
                        .filter(found -> found.isConstructorOf(type))
                        .flatMap(made -> parameter(made, arguments.get(position), position)
                                .flatMap(parameter -> kept(made, parameter)));
    }

    private static Stream<String> parameter(PythonDefinition made, String argument, int position) {
        int equals = argument.indexOf('=');
        return equals > 0
                ? Stream.of(argument.substring(0, equals).strip())
                : made.parameters().stream().skip(position + 1L).limit(1);
    }

    private static Stream<SourceClue> kept(PythonDefinition made, String parameter) {
        return made.lines().stream()
                .filter(line -> {
                    Matcher attribute = ATTRIBUTE.matcher(made.body().line(line));
                    return attribute.matches()
                            && PythonExpression.values(attribute.group("value")).contains(parameter);
                })
                .map(line -> clue(made.file(), line, parameter));
    }

    private static SourceClue clue(List<String> file, int line, String key) {
        String text = PythonFunction.of(file, line).line(line).strip();
        int value = 1 + text.indexOf(text.contains(".setdefault(") ? ',' : '=');
        String after = text.substring(value)
                .replaceAll("(?<![\\w.]|ref\\()" + Pattern.quote(key) + "(?![\\w.(])", "weakref.ref(" + key + ")");
        return SourceClue.of(
                Cause.WEAK_KEYS,
                file,
                line,
                List.of(SourceEdit.of(file, line, text.substring(0, value) + after)
                        .importing(file, "weakref")));
    }
}
