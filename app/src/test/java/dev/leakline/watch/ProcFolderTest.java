package dev.leakline.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real processes of this machine. */
final class ProcFolderTest {
    private static final Path NEXT = Path.of("/proc/sys/kernel/ns_last_pid");

    /** The kernel counts starts in hundredths of a second; two of them are more than one. */
    private static final long TICK_MS = 20;

    private final List<Process> begun = new ArrayList<>();
    private final ProcFolder proc = ProcFolder.ofThisMachine();

    @BeforeEach
    void isLinux() {
        assumeTrue(Files.isReadable(Path.of("/proc/self/statm")), "needs Linux");
    }

    @AfterEach
    void end() {
        proc.close();
        begun.forEach(Process::destroyForcibly);
    }

    private Process begin(String script) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", script).start();
        begun.add(process);
        return process;
    }

    @Test
    void whatIsResidentIsWhatStatusSays() throws Exception {
        long pid = ProcessHandle.current().pid();
        long said = Long.parseLong(Files.readString(Path.of("/proc/self/status"))
                        .replaceFirst("(?s).*VmRSS:\\s+(\\d+) kB.*", "$1"))
                * 1024;
        ProcFolder.Host host = proc.read(pid);
        assertThat(host).isNotNull();
        assertThat((double) host.rss()).isBetween(0.7 * said, 1.3 * said);
        assertThat(host.limit()).isPositive().isLessThanOrEqualTo(proc.machineBytes());
    }

    @Test
    void aProcessThatHasEndedIsNoneAlsoWhereNobodyAskedHow() throws Exception {
        Process parent = begin("sleep 100 & echo $!; exec sleep 101");
        long pid = Long.parseLong(parent.inputReader().readLine());
        assertThat(proc.read(pid)).isNotNull();
        assertThat(proc.read(parent.pid()))
                .extracting(ProcFolder.Host::rssChildren)
                .isNotEqualTo(0L);
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ") && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        assertThat(proc.read(pid)).isNull();
        assertThat(proc.read(parent.pid())).isNotNull();
        parent.destroyForcibly().waitFor();
        assertThat(proc.read(parent.pid())).isNull();
    }

    @Test
    void aNumberThatIsAnothersByNowHasAnotherStart() throws Exception {
        Process first = begin("exec sleep 100");
        ProcFolder.Host before = proc.read(first.pid());
        assertThat(before).isNotNull();
        first.destroyForcibly().waitFor();
        Thread.sleep(TICK_MS); // of two that begin in one tick nobody can tell
        Process second = null;
        for (int tries = 0; tries < 50 && (second == null || second.pid() != first.pid()); tries++) {
            assumeTrue(Files.isWritable(NEXT), "this system lets nobody choose the number of the next process");
            Files.writeString(NEXT, String.valueOf(first.pid() - 1));
            second = begin("exec sleep 102");
        }
        assumeTrue(second != null && second.pid() == first.pid(), "others begin processes all the time");
        ProcFolder.Host after = proc.read(second.pid());
        assertThat(after).isNotNull();
        assertThat(after.started()).isGreaterThan(before.started());
    }
}
