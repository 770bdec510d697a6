package dev.leakline.lint;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code [tool.leakline.lint]} of the nearest {@code pyproject.toml} says: {@code select} and {@code ignore}, lists of rules;
 * {@code exclude}, patterns of paths; {@code min-confidence}.
 *
 * <p>Only this table is read, and of TOML only what it may hold: strings, numbers and lists of strings.
 */
public record Configuration(List<String> select, List<String> ignore, List<String> exclude, double minConfidence) {
    /** Findings that are less sure are not shown. */
    public static final double LEAST_CONFIDENCE = 0.5;

    public static final Configuration STANDARD = new Configuration(List.of(), List.of(), List.of(), LEAST_CONFIDENCE);

    private static final String FILE = "pyproject.toml";
    private static final Pattern TABLE = Pattern.compile("(?ms)^\\[tool\\.leakline\\.lint]\\s*$(.*?)(?=^\\[|\\z)");
    private static final Pattern ENTRY = Pattern.compile("(?ms)^\\s*([\\w-]+)\\s*=\\s*(\\[.*?]|[^\\n#]+)");
    private static final Pattern STRING = Pattern.compile("\"([^\"]*)\"|'([^']*)'");

    /** Of the folder or the nearest one around it that has a pyproject.toml. Throws IllegalArgumentException where the table is wrong. */
    public static Configuration near(Path path) throws IOException {
        for (Path folder = path.toAbsolutePath().normalize(); folder != null; folder = folder.getParent()) {
            Path file = folder.resolve(FILE);
            if (Files.isRegularFile(file)) {
                return parse(Files.readString(file), file.toString());
            }
        }
        return STANDARD;
    }

    static Configuration parse(String text, String file) {
        Matcher table = TABLE.matcher(text.replace("\r\n", "\n"));
        if (!table.find()) {
            return STANDARD;
        }
        List<String> select = List.of();
        List<String> ignore = List.of();
        List<String> exclude = List.of();
        double confidence = LEAST_CONFIDENCE;
        for (Matcher entry = ENTRY.matcher(table.group(1)); entry.find(); ) {
            String value = entry.group(2).strip();
            switch (entry.group(1)) {
                case "select" -> select = rules(strings(value), file);
                case "ignore" -> ignore = rules(strings(value), file);
                case "exclude" -> exclude = strings(value);
                case "min-confidence" -> confidence = number(value, file);
                default ->
                    throw new IllegalArgumentException(
                            "%s: [tool.leakline.lint] has no %s; it has select, ignore, exclude and min-confidence"
                                    .formatted(file, entry.group(1)));
            }
        }
        return new Configuration(select, ignore, exclude, confidence);
    }

    private static double number(String value, String file) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(file + ": min-confidence is no number: " + value, e);
        }
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

    private static List<String> strings(String value) {
        List<String> strings = new ArrayList<>();
        for (Matcher matcher = STRING.matcher(value); matcher.find(); ) {
            strings.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
        }
        return strings;
    }

    /** Whether a rule is looked for; select and ignore may name the beginning of its id. */
    public boolean isOn(String rule) {
        boolean selected = select.isEmpty() || select.stream().anyMatch(rule::startsWith);
        return selected && ignore.stream().noneMatch(rule::startsWith);
    }

    /** Whether a file or folder is left out. */
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
