package dev.leakline.lint;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The settings in {@code [tool.leakline.lint]} of the nearest {@code pyproject.toml}: {@code select} and {@code ignore}, lists of rules;
 * {@code exclude}, patterns of paths; {@code min-confidence}.
 */
public record Configuration(List<String> select, List<String> ignore, List<String> exclude, double minConfidence) {
    /** Findings that are less sure are not shown. */
    public static final double LEAST_CONFIDENCE = 0.5;

    private static final String TABLE = "lint";

    public static final Configuration STANDARD = new Configuration(List.of(), List.of(), List.of(), LEAST_CONFIDENCE);

    /** Reads the settings of the folder or the nearest one around it that has a pyproject.toml. Throws IllegalArgumentException where the table is wrong. */
    public static Configuration near(Path path) throws IOException {
        return of(Pyproject.near(path, TABLE));
    }

    static Configuration parse(String text, String file) {
        return of(Pyproject.parse(text, file, TABLE));
    }

    private static Configuration of(Pyproject table) {
        String file = table.file();
        List<String> select = List.of();
        List<String> ignore = List.of();
        List<String> exclude = List.of();
        double confidence = LEAST_CONFIDENCE;
        for (Map.Entry<String, Object> entry : table.entries().entrySet()) {
            Object value = entry.getValue();
            switch (entry.getKey()) {
                case "select" -> select = rules(strings(entry, file), file);
                case "ignore" -> ignore = rules(strings(entry, file), file);
                case "exclude" -> exclude = strings(entry, file);
                case "min-confidence" -> confidence = number(value, file);
                default ->
                    throw new IllegalArgumentException(
                            "%s: [tool.leakline.lint] has no %s; it has select, ignore, exclude and min-confidence"
                                    .formatted(file, entry.getKey()));
            }
        }
        return new Configuration(select, ignore, exclude, confidence);
    }

    private static double number(Object value, String file) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw new IllegalArgumentException(file + ": min-confidence is no number: " + value);
    }

    /** Names of rules, or their beginnings, in upper case. Throws IllegalArgumentException, which names where they are from, where there is none such. */
    private static List<String> rules(List<String> names, String from) {
        List<String> rules = new ArrayList<>();
        for (String name : names) {
            String rule = name.strip().toUpperCase(Locale.ROOT);
            List<String> known = Rule.all().stream().map(Rule::id).toList();
            if (rule.isEmpty() || known.stream().noneMatch(id -> id.startsWith(rule))) {
                throw new IllegalArgumentException(
                        "%s: there is no rule %s; there are %s".formatted(from, name, String.join(", ", known)));
            }
            rules.add(rule);
        }
        return rules;
    }

    private static List<String> strings(Map.Entry<String, Object> entry, String file) {
        if (entry.getValue() instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String.class::cast).toList();
        }
        throw new IllegalArgumentException(
                file + ": " + entry.getKey() + " is no list of strings: " + entry.getValue());
    }

    /** Returns whether a rule is looked for; select and ignore may name the beginning of its id. */
    public boolean isOn(String rule) {
        boolean selected = select.isEmpty() || select.stream().anyMatch(rule::startsWith);
        return selected && ignore.stream().noneMatch(rule::startsWith);
    }

    /** Returns whether a file or folder is left out. */
    boolean excludes(Path path) {
        for (String pattern : exclude) {
            PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
            Path name = path.getFileName();
            if (matcher.matches(path)
                    || (name != null && matcher.matches(name))
                    || path.toString().contains("/" + pattern + "/")) {
                return true;
            }
        }
        return false;
    }

    /** The same with what the command line says instead. Throws IllegalArgumentException where it names no rule. */
    public Configuration with(List<String> selected, List<String> ignored) {
        return new Configuration(
                selected.isEmpty() ? select : rules(selected, "--select"),
                ignored.isEmpty() ? ignore : rules(ignored, "--ignore"),
                exclude,
                minConfidence);
    }
}
