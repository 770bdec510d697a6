package dev.leakline;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keeps each module to those that it may see, and within a module the packages in one line. */
@Tag("house")
final class LayoutTest {
    private static final String ROOT = "dev.leakline";
    private static final String API = "API";

    /**
     * A module, those that it sees besides the JDK and libraries, and its packages, named without {@code dev.leakline}. A package sees those
     * that stand left of it, so none can see itself through others; packages between two {@code <} do not see one another.
     */
    private record Room(String name, Set<String> sees, List<Set<String>> line) {
        static Room of(String name, String sees, String line) {
            return new Room(
                    name,
                    names(sees),
                    Arrays.stream(line.split(" < ", -1)).map(Room::names).toList());
        }

        private static Set<String> names(String list) {
            return COMMA.splitAsStream(list).collect(toSet());
        }

        int rank(String packageName) {
            return IntStream.range(0, line.size())
                    .filter(place -> line.get(place).contains(packageName))
                    .findFirst()
                    .orElse(-1);
        }
    }

    private static final Pattern COMMA = Pattern.compile(", ");
    private static final List<Room> ROOMS = List.of(
            Room.of(
                    "testkit",
                    "",
                    "testkit, testkit.pickle, testkit.holders < testkit.snapshot.event < testkit.snapshot <"
                            + " testkit.fault"),
            Room.of("probe", "", ""),
            Room.of("python", "", "python < python.flow < python.edit < python.keep"),
            Room.of("base", "", "primitive, hash, text < columns, result < objects, finding, known < source < codec"),
            Room.of("growth", "base", "statistics, read.samples < series, live < functions < functions.gpumemprof"),
            Room.of("holders", "base", "read.dump, holders.graph < holders"),
            Room.of(
                    "recordings",
                    "base, growth, holders",
                    "lifetime, read.snapshot, read.trace < steps, allocator < site < floor < evidence < peak, join"
                            + " < levers, detect.growth, detect.room, detect.habits, picture"),
            Room.of(
                    "texts",
                    "base",
                    "source.lines, cases, oom < read.terms < read.log, read.figures, read.clue < conclusion"),
            Room.of(
                    "core",
                    "base, growth, holders, recordings, texts, python",
                    "known.held, read.report, read.looks, compare < known.source, read, gate, verdict, ranks < host <"
                            + " API"),
            Room.of(
                    "report",
                    "base",
                    "report.parquet, report.terminal < report < report.html, report.document < report.export,"
                            + " report.diff, report.detail"),
            Room.of("jvm", "base, growth, core", "nvml < profile"),
            Room.of("attach", "base, probe", "attach.linux < attach"),
            Room.of(
                    "lint",
                    "base, core, python",
                    "lint.names < lint.flow < lint.fix < lint.rule < lint < lint.output, lint.server"),
            Room.of("fleet", "base, core", "fleet"),
            Room.of(
                    "app",
                    "base, growth, recordings, texts, core, report, jvm, attach, lint",
                    "ps < watch < watch.screen, watch.metrics, watch.ladder < cli.common < doctor < bundle,"
                            + " cli.completion, cli.ranks, cli.mcp, cli.serve < cli"),
            Room.of("djl", "jvm", "djl"),
            Room.of("web", "base, core, lint, report", "web < web.build"),
            Room.of("benchmarks", "base, holders, recordings, core, testkit", "benchmarks"));

    /** What the build makes from records that become JSON. */
    private static final Set<String> GENERATED = Set.of("result.jsonb", "lint.output.jsonb", "report.export.jsonb");

    private static final Pattern PACKAGE = Pattern.compile("(?m)^package dev\\.leakline((?:\\.[a-z]\\w*)*);");
    private static final Pattern REFERENCE =
            Pattern.compile("(?:import|\\W) ?dev\\.leakline((?:\\.[a-z]\\w*)*)\\.[A-Z*]\\w*");
    private static final Pattern UNSEEDED = Pattern.compile("import com\\.carrotsearch\\.hppc\\.Long\\w*Hash\\w*");
    private static final Pattern MODULE = Pattern.compile("<module>(\\w+)</module>");
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<groupId>dev\\.leakline</groupId>\\s*<artifactId>leakline-(\\w+)</artifactId>\\s*</dependency>");
    /** Is no reference: a comment, or a name in a text. */
    private static final Pattern COMMENT =
            Pattern.compile("(?s)/\\*.*?\\*/|(?m)^\\s*//.*$|\"dev[.]leakline[.a-zA-Z]*\"");

    @Test
    void everyPackageSeesOnlyWhatStandsLeftOfItAndTheModulesThatItsOwnSees() throws IOException {
        List<String> breaches = new ArrayList<>();
        for (Room room : ROOMS) {
            for (Path source : inJava(room) ? sources(room.name()) : List.<Path>of()) {
                check(room, source, breaches);
            }
        }
        assertThat(breaches).isEmpty();
    }

    private static void check(Room room, Path source, List<String> breaches) throws IOException {
        String code = COMMENT.matcher(Files.readString(source)).replaceAll("");
        String from = packageOf(code);
        if (room.rank(from) < 0) {
            breaches.add("%s: package %s has no place in %s".formatted(source, from, room.name()));
        }
        for (Matcher reference = REFERENCE.matcher(code); reference.find(); ) {
            String to = name(reference.group(1));
            if (!GENERATED.contains(to) && !maySee(room, from, to)) {
                breaches.add("%s names a type of %s, but %s must not see %s".formatted(source, to, from, to));
            }
        }
    }

    private static boolean maySee(Room room, String from, String to) {
        Room home = homeOf(to);
        return from.equals(to)
                || (home.equals(room)
                        ? room.rank(to) < room.rank(from)
                        : room.sees().contains(home.name()));
    }

    private static Room homeOf(String packageName) {
        return ROOMS.stream()
                .filter(room -> room.rank(packageName) >= 0)
                .findFirst()
                .orElseThrow(() -> new AssertionError("package " + packageName + " has no place in any module"));
    }

    @Test
    void everyModuleSeesOnlyThoseThatItMay() throws IOException {
        Map<String, Set<String>> expected = new TreeMap<>();
        Map<String, Set<String>> seen = new TreeMap<>();
        for (Room room : ROOMS) {
            Set<String> sees = new TreeSet<>(room.sees());
            sees.remove("");
            expected.put(room.name(), sees);
        }
        for (String module : named(MODULE, "pom.xml")) {
            seen.put(module, new TreeSet<>(named(DEPENDENCY, module + "/pom.xml")));
        }
        assertThat(seen).isEqualTo(expected);
    }

    /** A module that one person can know alone. */
    @Test
    void noModuleIsLargerThanAThirdOfTheHouse() throws IOException {
        Map<String, Long> lines = new TreeMap<>();
        for (Room room : ROOMS) {
            if (inJava(room)) {
                long count = 0;
                for (Path source : sources(room.name())) {
                    count += Files.readAllLines(source).size();
                }
                lines.put(room.name(), count);
            }
        }
        long all = lines.values().stream().mapToLong(Long::longValue).sum();
        assertThat(lines).allSatisfy((name, count) -> assertThat(count).as(name).isLessThan(all * 3 / 10));
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
        for (Path source : sources()) {
            String code = Files.readString(source);
            if (!packageOf(code).equals("hash") && UNSEEDED.matcher(code).find()) {
                unseeded.add(source);
            }
        }
        assertThat(unseeded).isEmpty();
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

    /** False for the probe, whose Java only builds it. */
    private static boolean inJava(Room room) {
        return !room.name().equals("probe");
    }

    /** Of all modules but testkit, which knows nothing of the others. */
    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Room room : ROOMS) {
            if (inJava(room) && !room.name().equals("testkit")) {
                sources.addAll(sources(room.name()));
            }
        }
        return sources;
    }

    /** Sources of all modules in Java. */
    static List<Path> allSources() throws IOException {
        List<Path> all = new ArrayList<>(sources("testkit"));
        all.addAll(sources());
        return all;
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
