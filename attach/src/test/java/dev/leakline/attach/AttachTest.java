package dev.leakline.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.attach.Attach.Visit;
import dev.leakline.attach.linux.ElfFile;
import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.Mapping;
import dev.leakline.attach.linux.Owner;
import dev.leakline.attach.linux.Pause;
import dev.leakline.attach.linux.ProcFile;
import dev.leakline.attach.linux.RemoteMemory;
import dev.leakline.attach.linux.StoppedThread;
import dev.leakline.attach.linux.ThreadActivity;
import dev.leakline.testkit.Thoroughness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real Pythons are entered while they work; they must not notice. */
@Order(2) // most of it waits
class AttachTest {
    private static final int VISITS = Thoroughness.of(20, 200);
    /** More than any visit takes, also where eight other builds share two processors. */
    private static final Duration PLENTY = Duration.ofMinutes(2);
    /** Of each further version, of which there may be many. */
    private static final int FEWER_VISITS = Thoroughness.of(10, 25);
    /** Each waits until the job does. */
    private static final int VISITS_WAITING = 10;

    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    @TempDir
    private Path folder;

    private List<String> foldersBefore = List.of();

    @BeforeEach
    void lookAround() throws IOException {
        foldersBefore = ourFolders();
    }

    private static List<Path> pythons() throws Exception {
        return Job.pythons();
    }

    private static Path python() throws Exception {
        return Job.pythons().getFirst();
    }

    @BeforeAll
    static void isTracingPossible() throws Exception {
        assumeTracing();
    }

    /** Skips all of it where the system lets nobody trace, with its own words. */
    static void assumeTracing() throws Exception {
        assumeTrue(ProcFile.isThere(), "needs Linux");
        assumeTrue(PendingCall.fits(), "needs x86-64");
        assumeTrue(!Job.pythons().isEmpty(), "needs a Python 3.9 or later");
        Path trial = Files.createTempDirectory("trial");
        Job job = Job.start(
                trial, List.of(), python(), "until", trial.resolve("stop").toString());
        try (RemoteMemory memory = RemoteMemory.open(job.pid)) {
            Stopped.run(job.pid, memory, _ -> {});
        } catch (IOException e) {
            abort("this system does not let a test trace another process: " + Permissions.explain(job.pid));
        } finally {
            job.kill();
        }
    }

    @Test
    void aJobThatIsEnteredAgainAndAgainComputesWhatItWouldHaveComputed() throws Exception {
        visitAndCompare(python(), VISITS);
    }

    @ParameterizedTest
    @MethodSource("pythons")
    void everyPythonThatIsInstalledHereCanBeEntered(Path python) throws Exception {
        visitAndCompare(python, FEWER_VISITS);
    }

    private void visitAndCompare(Path python, int visits) throws Exception {
        Path stop = folder.resolve("stop");
        Job job = Job.start(folder, List.of(), python, "until", stop.toString());
        long mappings = Files.readAllLines(ProcFile.of(job.pid, "maps")).size();
        for (int i = 0; i < visits; i++) {
            assertThat(visit(job, PLENTY)).isEqualTo("request None graph");
        }
        assertThat((long) Files.readAllLines(ProcFile.of(job.pid, "maps")).size())
                .as("pages that stay after %s visits", visits)
                .isLessThan(mappings + visits / 2);
        assertThat(folder.resolve("kept"))
                .isDirectoryContaining("glob:**/attach-" + visits + "-" + job.pid + ".holders");
        Files.createFile(stop);
        String result = job.result();
        String turns = result.split(" ", 2)[0];
        Job alone = Job.start(folder, List.of(), python, "turns", turns);
        assertThat(result).isEqualTo(alone.result());
        assertThat(leftBehind()).isEmpty();
    }

    @Test
    void aJobThatSleepsIsEnteredWhereItSleepsAndSleepsOn() throws Exception {
        Job job = Job.start(folder, List.of(), python(), "sleep", "12");

        awaitWaiting(job);
        assertThat(visit(job, Duration.ofMillis(300))).isEqualTo("request None no graph");
        assertThat(job.isAlive()).isTrue();
        assertThat(job.result()).isEqualTo("slept True");
    }

    @ParameterizedTest
    @MethodSource("pythons")
    void aJobThatWaitsForALockIsEnteredAndGetsTheLock(Path python) throws Exception {
        Path release = folder.resolve("release");
        Job job = Job.start(folder, List.of(), python, "lock", release.toString());
        long mappings = Files.readAllLines(ProcFile.of(job.pid, "maps")).size();

        for (int i = 0; i < VISITS_WAITING; i++) {
            awaitWaiting(job);
            assertThat(visit(job, Duration.ofMillis(100))).isEqualTo("request None no graph");
        }
        assertThat((long) Files.readAllLines(ProcFile.of(job.pid, "maps")).size())
                .as("pages and stacks that stay after %s visits", VISITS_WAITING)
                .isLessThan(mappings + VISITS_WAITING);
        Files.createFile(release);
        assertThat(job.result()).isEqualTo("locked True");
    }

    @Test
    void aJobThatDoesNotAnswerInTimeBecauseAnotherThreadKeepsTheLockIsUnharmed() throws Exception {
        Path release = folder.resolve("release");
        Path stop = folder.resolve("release.stop");
        Job job = Job.start(folder, List.of(), python(), "held", release.toString());
        job.awaitSaid("held");
        awaitWaiting(job);

        assertThatThrownBy(() -> visit(job, impatient(Duration.ofMillis(300))))
                .hasMessageContaining("did not run the probe within 1 s")
                .hasMessageContaining("ends when it gets the global interpreter lock");
        Files.createFile(release);
        assertThat(visit(job, PLENTY)).isEqualTo("request None graph");
        Files.createFile(stop);
        String result = job.result();
        Job alone = Job.start(folder, List.of(), python(), "turns", result.split(" ", 2)[0]);
        assertThat(result).isEqualTo(alone.result());
        assertThat(leftBehind()).isEmpty();
    }

    @Test
    void aPendingCallThatPythonComesToTooLateDoesNothing() throws Exception {
        Path stop = folder.resolve("stop");
        Job job = Job.start(folder, List.of(), python(), "drip", stop.toString());

        assertThatThrownBy(() -> visit(job, impatient(Duration.ofSeconds(20))))
                .hasMessageContaining("did not run the probe within 1 s")
                .hasMessageContaining("it holds an empty script");
        Files.createFile(stop);
        assertThat(job.result()).isEqualTo("read True");
        assertThat(job.said()).hasSize(2);
        assertThat(folder.resolve("kept")).doesNotExist();
    }

    private Attach.Options impatient(Duration patience) throws Exception {
        return new Attach.Options(stub(), null, folder.resolve("kept"), Duration.ofSeconds(1), patience, Duration.ZERO);
    }

    /** A job says that it is ready a moment before it waits. */
    private static void awaitWaiting(Job job) throws IOException {
        while (ThreadActivity.isSeenWithin(job.pid, Duration.ofMillis(200))) {
            assertThat(job.isAlive()).isTrue();
        }
    }

    @Test
    void signalsThatComeMeanwhileArrive() throws Exception {
        Path stop = folder.resolve("stop");
        Job job = Job.start(folder, List.of(), python(), "until", stop.toString());
        try (RemoteMemory memory = RemoteMemory.open(job.pid);
                PythonImage python = PythonImage.find(job.pid, memory)) {
            long harmless = python.function("Py_GetVersion");
            Stopped.run(job.pid, memory, thread -> {
                signal(job, "TERM");
                assertThat(thread.call(harmless, PLENTY)).isNotZero();
            });
        }
        assertThat(job.result()).startsWith("ready");
    }

    private static void signal(Job job, String name) throws IOException {
        try {
            job.signal(name);
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    @Test
    void aFunctionThatDoesNotReturnIsGivenUpAndTheJobGoesOn() throws Exception {
        Path stop = folder.resolve("stop");
        Job job = Job.start(folder, List.of(), python(), "until", stop.toString());
        try (RemoteMemory memory = RemoteMemory.open(job.pid)) {
            long pause = pause(job.pid);
            assertThatThrownBy(() -> Stopped.run(job.pid, memory, thread -> thread.call(pause, Duration.ofMillis(200))))
                    .isInstanceOf(StoppedThread.NotStopping.class);
        }
        assertThat(visit(job, PLENTY)).isEqualTo("request None graph");
        Files.createFile(stop);
        assertThat(job.result()).isNotEmpty().doesNotStartWith("ready");
    }

    /** The C library's function that waits for ever. */
    private static long pause(int pid) throws IOException {
        for (Mapping mapping : Mapping.of(pid)) {
            if (mapping.offset() == 0 && mapping.fileName().matches("libc[.-].*")) {
                try (ElfFile file = ElfFile.open(Path.of(mapping.path()), "libc")) {
                    return file.symbol("pause").orElseThrow() + mapping.start() - file.base();
                }
            }
        }
        return abort("this Python has no C library of its own kind");
    }

    @Test
    void aJobThatEndsMeanwhileIsSaidToBeGone() throws Exception {
        Job job = Job.start(folder, List.of(), python(), "exit", "2");

        assertThatThrownBy(() -> visit(job, Duration.ofSeconds(5)))
                .hasMessageMatching(".*(has ended|no such process).*");
        assertThat(leftBehind()).isEmpty();
    }

    @Test
    void aProbeThatFailsIsToldOfAndTheJobGoesOn() throws Exception {
        Path stop = folder.resolve("stop");
        Path broken = Files.writeString(
                folder.resolve("broken.py"), "def dump(path, reason, graph): raise OSError('no room')");
        Job job = Job.start(folder, List.of(), python(), "until", stop.toString());

        assertThatThrownBy(() -> visit(job, PLENTY, broken))
                .hasMessageContaining("OSError: no room")
                .hasMessageContaining("the job continues");
        Files.createFile(stop);
        assertThat(job.result()).isNotEmpty().doesNotStartWith("ready");
    }

    @Test
    void gdbHasTheJobRunAScriptToo() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gdb")), "needs gdb");
        Path stop = folder.resolve("stop");
        Path told = folder.resolve("told");
        Path script = Files.writeString(folder.resolve("script.py"), "open('" + told + "', 'w').close()\n");
        Job job = Job.start(folder, List.of(), python(), "until", stop.toString());
        Gdb gdb = new Gdb(job.pid);

        try {
            gdb.enter(script.toString());
        } catch (LiveException e) {
            job.signal("KILL");
            String reason = String.valueOf(e.getMessage());
            assumeTrue(
                    !reason.contains("extended state") && !reason.contains("could not call into"),
                    "this gdb cannot write the registers of this processor: " + reason);
            throw e;
        }
        while (!Files.exists(told)) {
            assertThat(job.isAlive()).isTrue();
            Pause.of(Duration.ofMillis(5));
        }
        assertThat(gdb.withdraw(true)).isEmpty();
        Files.createFile(stop);
        assertThat(job.result()).isNotEmpty().doesNotStartWith("ready");
    }

    @Test
    void aStoppedJobIsRefused() throws Exception {
        Job job = Job.start(folder, List.of(), python(), "sleep", "600");
        job.signal("STOP");
        while (ThreadActivity.state(job.pid) != 'T') {
            Pause.of(Duration.ofMillis(1));
        }

        assertThatThrownBy(() -> visit(job, Duration.ofSeconds(1)))
                .hasMessageContaining("is stopped")
                .hasMessageContaining("kill -CONT " + job.pid);
        job.kill();
    }

    @Test
    void whatIsNoPythonIsRefused() throws Exception {
        Process shell = new ProcessBuilder("sleep", "600").start();
        try {
            assertThatThrownBy(() -> Attach.to((int) shell.pid(), options(Duration.ZERO, stub()), _ -> {}))
                    .hasMessageContaining("is not Python");
        } finally {
            shell.destroyForcibly();
        }
    }

    @Test
    void aNumberOfNoProcessIsRefused() {
        assertThatThrownBy(() -> Attach.to(4_194_303, options(Duration.ZERO, stub()), _ -> {}))
                .hasMessageContaining("no such process: 4194303");
    }

    @Test
    void rootEntersTheJobOfAnotherUserAndLeavesNothingOfItsOwn() throws Exception {
        assumeTrue(Owner.self().user() == 0, "needs root");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "needs setpriv");
        openUp();
        Job job = Job.start(folder, AS_NOBODY, Path.of("/usr/bin/python3"), "sleep", "600");
        assertThat(Owner.of(job.pid).user()).isEqualTo(65534);

        awaitWaiting(job);
        assertThat(visit(job, Duration.ofMillis(300))).isEqualTo("request None no graph");
        assertThat(leftBehind()).isEmpty();
        job.kill();
    }

    /** Everything on the way to the job's script must be readable to others, which it is not everywhere. */
    private void openUp() throws Exception {
        Files.setPosixFilePermissions(folder, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
        Process trial = new ProcessBuilder(Stream.concat(
                                AS_NOBODY.stream(),
                                Stream.of("test", "-r", Job.resource("job.py").toString()))
                        .toList())
                .start();
        assumeTrue(trial.waitFor() == 0, "needs a checkout that other users may read");
    }

    private String visit(Job job, Duration patience) throws Exception {
        return visit(job, patience, stub());
    }

    private String visit(Job job, Duration patience, Path probe) throws Exception {
        return visit(job, options(patience, probe));
    }

    private static String visit(Job job, Attach.Options options) throws Exception {
        Visit visit = Attach.to(job.pid, options, _ -> {});
        assertThat(visit.files()).hasSize(1);
        assertThat(visit.remains()).isEmpty();
        return Files.readString(visit.files().getFirst());
    }

    private Attach.Options options(Duration patience, Path probe) {
        return new Attach.Options(probe, null, folder.resolve("kept"), PLENTY, patience, Duration.ZERO);
    }

    private static Path stub() throws Exception {
        return Job.resource("probe/leakline_probe.py");
    }

    /** Folders that were not there when the test began, and stay; those of others who are at work go away by themselves. */
    private List<String> leftBehind() throws IOException {
        List<String> folders = new ArrayList<>(ourFolders());
        folders.removeAll(foldersBefore);
        long end = System.nanoTime() + PLENTY.toNanos();
        while (!folders.isEmpty() && System.nanoTime() < end) {
            folders.retainAll(ourFolders());
            Pause.of(Duration.ofMillis(10));
        }
        return folders;
    }

    private static List<String> ourFolders() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/tmp"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("leakline-[0-9a-z]{11,13}"))
                    .toList();
        }
    }
}
