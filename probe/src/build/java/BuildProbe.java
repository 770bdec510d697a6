import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Joins the parts of the probe, or of an estimate, to the one file that ships: {@code java BuildProbe.java FOLDER FILE}.
 *
 * <p>The folder is a package for readers and type checkers. Its {@code __init__.py} lists the parts from top to bottom, and each imports only
 * from parts above it. In the file they share one namespace: imports of the standard library are merged at the top; imports between parts,
 * and what only type checkers need, go away. So this program refuses parts for which the package and the file would differ: a name that two
 * parts define, or that a part uses without importing it. The same parts always make the same bytes.
 */
final class BuildProbe {
    /** More than that, nobody reads at once. */
    private static final int MOST_LINES = 250;

    private static final String FRONT = "__init__";
    private static final Pattern LIST = lines("from \\. import \\(([^)]*)\\)\n");
    private static final Pattern OF_PARTS = lines("from \\.(\\w+) import (?:\\(([^)]*)\\)|(.*))\n");
    private static final Pattern OF_LIBRARY = lines("(?:import |from \\w.* import ).*\n");
    private static final Pattern FOR_CHECKERS =
            lines("(?:from (?:typing|__future__) .*\n|if TYPE_CHECKING:\n(?:[ \t]+.*\n)+)");
    private static final Pattern DEFINITION =
            lines("(?:(?:class|def|async def) (\\w+)|(\\w+(?:, \\w+)*)(?::[^=\n]+)? = )");
    private static final Pattern TEXT = Pattern.compile(
            "([rRbBfF]*)(?:\"\"\"[\\s\\S]*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*')|#.*");
    private static final Pattern BRACES = Pattern.compile("\\{([^{}]*)}");
    /** A name that stands for itself: no attribute, no method, no name of an argument in a call. */
    private static final Pattern NAME = Pattern.compile("(?<![\\w.]|def |class )[A-Za-z_]\\w*(?!\\w|=[^=])");

    /** The parts in their order, and the part that defines each name. */
    private final Map<String, String> parts = new LinkedHashMap<>();

    private final Map<String, String> homes = new TreeMap<>();

    public static void main(String[] arguments) throws IOException {
        try {
            String built = new BuildProbe().build(Path.of(arguments[0]));
            Path file = Path.of(arguments[1]).toAbsolutePath();
            Files.createDirectories(file.getParent());
            Files.writeString(file, built);
        } catch (IllegalStateException e) {
            System.err.println("the probe cannot be built: " + e.getMessage());
            System.exit(1);
        }
    }

    private String build(Path folder) throws IOException {
        String front = Files.readString(folder.resolve(FRONT + ".py"));
        List<String> listed = LIST.matcher(front)
                .results()
                .flatMap(found -> names(found.group(1)))
                .toList();
        try (Stream<Path> files = Files.list(folder)) {
            Collection<String> there = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".py"))
                    .map(name -> name.replace(".py", ""))
                    .filter(name -> !name.equals(FRONT))
                    .collect(Collectors.toCollection(TreeSet::new));
            refuse(
                    !there.equals(new TreeSet<>(listed)),
                    "%s.py lists %s, and the folder has %s",
                    FRONT,
                    new TreeSet<>(listed),
                    there);
        }
        for (String part : listed) {
            read(part, Files.readString(folder.resolve(part + ".py")));
        }
        parts.put(FRONT, front);
        parts.forEach(this::check);
        return join(folder.getFileName().toString(), listed, front);
    }

    private void read(String part, String text) {
        long lines = text.lines().count();
        refuse(lines > MOST_LINES, "%s.py has %d lines, and a part has at most %d", part, lines, MOST_LINES);
        parts.put(part, text);
        DEFINITION
                .matcher(code(text))
                .results()
                .flatMap(found -> names(found.group(1) == null ? found.group(2) : found.group(1)))
                .distinct()
                .forEach(name -> {
                    String other = homes.putIfAbsent(name, part);
                    refuse(other != null, "both %s.py and %s.py define %s", other, part, name);
                });
    }

    /** A part imports what it uses, from parts above it. */
    private void check(String part, String text) {
        List<String> order = new ArrayList<>(parts.keySet());
        Collection<String> imported = new TreeSet<>();
        for (MatchResult found : OF_PARTS.matcher(text).results().toList()) {
            String from = found.group(1);
            names(found.group(2) == null ? found.group(3) : found.group(2)).forEach(name -> {
                refuse(
                        !from.equals(homes.get(name)),
                        "%s.py imports %s from %s.py, which does not define it",
                        part,
                        name,
                        from);
                refuse(
                        order.indexOf(from) >= order.indexOf(part),
                        "%s.py names %s of %s.py, which stands below it",
                        part,
                        name,
                        from);
                imported.add(name);
            });
        }
        for (String name : used(text)) {
            String home = homes.getOrDefault(name, part);
            refuse(
                    !home.equals(part) && !imported.contains(name),
                    "%s.py uses %s, a name of %s.py, without importing it",
                    part,
                    name,
                    home);
        }
    }

    private static Collection<String> used(String text) {
        String rest = without(LIST, without(OF_PARTS, without(OF_LIBRARY, code(text))));
        return NAME.matcher(rest).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The text without comments and strings, but for what stands in the braces of f-strings. */
    private static String code(String text) {
        return TEXT.matcher(text).replaceAll(found -> {
            boolean isFormatted =
                    found.group(1) != null && found.group(1).toLowerCase().contains("f");
            return Matcher.quoteReplacement(isFormatted ? inBraces(found.group()) : "''");
        });
    }

    private static String inBraces(String text) {
        return BRACES.matcher(text)
                .results()
                .map(found -> code(found.group(1)))
                .collect(Collectors.joining(") + (", "(", ")"));
    }

    private String join(String folder, List<String> listed, String front) {
        Collection<String> imports = new TreeSet<>();
        StringBuilder bodies = new StringBuilder();
        for (String part : listed) {
            String text = without(FOR_CHECKERS, without(OF_PARTS, parts.get(part)));
            OF_LIBRARY.matcher(text).results().map(MatchResult::group).forEach(imports::add);
            String body = without(OF_LIBRARY, text).strip().replaceFirst("\"\"\"\n{2,}", "\"\"\"\n\n");
            bodies.append("\n\n# ")
                    .append("-".repeat(80))
                    .append(' ')
                    .append(part)
                    .append(".py\n\n")
                    .append(body)
                    .append('\n');
        }
        String essay = front.substring(0, front.indexOf("\nfrom __future__"));
        String all = front.substring(front.indexOf("\n__all__"));
        return "# Built by BuildProbe.java from the parts in probe/" + folder
                + ". Do not edit this file: edit the parts.\n"
                + essay.strip() + "\n\nfrom __future__ import annotations\n\n" + String.join("", imports) + bodies
                + "\n" + all;
    }

    private static Pattern lines(String pattern) {
        return Pattern.compile("^" + pattern, Pattern.MULTILINE);
    }

    private static String without(Pattern pattern, String text) {
        return pattern.matcher(text).replaceAll("");
    }

    private static Stream<String> names(String list) {
        return Stream.of(list.replaceAll("#.*", "").trim().split("\\s*,\\s*"));
    }

    private static void refuse(boolean isBroken, String message, Object... values) {
        if (isBroken) {
            throw new IllegalStateException(message.formatted(values));
        }
    }
}
