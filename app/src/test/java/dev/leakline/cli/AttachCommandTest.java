package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.cli.common.Failures;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users are told who cannot enter a process; how processes are entered is tested with {@code Attach}. */
class AttachCommandTest {
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    @TempDir
    private Path folder;

    @BeforeAll
    static void isLinux() {
        assumeTrue(Files.isReadable(Path.of("/proc/self/status")), "needs Linux");
    }

    @Test
    void aProcessThatIsNotThereIsSaidToBeMissing() throws Exception {
        Outcome outcome = new Program(folder).run("attach", "4194303");

        assertThat(outcome.exit()).isEqualTo(Failures.UNREADABLE);
        assertThat(outcome.errors()).singleElement().asString().contains("no such process: 4194303");
    }

    @Test
    void aNumberOfNoProcessIsWrongUsage() throws Exception {
        assertThat(new Program(folder).run("attach", "0").exit()).isEqualTo(2);
    }

    @Test
    void anotherUsersProcessIsRefusedWithTheRemedy() throws Exception {
        assumeTrue(mayNobodyRunLeakline(), "needs root, setpriv, and class files that other users may read");
        Process job = new ProcessBuilder("sleep", "30").start();
        try {
            Process leakline = nobody(Program.command(Map.of(), "attach", String.valueOf(job.pid())));
            String said = new String(leakline.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(leakline.waitFor()).isEqualTo(Failures.UNREADABLE);
            assertThat(said).contains("belongs to user 0").contains("with sudo");
        } finally {
            job.destroyForcibly();
        }
    }

    /** A parent that only waits, and a worker of it that keeps more and more, on the CPU. */
    private static final String SERVER = """
            import os, sys, time
            import torch
            def serve():
                answers = []
                while os.getppid() == parent:
                    answers.append(torch.zeros(1024))
                    time.sleep(0.01)
            parent = os.getpid()
            worker = os.fork()
            if not worker:
                serve()
                os._exit(0)
            print(worker, flush=True)
            sys.stdin.read()
            """;

    @Test
    void whatGrowsInAWorkerIsToldFromTwoDumps() throws Exception {
        Process job = server();
        try {
            String worker = job.inputReader().readLine();
            Outcome twice = attach("--growth", "1", "--keep", "twice", worker);
            assumeTrue(!twice.err().contains("sudo"), "this system lets nobody trace a process");
            assertThat(twice.exit()).as(twice.err()).isZero();
            assertThat(twice.err()).contains("a second dump follows in 1 s");
            assertThat(twice.out()).contains("answers of running call of serve").contains("Grew: ");
            assertThat(folder.resolve("twice/attach-2-" + worker + ".holders")).exists();

            Outcome once = attach("--once", "--keep", "once", worker);
            assertThat(once.out()).contains("leakline holders ").doesNotContain("Grew: ");
            assertThat(folder.resolve("once")).isDirectoryContaining(file -> true);
            assertThat(folder.resolve("once/attach-2-" + worker + ".holders")).doesNotExist();

            Outcome tree = attach("--tree", "--growth", "0", "--patience", "0", parent(worker));
            assertThat(tree.out())
                    .contains("Process " + parent(worker) + ", ", "Process " + worker + ", ")
                    .contains("answers of running call of serve");
        } finally {
            job.destroyForcibly();
        }
    }

    @Test
    void theReportOfTwoDumpsIsWrittenInTheFormThatIsWanted() throws Exception {
        Process job = server();
        try {
            String worker = job.inputReader().readLine();
            Outcome json = attach("--growth", "1", "--report", "held.json", "--keep", "json", worker);
            assumeTrue(!json.err().contains("sudo"), "this system lets nobody trace a process");
            assertThat(json.exit()).as(json.err()).isZero();
            assertThat(json.err()).contains("leakline: wrote held.json");
            String report = Files.readString(folder.resolve("held.json")).replaceAll("\\s+", " ");
            assertThat(report).contains("\"schema\" : \"leakline.report/1\"", "\"verdict\" : \"undetermined\"");
            assertThat(report).contains("json/attach-" + worker + ".holders", "json/attach-2-" + worker + ".holders");
            assertThat(report).contains("\"title\" : \"answers of running call of serve (");
            assertThat(report).containsPattern("it grew: .* from dump to dump; items \\d+, \\d+;");
            assertThat(report).contains("there is no snapshot").doesNotContain("the snapshot has no history");

            Outcome page = attach("--once", "--report", "held.html", "--keep", "html", worker);
            assertThat(page.exit()).as(page.err()).isZero();
            assertThat(Files.readString(folder.resolve("held.html")))
                    .startsWith("<!doctype html>")
                    .contains("answers of running call of serve");

            Outcome wrong = attach("--once", "--report", "held.pdf", "--keep", "pdf", worker);
            assertThat(wrong.exit()).isEqualTo(2);
            assertThat(wrong.err()).contains("ends in .json, .html or .txt");
            assertThat(folder.resolve("pdf")).doesNotExist();
        } finally {
            job.destroyForcibly();
        }
    }

    private static Process server() throws Exception {
        String python = System.getenv("LEAKLINE_PYTHON");
        assumeTrue(python != null, "LEAKLINE_PYTHON is not set, and this test needs a Python with torch");
        List<String> command = new ArrayList<>(List.of(python.split(" ", -1)));
        command.addAll(List.of("-c", SERVER));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private Outcome attach(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("attach", "--target", "cpu"));
        command.addAll(List.of(arguments));
        return new Program(folder).run(command.toArray(String[]::new));
    }

    private static String parent(String worker) {
        return ProcessHandle.of(Long.parseLong(worker))
                .flatMap(ProcessHandle::parent)
                .map(process -> String.valueOf(process.pid()))
                .orElseThrow();
    }

    private static boolean mayNobodyRunLeakline() throws Exception {
        return Files.isExecutable(Path.of("/usr/bin/setpriv"))
                && nobody(Program.command(Map.of(), "--version")).waitFor() == 0;
    }

    private static Process nobody(List<String> command) throws Exception {
        List<String> all = new ArrayList<>(AS_NOBODY);
        all.addAll(command);
        return new ProcessBuilder(all)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .start();
    }
}
