package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.cli.common.Failures;
import dev.leakline.testkit.Thoroughness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs are started as users start them, with a stand-in for the probe. */
class RunCommandTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void hasPython() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":", -1))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, "python3"))),
                "needs python3");
    }

    @Test
    void theJobKeepsItsOutputAndItsExitCode() throws Exception {
        Outcome outcome = run("--keep", "out", "--", "python3", "-c", "import sys; print('from the job'); sys.exit(7)");

        assertThat(outcome.exit()).isEqualTo(7);
        assertThat(outcome.out()).isEqualTo("from the job\n");
        assertThat(outcome.err()).contains("kept 1 file of the job in ").contains("leakline holders ");
    }

    @Test
    void theProbeIsToldWhatWasAskedFor() throws Exception {
        run(
                "--keep",
                "out",
                "--at",
                "oom,interval:30",
                "--history",
                "12345",
                "--target",
                "cpu",
                "--",
                "python3",
                "-c",
                "");

        assertThat(kept(".holders")).hasSize(1);
        assertThat(Files.readString(kept(".holders").getFirst())).isEqualTo("oom,interval:30 12345 cpu");
    }

    @Test
    void everyPythonThatTheJobStartsIsArmedToo() throws Exception {
        run("--keep", "out", "--", "sh", "-c", "python3 -c ''; python3 -c ''");

        assertThat(kept(".holders")).hasSize(2);
    }

    @Test
    void theReportHasTheFormThatItsNameEndsIn() throws Exception {
        Path snapshot = example();
        for (String name : List.of("report.json", "report.html", "report.txt")) {
            Outcome outcome = run(
                    "--keep",
                    "out",
                    "--report",
                    name,
                    "--",
                    "env",
                    "STUB_SNAPSHOT=" + snapshot,
                    "python3",
                    "-c",
                    "print(5)");

            assertThat(outcome.exit()).isZero();
            assertThat(outcome.out()).isEqualTo("5\n");
            assertThat(outcome.err()).contains("leakline: leak: ").doesNotContain("critical  ");
            assertThat(outcome.errLines()).allMatch(line -> line.startsWith("leakline: "));
            assertThat(Files.readString(folder.resolve(name))).contains("train_with_a_leak.py");
        }
        assertThat(Files.readString(folder.resolve("report.json"))).contains("\"leakline.report/1\"");
        assertThat(Files.readString(folder.resolve("report.txt"))).contains("probably a result is kept");
    }

    @Test
    void allProcessesAreInOneReport() throws Exception {
        String twice = "STUB_SNAPSHOT=" + example() + " python3 -c ''; ";
        Outcome outcome = run("--keep", "out", "--report", "all.json", "--", "sh", "-c", twice + twice);

        assertThat(outcome.exit()).isZero();
        String report = Files.readString(folder.resolve("all.json")).replaceAll("\\s", "");
        assertThat(report).contains("\"inputs\":[0,1]");
    }

    @Test
    void theReportNamesTheOwnerByTheDumpOfTheSameProcess() throws Exception {
        Path recorded = root().resolve("testkit/scenarios/holders");
        Outcome outcome = run(
                "--full",
                "--keep",
                "out",
                "--",
                "env",
                "STUB_SNAPSHOT=" + recorded.resolve("scaled_losses.pickle.gz"),
                "STUB_HOLDERS=" + recorded.resolve("scaled_losses.holders.gz"),
                "python3",
                "-c",
                "");

        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .contains("  held by  main.run.curve of module scaled_losses", "root ref .run, .curve[*]");
    }

    @Test
    void aJobThatLeaksFailsWhereThatIsAskedForAndItDidNotFailItself() throws Exception {
        String snapshot = "STUB_SNAPSHOT=" + example();
        String[] command = {"--quiet", "--fail-on", "leak", "--", "env", snapshot, "python3", "-c"};

        Outcome leaks = run(arguments(command, "pass"));
        assertThat(leaks.exit()).isEqualTo(Failures.FOUND);
        assertThat(leaks.err()).contains("probably a result is kept").doesNotContain("leakline: kept");
        assertThat(run(arguments(command, "raise SystemExit(7)")).exit()).isEqualTo(7);
        assertThat(run("--fail-on", "leak", "--", "python3", "-c", "").exit()).isZero();
    }

    private static String[] arguments(String[] first, String last) {
        return Stream.concat(Stream.of(first), Stream.of(last)).toArray(String[]::new);
    }

    @Test
    void aFolderThatIsNoneKeepsNoJobFromRunning() throws Exception {
        Files.createFile(folder.resolve("out"));
        Outcome outcome = run(
                "--keep",
                "out",
                "--report",
                "report.json",
                "--",
                "env",
                "STUB_SNAPSHOT=" + example(),
                "python3",
                "-c",
                "print(5); raise SystemExit(7)");

        assertThat(outcome.exit()).isEqualTo(7);
        assertThat(outcome.out()).isEqualTo("5\n");
        assertThat(outcome.err()).contains("it is a file and not a folder", "--keep names another folder");
        assertThat(Files.readString(folder.resolve("report.json"))).contains("train_with_a_leak.py");
        assertThat(run("--report", "none/report.json", "--", "true").exit()).isEqualTo(2);
        assertThat(run("--report", "report.pickle", "--", "true").err()).contains("ends in .json, .html or .txt");
    }

    @Test
    void aFolderThatTheJobRemovesChangesNoExitCode() throws Exception {
        assertThat(run("--keep", "out", "--", "sh", "-c", "rmdir out; exit 7").exit())
                .isEqualTo(7);
    }

    /** The probe's note of growth, of a process of that name: what grows is told while the job still runs, unless that is not wanted. */
    @Test
    void growthIsToldWhileTheJobRuns() throws Exception {
        String job =
                "import os, time; open(os.environ['LEAKLINE_RUN'] + '/7', 'w').write('armed\\ngrows steps 28 29360128 14.0 10737418240 9 '"
                        + " + os.environ['LEAKLINE_OUT'] + '/train-7\\n'); time.sleep(4)";
        String told =
                "leakline: train-7: GPU memory grew by about 28.0 MiB in 28 steps (1.00 MiB each); if it goes on so, its GPU is"
                        + " full in about 85 min, as 10.0 GiB are left; leakline report ";

        assertThat(run("--keep", "out", "--", "python3", "-c", job).err()).contains(told);
        assertThat(run("--keep", "out", "--quiet", "--", "python3", "-c", job).err())
                .doesNotContain("train-7: GPU");
        assertThat(run("--keep", "out", "--max-pause", "5", "--", "true").err())
                .contains("--max-pause 5: expected a time such as 200ms or 2s, or 0");
    }

    /** Of a process whose growth was told its end is told as well, and of another nothing. */
    @Test
    void growthThatEndedIsTakenBack() throws Exception {
        String job = """
                import os, time
                out = os.environ['LEAKLINE_OUT']
                with open(os.environ['LEAKLINE_RUN'] + '/7', 'w') as notes:
                    notes.write(f'armed\\ngrows steps 28 29360128 14.0 10737418240 9 {out}/train-7\\n')
                    notes.write(f'rests steps 40 1048576 20.0 -1 -1 {out}/train-7\\n')
                    notes.write(f'rests steps 40 1048576 20.0 -1 -1 {out}/other-7\\n')
                time.sleep(4)
                """;
        assertThat(run("--keep", "out", "--", "python3", "-c", job).err())
                .contains("leakline: train-7: GPU memory has grown by no more than 1.00 MiB in the last 40 steps, so"
                        + " what was predicted before no longer holds")
                .doesNotContain("other-7");
    }

    @Test
    void aSignalThatIsSentToAllReachesTheJobOnce() throws Exception {
        String job = """
                import signal, time
                told = []
                signal.signal(signal.SIGTERM, lambda *_: told.append(1))
                print('ready', flush=True)
                while not told: time.sleep(0.01)
                time.sleep(2)
                print('told', len(told), flush=True)
                """;
        Path out = folder.resolve("signals.out");
        Path script = Files.writeString(folder.resolve("group.py"), """
                import os, signal, subprocess, sys, time
                child = subprocess.Popen(sys.argv[2:], start_new_session=True)
                while 'ready' not in open(sys.argv[1]).read(): time.sleep(0.01)
                os.killpg(child.pid, signal.SIGTERM)
                sys.exit(child.wait())
                """);
        List<String> command = new ArrayList<>(List.of("python3", script.toString(), out.toString()));
        command.addAll(Program.command(Map.of(), arguments("--", "python3", "-c", job)));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .start();

        assertThat(process.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(Files.readString(out)).isEqualTo("ready\ntold 1\n");
    }

    @Test
    void functionsAreToldByTheirPeaks() throws Exception {
        Outcome outcome = count("""
                {"function_name": "small", "calls": 1, "raised": 0, "longest": 0.5, "most": [[0, 1048576, 524288, 0]]}
                {"function_name": "large", "calls": 1, "raised": 0, "longest": 0.5, "most": [[0, 3145728, 524288, 0]]}
                {"function_name": "large", "calls": 9, "raised": 2, "longest": 1.25, "most": [[0, 1, 1, 1], [1, 4194304, 2097152, -1048576]]}
                {"function_name": "cu""");

        assertThat(outcome.err())
                .containsSubsequence(
                        "process 7",
                        "functions by peak",
                        "4.00 MiB    2.00 MiB   -1.00 MiB          9    1.250 s  large, 2 raised an error",
                        "1.00 MiB     512 KiB         0 B          1    0.500 s  small");
    }

    @Test
    void whatTheGarbageCollectorFreedIsToldWithItsCycles() throws Exception {
        Outcome outcome = count("""
                {"gc": 0, "freed": 1048576, "freed_so_far": 1048576, "runs_so_far": 1, "cycles": [["a1", 1, 1048576]], "explained": [{"signature": "a1", "cycle": "Trainer.me -> Trainer", "leads_to": "Trainer.page -> Tensor [9]"}]}
                {"gc": 2, "freed": 2097152, "freed_so_far": 3145728, "runs_so_far": 2, "explained": [{"cycle": ["no text"]}, 7]}
                """);

        assertThat(outcome.err())
                .containsSubsequence(
                        "freed only by the garbage collector: 3.00 MiB in 2 collections",
                        "cycle     Trainer.me -> Trainer",
                        "leads to  Trainer.page -> Tensor [9]");
    }

    @Test
    void aJobThatLeftFiguresOnlyIsJudgedByThem() throws Exception {
        Outcome outcome = count(steps() + "{\"function_name\": \"train\", \"calls\": 60, \"most\": []}\n");

        assertThat(outcome.err())
                .contains("allocated memory grows by 3.00 MiB per step")
                .doesNotContain("functions by peak");
    }

    @Test
    void ofAJobThatWasKilledADumpTellsWhoHeldWhatGrew() throws Exception {
        Path dump = root().resolve("testkit/scenarios/holders/scaled_losses.holders.gz");
        Outcome outcome =
                count(steps(), "shutil.copy('" + dump + "', os.environ['LEAKLINE_OUT'] + '/job-7.growth.holders')");

        assertThat(outcome.err())
                .containsSubsequence(
                        "allocated memory grows by 3.00 MiB per step",
                        "owners",
                        "unknown: main.run.curve of module scaled_losses");
        assertThat(outcome.err()).contains("job-7 wrote no snapshot: killed before memory had grown for a while");
    }

    @Test
    void whatAKilledJobWasWritingIsRemoved() throws Exception {
        Outcome outcome = run("--keep", "out", "--", "python3", "-c", """
                import os, signal
                own = str(os.getpid())
                open(os.environ['LEAKLINE_RUN'] + '/' + own, 'w').write('armed\\n')
                for pid in own, '1':
                    open(os.environ['LEAKLINE_OUT'] + '/job-' + pid + '.growth.holders.0123456789abcdef.tmp', 'w').close()
                os.kill(os.getpid(), signal.SIGKILL)
                """);

        assertThat(outcome.exit()).isEqualTo(128 + 9);
        assertThat(kept(".tmp"))
                .allSatisfy(file ->
                        assertThat(file.getFileName()).hasToString("job-1.growth.holders.0123456789abcdef.tmp"));
        assertThat(kept(".tmp")).hasSize(1);
    }

    @Test
    void hostMemoryThatGrowsIsToldBesideTheVerdict() throws Exception {
        assertThat(countHost(20_000_000).err())
                .contains("host memory (host_anonymous_bytes, log) grows by 19.1 MiB per second")
                .contains("leakline attach PID");
    }

    @Test
    void whatTheHistoryTakesOfTheHostsMemoryIsNoNews() throws Exception {
        assertThat(countHost(2_000_000).err()).doesNotContain("host memory");
    }

    /** A healthy job whose host memory grows by so many bytes a second, for a minute. */
    private Outcome countHost(long rate) throws Exception {
        String rows = IntStream.rangeClosed(1, 120)
                .mapToObj(look -> "{\"host_anonymous_bytes\": " + (900_000_000 + look * rate / 2)
                        + ", \"host_shared_bytes\": 0, \"host_pinned_bytes\": 0, \"time_us\": "
                        + (1_763_800_000_000_000L + look * 500_000L) + "}\n")
                .collect(Collectors.joining());
        Path text = Files.writeString(folder.resolve("host-rows"), rows);
        return count("", "shutil.copy('" + text + "', os.environ['LEAKLINE_OUT'] + '/job-7.host.jsonl')");
    }

    /** What the probe counts of sixty steps that leak. */
    private static String steps() {
        return IntStream.rangeClosed(1, 60)
                .mapToObj(step -> "{\"step\": " + step + ", \"device\": 0, \"allocated_bytes.all.current\": "
                        + (step * 3_145_728L) + "}\n")
                .collect(Collectors.joining());
    }

    /** Besides what it says of the job's ending and files, a run says nothing that its JSON does not have. */
    @Test
    void aSavedReportSaysWhatTheRunSaid() throws Exception {
        Path rows = Files.writeString(folder.resolve("rows"), steps() + """
                {"function_name": "large", "calls": 9, "raised": 2, "longest": 1.25, "most": [[1, 4194304, 2097152, -1048576]]}
                {"gc": 2, "freed_so_far": 3145728, "runs_so_far": 2, "explained": [{"cycle": "Trainer.me -> Trainer", "leads_to": "Tensor [9]"}]}
                """);
        Path looks = Files.writeString(
                folder.resolve("looks"),
                IntStream.range(1, 9).mapToObj("""
                                {"time_us": %d000000, "pid": 7, "steps": -1, "resident": 300000000, "parts": {"python_objects": 90000000}}
                                """::formatted).collect(Collectors.joining()));
        String job = "import os, shutil; out = os.environ['LEAKLINE_OUT']; shutil.copy('" + rows
                + "', out + '/job-7.counters.jsonl'); shutil.copy('" + looks + "', out + '/job-7.memory.jsonl')";

        Outcome ran = run("--full", "--keep", "out", "--", "python3", "-c", job);
        run("--report", "saved.json", "--keep", "out2", "--", "python3", "-c", job);
        Outcome read = new Program(folder).run("report", "saved.json", "--full");

        assertThat(ran.err()).contains("host memory of process 7", "freed only by the garbage collector", "grows by");
        List<String> said = ran.err()
                .lines()
                .filter(line -> !line.startsWith("leakline: "))
                .map(line -> line.replace("/out/", "/out2/"))
                .toList();
        assertThat(said).isSubsetOf(read.out().lines().toList());
    }

    @Test
    void countersWithoutFiguresSayNothing() throws Exception {
        Outcome outcome = count("{\"step\": 1, \"time_us\": 5}\n{\"most\": 7, \"calls\": [[]], \"longest\": {}}\n");

        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).doesNotContain("counters");
    }

    /** A job that leaves these counters. */
    private Outcome count(String rows) throws Exception {
        return count(rows, "");
    }

    /** The same, where it does something else, too. */
    private Outcome count(String rows, String more) throws Exception {
        Path text = Files.writeString(folder.resolve("rows"), rows);
        String job = "import os, shutil; shutil.copy('" + text
                + "', os.environ['LEAKLINE_OUT'] + '/job-7.counters.jsonl'); " + more;
        return run("--keep", "out", "--", "python3", "-c", job);
    }

    private static Path example() {
        return root().resolve("examples/train_with_a_leak.pickle.gz");
    }

    private static Path root() {
        Path root = Path.of("").toAbsolutePath();
        return Files.exists(root.resolve("examples")) ? root : root.getParent();
    }

    @Test
    void theJobsOwnSearchPathIsKeptAndNothingOfOursStays() throws Exception {
        String show = "import os; print(os.environ['PYTHONPATH'])";
        List<String> command = new ArrayList<>(List.of("env", "PYTHONPATH=/nowhere/of/mine"));
        command.addAll(Program.command(Map.of(), arguments("--", "python3", "-c", show)));
        Process process = new ProcessBuilder(command).directory(folder.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Path first = Path.of(out.strip().split(":", -1)[0]);

        assertThat(first.getFileName()).hasToString("inject");
        assertThat(out).contains(":/nowhere/of/mine");
        assertThat(first).doesNotExist();
        assertThat(first.getParent()).doesNotExist();
    }

    @Test
    void theProbeIsPutElsewhereWhereTemporaryFilesHaveNoPlace() throws Exception {
        String show = "import os; print(os.environ['LEAKLINE_RUN'])";
        List<String> command =
                Program.command(Map.of("java.io.tmpdir", "/nowhere"), arguments("--", "python3", "-c", show));
        Process process = new ProcessBuilder(command).directory(folder.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(out).startsWith("/tmp/leakline-");
        assertThat(Path.of(out.strip())).doesNotExist();
    }

    @Test
    void whatIsInMemoryForWantOfRoomIsReportedAndRemoved() throws Exception {
        String job = "import os, shutil; spare = os.environ['LEAKLINE_SPARE']; os.mkdir(spare); print(spare);"
                + " shutil.copy('" + example() + "', spare + '/job-7.growth.pickle')";
        Outcome outcome = run("--", "python3", "-c", job);

        assertThat(outcome.err()).contains("train_with_a_leak.py");
        assertThat(Path.of(outcome.out().strip())).doesNotExist();
    }

    @Test
    void aJobThatIsNoPythonLeavesNoFolder() throws Exception {
        Outcome outcome = run("--keep", "out", "--", "true");

        assertThat(outcome.exit()).isZero();
        assertThat(outcome.err())
                .contains(
                        "no process of the job had the probe: it ran no Python, or one that was started with -I, -E or -S");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aJobThatASignalEndsGivesTheShellsExitCode() throws Exception {
        assertThat(run("--", "sh", "-c", "kill -9 $$").exit()).isEqualTo(128 + 9);
    }

    @Test
    void signalsGoToTheJobWhichEndsAsItWants() throws Exception {
        String job = "import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(9))\n"
                + "print('ready', flush=True)\ntime.sleep(600)";
        Path out = folder.resolve("signals.out");
        Process leakline = Program.start(folder, out, arguments("--", "python3", "-c", job));
        while (!Files.readString(out).contains("ready")) {
            assertThat(leakline.isAlive()).isTrue();
            TimeUnit.MILLISECONDS.sleep(10);
        }
        leakline.destroy();

        assertThat(leakline.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)).isTrue();
        assertThat(leakline.exitValue()).isEqualTo(9);
    }

    @Test
    void aCommandThatIsNotThereIsSaidToBeMissing() throws Exception {
        Outcome outcome = run("--", "no-such-program-here");

        assertThat(outcome.exit()).isEqualTo(Failures.UNREADABLE);
        assertThat(outcome.err())
                .contains("no-such-program-here cannot be started")
                .doesNotContain("Exec failed");
    }

    @Test
    void momentsThatNobodyKnowsAreRefused() throws Exception {
        Outcome outcome = run("--at", "noon", "--", "true");

        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).contains("--at noon: expected exit, oom");
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments(arguments));
    }

    private static String[] arguments(String... arguments) {
        Path probe =
                Path.of("../attach/src/test/resources/probe").toAbsolutePath().normalize();
        return Stream.concat(Stream.of("run", "--probe", probe.toString()), Stream.of(arguments))
                .toArray(String[]::new);
    }

    private List<Path> kept(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("out"))) {
            return files.filter(file -> file.toString().endsWith(suffix)).toList();
        }
    }
}
