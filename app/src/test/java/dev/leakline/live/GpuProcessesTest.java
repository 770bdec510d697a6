package dev.leakline.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.live.GpuProcess.Role;
import dev.leakline.nvml.GpuDevice;
import dev.leakline.nvml.GpuDevice.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine in files: what Linux says of its processes, and what the driver says of them. */
class GpuProcessesTest {
    private static final long GIB = 1L << 30;

    @TempDir
    private Path proc;

    @Test
    void aDataLoadersWorkerOfAProcessThatHoldsMemoryIsItsWorker() throws IOException {
        process(1, 0, 1, 1, "systemd", "/sbin/init");
        process(700, 1, 700, 700, "python", "python\0train.py", "/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm");
        process(701, 700, 700, 700, "pt_data_worker", "python\0train.py", "/dev/nvidia0", "/dev/nvidiactl");

        GpuProcesses found = join(false, new Use(700, 39 * GIB, "Compute"));

        assertThat(role(found, 700)).isEqualTo(Role.HOLDER);
        assertThat(role(found, 701)).isEqualTo(Role.WORKER);
        assertThat(found.processes()).hasSize(2);
        assertThat(found.notes()).isEmpty();
    }

    @Test
    void aWorkerWhoseProcessIsGoneIsASurvivor() throws IOException {
        process(1, 0, 1, 1, "systemd", "/sbin/init");
        process(701, 1, 700, 700, "pt_data_worker", "python\0train.py", "/dev/nvidia0", "/dev/nvidia1");

        GpuProcesses found = join(false, new Use(700, 39 * GIB, "Compute"));

        assertThat(role(found, 701)).isEqualTo(Role.SURVIVOR);
        assertThat(found.processes().getFirst().devices().size()).isEqualTo(2);
        assertThat(found.notes()).singleElement().asString().contains("do not exist any more");
    }

    @Test
    void aJobInTheBackgroundWhoseShellIsGoneIsNoSurvivor() throws IOException {
        process(1, 0, 1, 1, "systemd", "/sbin/init");
        process(700, 1, 700, 650, "python", "python\0train.py", "/dev/nvidia0");

        assertThat(role(join(false), 700)).isEqualTo(Role.IDLE);
    }

    @Test
    void aWorkerInAContainerWhoseFirstProcessIsTheJobIsNoSurvivor() throws IOException {
        process(1, 0, 1, 1, "python", "python\0train.py", "/dev/nvidia0");
        process(40, 1, 1, 1, "pt_data_worker", "python\0train.py", "/dev/nvidia0");

        assertThat(role(join(true), 40)).isEqualTo(Role.WORKER);
    }

    @Test
    void aServiceOfTheDriverIsNoSurvivor() throws IOException {
        process(1, 0, 1, 1, "systemd", "/sbin/init");
        process(90, 1, 90, 90, "nvidia-persiste", "/usr/bin/nvidia-persistenced", "/dev/nvidia0");

        assertThat(role(join(false), 90)).isEqualTo(Role.IDLE);
    }

    @Test
    void inAContainerTheDriversNumbersCannotBeAttributed() throws IOException {
        process(1, 0, 1, 1, "python", "python\0train.py", "/dev/nvidia0");

        assertThat(join(true, new Use(81_234, 39 * GIB, "Compute")).notes())
                .singleElement()
                .asString()
                .contains("cannot attribute")
                .contains("PID namespace");
    }

    @Test
    void withoutTheDriversLibraryTheFilesStillTell() throws IOException {
        process(700, 1, 700, 700, "python", "python\0train.py", "/dev/nvidia0");

        GpuProcesses found = GpuProcesses.join(null, new ProcessFolder(proc), false);

        assertThat(found.isComplete()).isFalse();
        assertThat(found.processes()).hasSize(1);
        assertThat(found.notes()).singleElement().asString().contains("libnvidia-ml.so.1");
    }

    @Test
    void namesThatWouldDriveATerminalAreShownHarmless() throws IOException {
        process(700, 1, 700, 700, "a) S 1 (b", "python\0\033[2Jtrain.py", "/dev/nvidia0");

        GpuProcess process = join(false).processes().getFirst();

        assertThat(process.name()).isEqualTo("a) S 1 (b");
        assertThat(process.command()).isEqualTo("python \\u001b[2Jtrain.py");
    }

    private GpuProcesses join(boolean isNested, Use... uses) throws IOException {
        GpuDevice device = new GpuDevice(0, "a GPU", "GPU-1", 80 * GIB, 40 * GIB, List.of(uses));
        List<GpuDevice> devices = uses.length == 0
                ? List.of(new GpuDevice(0, "a GPU", "GPU-1", 80 * GIB, 0, List.of()))
                : List.of(device);
        return GpuProcesses.join(devices, new ProcessFolder(proc), isNested);
    }

    private static Role role(GpuProcesses found, int pid) {
        return found.processes().stream()
                .filter(process -> process.pid() == pid)
                .findFirst()
                .orElseThrow()
                .role();
    }

    private void process(int pid, int parent, int group, int session, String name, String command, String... files)
            throws IOException {
        Path folder = Files.createDirectories(proc.resolve(pid + "/fd")).getParent();
        Files.writeString(
                folder.resolve("stat"), "%d (%s) S %d %d %d 0 -1".formatted(pid, name, parent, group, session));
        Files.writeString(folder.resolve("cmdline"), command + "\0");
        for (int i = 0; i < files.length; i++) {
            Files.createSymbolicLink(folder.resolve("fd/" + i), Path.of(files[i]));
        }
    }
}
