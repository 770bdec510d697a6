package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.testkit.Thoroughness;
import dev.leakline.testkit.holders.KnownOwners;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that leak, and some that do not, run as users run them, with the real probe inside: by the command that LEAKLINE_PYTHON names, which
 * must have torch and a GPU or something that stands in for one. The first of each kind starts it, the others are forked from one that has imported
 * torch.
 */
@Order(1)
class RunScenariosTest {
    private static final int TOO_FEW_DEVICES = 77;
    private static final Path OURS =
            Path.of("../testkit/scenarios").toAbsolutePath().normalize();

    /** Time for dumps while memory grows, also on a machine that is busy: of a large graph that is read in part, any variable may be the owner. */
    private static final String LONG_PAUSE = "30s";

    /** What they keep is a function's own, and gone at the exit; and without steps, nobody sees that they grow. */
    private static final Set<String> GONE = Set.of("deferred_log_lines", "hidden_state_not_detached");

    /** Runs a program in which an out-of-memory error is the end. The limit takes the place of a smaller device. */
    private static final String JOB = """
            import importlib, sys, torch
            torch.backends.cudnn.enabled = False
            program = importlib.import_module(sys.argv[1])
            if torch.cuda.device_count() < getattr(program, "GPUS", 1):
                sys.exit(77)
            if sys.argv[1] == "fragmented":
                torch.cuda.set_per_process_memory_fraction(3.5 * 2**30 / torch.cuda.get_device_properties(0).total_memory)
            program.main()
            """;

    /** What was printed, and the exit code, which is the job's. */
    private record Ran(int exit, String text) {}

    @TempDir
    private static Path shared;

    private static @Nullable WarmPython warm;

    @TempDir
    private Path folder;

    @BeforeAll
    static void warmUp() throws IOException {
        String python = System.getenv("LEAKLINE_PYTHON");
        assumeTrue(python != null, "LEAKLINE_PYTHON is not set, and this test needs a Python with torch and a GPU");
        Files.writeString(shared.resolve("job.py"), JOB);
        warm = new WarmPython(python, shared);
    }

    @AfterAll
    static void end() {
        if (warm != null) {
            warm.close();
        }
    }

    @Test
    void theFindingNamesTheListThatKeepsAGraphPerStep() throws Exception {
        assertThat(run(OURS, "graphs_retained", true).text)
                .contains(
                        "graphs_retained.py:11",
                        "  held by  losses of running call of main",
                        "root ref losses, losses[*]: its autograd graph outlives",
                        "1. Put x.detach().cpu() into losses instead of x");
    }

    @TestFactory
    Stream<DynamicTest> ourFindingsNameTheirOwners() {
        return leaks(OURS, KnownOwners.OURS, RunScenariosTest::kind);
    }

    @TestFactory
    Stream<DynamicTest> findingsOfLeakbenchNameTheirOwners() {
        return leakbench().stream().flatMap(folder -> leaks(folder, KnownOwners.LEAKBENCH, _ -> "leakbench"));
    }

    private Stream<DynamicTest> leaks(Path scenarios, Map<String, String> owners, Function<String, String> kind) {
        List<String> names = owners.keySet().stream().sorted().toList();
        return tests(names, kind, (name, isFresh) -> check(run(scenarios, name, isFresh), name, owners.get(name)));
    }

    /** What a scenario is to show, run by a Python of its own or by a warm one. */
    private interface Check {
        void check(String name, boolean isFresh) throws Exception;
    }

    private static Stream<DynamicTest> tests(List<String> names, Function<String, String> kind, Check check) {
        return Thoroughness.ofEachKind(names, kind).stream()
                .map(name -> dynamicTest(name, () -> check.check(name, name.equals(names.getFirst()))));
    }

    private static String kind(String name) {
        String kind = name.matches("(oom|second)_.*") ? name.substring(0, 3) : "leak";
        return GONE.contains(name) ? "gone" : KnownOwners.CUTS.containsKey(name) ? "cycle" : kind;
    }

    private static void check(Ran ran, String name, String owner) {
        assumeTrue(ran.exit != TOO_FEW_DEVICES, "needs more devices");
        if (KnownOwners.CUTS.containsKey(name) && ran.text.contains("not joined: no tensor was left on a device")) {
            checkCollected(ran.text, name, owner);
            return;
        }
        String expected = GONE.contains(name)
                ? "not joined: no tensor was left on a device when it was written. To see who held the memory"
                : "  held by  " + owner;
        String whileItRan =
                "  held by  " + owner.replaceFirst("^main\\.(.*) of module .*", "$1 of running call of main");
        assertThat(ran.text).contains(name + ".py:");
        // of the two tensors of an LSTM's state, which hold one graph, either may be named
        String text = ran.text.replaceAll("\\[1] of running call", "[0] of running call");
        assertThat(Stream.of(expected, whileItRan).anyMatch(text::contains) || isSeenWithinTheModel(ran.text, name))
                .as(ran.text)
                .isTrue();
        if (KnownOwners.CUTS.containsKey(name)) {
            assertThat(ran.text).startsWith("reference_cycle").contains("  cut at   " + KnownOwners.CUTS.get(name));
        }
    }

    /** Where nothing marks steps, a dump may find the main thread within a call of the model, whose argument is what main keeps. */
    private static boolean isSeenWithinTheModel(String text, String name) {
        return GONE.contains(name)
                && text.lines().anyMatch(line -> line.matches("  held by  \\S+ of running call of \\S+\\.forward .*"));
    }

    /** The collector came after the last step, when it likes: what it freed then names the cycle instead of the dump. */
    private static void checkCollected(String text, String name, String owner) {
        String cycle = owner.substring(owner.lastIndexOf(' ') + 1);
        String cut = KnownOwners.CUTS.get(name).replaceFirst("\\[\\*]| \\(closed over\\)", "");
        assertThat(text).startsWith("reference_cycle").contains(name + ".py:", "freed only by the garbage collector: ");
        assertThat(text.lines().filter(line -> line.startsWith("  cycle     ")))
                .anySatisfy(line -> assertThat(line).contains(cycle, cut));
    }

    @TestFactory
    Stream<DynamicTest> programsThatKeepNothingAreAccusedOfNothing() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path scenarios : leakbench()) {
            tests(
                            cleanOnes(scenarios),
                            _ -> "clean",
                            (name, isFresh) -> assertThat(run(scenarios, name, isFresh).text)
                                    .startsWith("no_leak")
                                    .doesNotContain("  held by"))
                    .forEach(tests::add);
        }
        return tests.stream();
    }

    private static List<String> cleanOnes(Path scenarios) throws IOException {
        try (Stream<Path> files = Files.list(scenarios)) {
            return files.map(file -> file.getFileName().toString().replace(".py", ""))
                    .filter(name -> name.startsWith("clean_"))
                    .sorted()
                    .toList();
        }
    }

    /** The folder of leakbench's programs, where there is one. */
    private static List<Path> leakbench() {
        String data = System.getenv("LEAKLINE_DATA");
        return data == null ? List.of() : List.of(Path.of(data, "leakbench", "scenarios"));
    }

    /** What is printed at the end of a scenario that runs with the probe, from the verdict on. */
    private Ran run(Path scenarios, String scenario, boolean isFresh) throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        Path kept = Files.createTempDirectory(folder, scenario);
        Process process = command(scenarios, scenario, isFresh, kept)
                .directory(folder.toFile())
                .redirectOutput(Redirect.DISCARD)
                .redirectError(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(said);
        int verdict = text.indexOf("\n\n", text.indexOf(kept.toString()));
        assertThat(verdict).as(text).isPositive();
        return new Ran(process.exitValue(), text.substring(verdict).strip());
    }

    private static ProcessBuilder command(Path scenarios, String scenario, boolean isFresh, Path kept) {
        Path job = shared.resolve("job.py");
        List<String> command = new ArrayList<>(Program.command(
                Map.of("leakline.columns", "160"),
                "run",
                "--full",
                "--max-pause",
                LONG_PAUSE,
                "--keep",
                kept.toString(),
                "--"));
        if (isFresh) {
            command.addAll(List.of(System.getenv("LEAKLINE_PYTHON").split(" ", -1)));
            command.addAll(List.of(job.toString(), scenario));
        } else {
            command.addAll(Objects.requireNonNull(warm).run(job, scenario));
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .put("PYTHONPATH", scenarios + ":" + scenarios.resolve("site-packages") + ":" + scenarios.getParent());
        return builder;
    }
}
