package dev.leakline;

import static java.util.Map.entry;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the packages in one line: each sees only those that stand left of it, so none can see itself through others. */
final class LayoutTest {
    /** From left to right; packages between two {@code <} do not see one another. A name stands for the package below {@code dev.leakline}. */
    private static final String LINE = "primitive, hash, text, statistics, nvml, report.parquet, python"
            + " < columns, result, python.flow"
            + " < python.edit"
            + " < python.keep"
            + " < objects, finding, known, lifetime"
            + " < source, steps, allocator, holders.graph, known.python"
            + " < codec, holders, known.edit, known.held, source.lines"
            + " < read.terms, known.source"
            + " < read.snapshot, read.trace, read.dump, read.log, read.figures, read.clue, read.report, read.samples, site"
            + " < read, floor"
            + " < evidence"
            + " < peak, join"
            + " < levers, detect.growth, detect.room, detect.habits, picture, series, oom, live, cases, host"
            + " < functions"
            + " < functions.gpumemprof, conclusion, verdict, compare, ranks, report.terminal, attach.linux"
            + " < report, attach, ps, gate"
            + " < API, report.html, report.document, lint.python, lint.names"
            + " < profile, lint.flow, fleet, report.export, report.diff"
            + " < djl, lint.fix, watch, web"
            + " < lint.rule, watch.screen, watch.metrics, watch.ladder, web.build"
            + " < lint"
            + " < lint.output, lint.server"
            + " < cli.common"
            + " < doctor"
            + " < bundle, cli.completion, cli.ranks"
            + " < cli, benchmarks";

    private static final String API = "API";
    private static final String ROOT = "dev.leakline";
    private static final Map<String, Integer> RANK = ranks();
    /** Whoever makes text or columns sees no more than this of what stands left of it. */
    private static final Map<String, Set<String>> ONLY = Map.of(
            "report", Set.of("report.terminal", "codec", "result", "text", "primitive"),
            "report.*",
                    Set.of(
                            "report",
                            "report.document",
                            "report.html",
                            "report.parquet",
                            "report.terminal",
                            "codec",
                            "result",
                            "text",
                            "primitive"),
            "codec", Set.of("source", "result", "text"),
            "read.*",
                    Set.of(
                            "read.terms",
                            "hash",
                            "codec",
                            "source",
                            "source.lines",
                            "objects",
                            "columns",
                            "result",
                            "text",
                            "primitive"),
            "attach", Set.of("attach.linux", "text", "primitive"),
            "attach.*", Set.of("text", "primitive"),
            "ps", Set.of("attach.linux", "nvml", "text", "primitive"),
            "lint",
                    Set.of(
                            "lint.rule",
                            "lint.fix",
                            "lint.flow",
                            "lint.python",
                            "python",
                            "API",
                            "known",
                            "result",
                            "text"),
            "lint.*",
                    Set.of(
                            "lint",
                            "lint.rule",
                            "lint.fix",
                            "lint.flow",
                            "lint.python",
                            "lint.names",
                            "python",
                            "result",
                            "text"),
            "djl", Set.of("profile"));

    /** The Maven modules, and which of them each sees. */
    private static final Map<String, Set<String>> MODULES = Map.ofEntries(
            entry("testkit", Set.of()),
            entry("probe", Set.of()),
            entry("core", Set.of("python")),
            entry("python", Set.of()),
            entry("report", Set.of("core")),
            entry("web", Set.of("report")),
            entry("jvm", Set.of("core")),
            entry("attach", Set.of("core", "probe")),
            entry("lint", Set.of("core", "python")),
            entry("fleet", Set.of("core")),
            entry("app", Set.of("core", "report", "jvm", "attach", "lint")),
            entry("djl", Set.of("jvm")),
            entry("benchmarks", Set.of("core", "testkit")));
    /** What the build makes from records that become JSON. */
    private static final Set<String> GENERATED = Set.of("result.jsonb", "lint.output.jsonb", "report.export.jsonb");
    /** A file of fewer lines that only one other names tells no story of its own; it belongs into that one. */
    private static final int FEWEST_LINES = 40;
    /** Packages of many files alike, which a reader looks up by name however small each is: columns, the field's knowledge, records, texts. */
    private static final Set<String> ALIKE = Set.of(
            "columns",
            "known",
            "known.python",
            "known.edit",
            "known.held",
            "known.source",
            "read.clue",
            "result",
            "profile",
            "report",
            "report.terminal");
    /** Lists that grow: what is added is added there. */
    private static final Set<String> LISTS = Set.of("Checks", "Detectors");

    private static final Pattern PACKAGE = Pattern.compile("(?m)^package dev\\.leakline((?:\\.[a-z]\\w*)*);");
    private static final Pattern REFERENCE =
            Pattern.compile("(?:import|\\W) ?dev\\.leakline((?:\\.[a-z]\\w*)*)\\.[A-Z*]\\w*");
    private static final Pattern UNSEEDED = Pattern.compile("import com\\.carrotsearch\\.hppc\\.Long\\w*Hash\\w*");
    private static final Pattern MODULE = Pattern.compile("<module>(\\w+)</module>");
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<groupId>dev\\.leakline</groupId>\\s*<artifactId>leakline-(\\w+)</artifactId>\\s*</dependency>");
    private static final Pattern WORD = Pattern.compile("\\W+");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)^\\s*//.*$");

    @Test
    void everyPackageSeesOnlyWhatStandsLeftOfIt() throws IOException {
        List<String> breaches = new ArrayList<>();
        for (Path source : sources()) {
            check(source, breaches);
        }
        assertThat(breaches)
                .as("breaches of the line %s; more strictly %s only", LINE, ONLY)
                .isEmpty();
    }

    private static void check(Path source, List<String> breaches) throws IOException {
        String code = COMMENT.matcher(Files.readString(source)).replaceAll("");
        String from = packageOf(code);
        if (!RANK.containsKey(from)) {
            breaches.add("%s: package %s has no place in the line".formatted(source, from));
        }
        for (Matcher reference = REFERENCE.matcher(code); reference.find(); ) {
            String to = name(reference.group(1));
            if (!GENERATED.contains(to) && !to.startsWith("testkit") && !mayName(from, to)) {
                breaches.add("%s names a type of %s, but %s must not see %s".formatted(source, to, from, to));
            }
        }
    }

    private static boolean mayName(String from, String to) {
        if (from.equals(to)) {
            return true;
        }
        Set<String> allowed = ONLY.get(from.replaceFirst("\\..*", ".*"));
        return (allowed == null || allowed.contains(to))
                && RANK.getOrDefault(to, Integer.MAX_VALUE) < RANK.getOrDefault(from, 0);
    }

    @Test
    void everyModuleSeesOnlyThoseThatItMay() throws IOException {
        Map<String, Set<String>> seen = new HashMap<>();
        for (String module : named(MODULE, "pom.xml")) {
            seen.put(module, named(DEPENDENCY, module + "/pom.xml"));
        }
        assertThat(seen).isEqualTo(MODULES);
    }

    /** What a build has without its profiles. */
    private static Set<String> named(Pattern pattern, String file) throws IOException {
        String text = Files.readString(Repository.root().resolve(file)).replaceFirst("(?s)<profiles>.*", "");
        return pattern.matcher(text).results().map(match -> match.group(1)).collect(toSet());
    }

    /** Keys that come from a file may have been chosen to collide; most numbers of 64 bits come from one. */
    @Test
    void onlySeededTablesHaveLongKeys() throws IOException {
        List<Path> unseeded = new ArrayList<>();
        for (Path source : sources("core")) {
            String code = Files.readString(source);
            if (!packageOf(code).equals("hash") && UNSEEDED.matcher(code).find()) {
                unseeded.add(source);
            }
        }
        assertThat(unseeded).isEmpty();
    }

    @Test
    void aPackageIsOfOneModule() throws IOException {
        Map<String, Set<String>> modules = new TreeMap<>();
        for (String module : inJava()) {
            for (Path source : sources(module)) {
                modules.computeIfAbsent(packageOf(Files.readString(source)), _ -> new TreeSet<>())
                        .add(module);
            }
        }
        assertThat(modules)
                .allSatisfy((name, places) ->
                        assertThat(places).as("modules of %s", name).hasSize(1));
    }

    /** One of several of a kind, which others know by what it implements, may be small. */
    @Test
    void aFileTellsAStory() throws IOException {
        Map<String, String> codes = new TreeMap<>();
        Map<String, Set<String>> words = new HashMap<>();
        for (Path source : sources()) {
            String code = COMMENT.matcher(Files.readString(source)).replaceAll("");
            codes.put(typeOf(source), code);
            words.put(typeOf(source), WORD.splitAsStream(code).collect(toSet()));
        }
        List<String> tiny = new ArrayList<>();
        for (Path source : sources()) {
            String type = typeOf(source);
            String code = codes.getOrDefault(type, "");
            boolean isAlike = ALIKE.contains(packageOf(code)) || LISTS.contains(type) || code.contains(" implements ");
            if (!isAlike && Files.readAllLines(source).size() < FEWEST_LINES) {
                long users = words.entrySet().stream()
                        .filter(other ->
                                !other.getKey().equals(type) && other.getValue().contains(type))
                        .count();
                if (users == 1) {
                    tiny.add(type);
                }
            }
        }
        assertThat(tiny)
                .as("files of fewer than %s lines that one other file names", FEWEST_LINES)
                .isEmpty();
    }

    private static String typeOf(Path source) {
        return source.getFileName().toString().replace(".java", "");
    }

    @Test
    void aNameMeansOneThing() throws IOException {
        Map<String, Long> names = Stream.concat(sources().stream(), sources("testkit").stream())
                .map(source -> source.getFileName().toString())
                .collect(groupingBy(name -> name, TreeMap::new, counting()));
        names.values().removeIf(count -> count == 1);
        assertThat(names).as("names that several top-level types have").isEmpty();
    }

    @Test
    void nothingButATestIsCalledTest() throws IOException {
        assertThat(sources()).noneMatch(source -> source.toString().endsWith("Test.java"));
    }

    private static String packageOf(String code) {
        Matcher matcher = PACKAGE.matcher(code);
        return matcher.find() ? name(matcher.group(1)) : "(none)";
    }

    static String fullPackage(String code) {
        Matcher matcher = PACKAGE.matcher(code);
        return matcher.find() ? ROOT + matcher.group(1) : "(none)";
    }

    /** The packages that the code of a module names types of. */
    static Set<String> referenced(String module) throws IOException {
        Set<String> packages = new TreeSet<>();
        for (Path source : sources(module)) {
            String code = COMMENT.matcher(Files.readString(source)).replaceAll("");
            REFERENCE.matcher(code).results().forEach(found -> packages.add(ROOT + found.group(1)));
        }
        return packages;
    }

    private static String name(String suffix) {
        return suffix.isEmpty() ? API : suffix.substring(1);
    }

    private static Map<String, Integer> ranks() {
        Map<String, Integer> ranks = new HashMap<>();
        String[] places = LINE.split(" < ", -1);
        for (int rank = 0; rank < places.length; rank++) {
            for (String name : places[rank].split(", ", -1)) {
                ranks.put(name, rank);
            }
        }
        return ranks;
    }

    /** The modules but the probe, whose Java only builds it. */
    private static Set<String> inJava() {
        return MODULES.keySet().stream()
                .filter(module -> !module.equals("probe"))
                .collect(toSet());
    }

    /** Of all modules but testkit, which knows nothing of the others. */
    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : inJava()) {
            if (!module.equals("testkit")) {
                sources.addAll(sources(module));
            }
        }
        return sources;
    }

    static List<Path> sources(String module) throws IOException {
        try (Stream<Path> files = Files.walk(Repository.root().resolve(module + "/src/main/java"))) {
            List<Path> sources = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("package-info.java") && !file.endsWith("module-info.java"))
                    .toList();
            assertThat(sources).as("Java sources of %s", module).isNotEmpty();
            return sources;
        }
    }
}
