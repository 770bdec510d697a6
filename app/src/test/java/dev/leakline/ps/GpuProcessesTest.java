package dev.leakline.ps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.nvml.GpuDevice;
import dev.leakline.nvml.GpuDevice.Use;
import dev.leakline.ps.GpuFinding.Kind;
import dev.leakline.ps.GpuFinding.Row;
import dev.leakline.ps.GpuProcess.Role;
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
        assertThat(found.findings()).extracting(GpuFinding::kind).containsExactly(Kind.SURVIVOR, Kind.UNSEEN);
        assertThat(found.findings().getFirst().rows().getFirst().reason()).contains("inherited 2 driver files");
        assertThat(found.findings().getFirst().remedy()).endsWith("kill 701");
        assertThat(found.findings().getLast().rows())
                .containsExactly(
                        new Row(700, 39 * GIB, "on GPU 0, not in /proc: it has ended, or runs in a virtual machine"));
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

        GpuFinding unseen =
                join(true, new Use(81_234, 39 * GIB, "Compute")).findings().getFirst();
        assertThat(unseen.kind()).isEqualTo(Kind.UNSEEN);
        assertThat(unseen.rows().getFirst().reason()).contains("PID namespace");
        assertThat(unseen.remedy()).contains("--pid=host");
    }

    @Test
    void whereTheDriverListsNobodyInAContainerThatIsSaid() throws IOException {
        GpuDevice device = new GpuDevice(0, "a GPU", "GPU-1", 80 * GIB, 40 * GIB, List.of());
        assertThat(GpuProcesses.join(List.of(device), new ProcessFolder(proc), true)
                        .notes())
                .singleElement()
                .asString()
                .contains("memory cannot be attributed")
                .contains("PID namespace");
    }

    @Test
    void aLoadersWorkerWithAContextOfItsOwnIsFound() throws IOException {
        process(700, 1, 700, 700, "python", "python\0train.py", "/dev/nvidia0");
        process(701, 700, 700, 700, "pt_data_worker", "python\0-c\0from multiprocessing.spawn", "/dev/nvidia0");

        GpuFinding finding = only(join(false, new Use(700, 39 * GIB, "Compute"), new Use(701, GIB / 2, "Compute")));

        assertThat(finding.kind()).isEqualTo(Kind.WORKER);
        assertThat(finding.rows())
                .containsExactly(new Row(701, GIB / 2, "it loads data, and has a context of its own on GPU 0"));
        assertThat(finding.remedy()).contains("return CPU tensors");
    }

    @Test
    void aRankWithMemoryOnTheGpuOfAnotherIsFound() throws IOException {
        process(700, 1, 700, 700, "python", "python\0train.py", "/dev/nvidia0");
        process(701, 1, 700, 700, "python", "python\0train.py", "/dev/nvidia0");
        variables(700, "LOCAL_RANK=0", "LOCAL_WORLD_SIZE=2");
        variables(701, "LOCAL_RANK=1", "LOCAL_WORLD_SIZE=2");

        GpuFinding finding = only(two("a GPU", List.of(use(700), use(701)), List.of(use(701))));

        assertThat(finding.kind()).isEqualTo(Kind.WRONG_GPU);
        assertThat(finding.rows())
                .containsExactly(new Row(701, GIB, "on GPU 0, that of rank 0; it has rank 1 and GPU 1"));
        assertThat(finding.remedy()).contains("set_device(LOCAL_RANK)");
    }

    @Test
    void aRankCountsTheGpusThatItMaySee() throws IOException {
        process(701, 1, 700, 700, "python", "python\0train.py", "/dev/nvidia0");
        variables(701, "OMPI_COMM_WORLD_LOCAL_RANK=0", "OMPI_COMM_WORLD_LOCAL_SIZE=2", "CUDA_VISIBLE_DEVICES=1,GPU-A");

        assertThat(two("a GPU", List.of(), List.of(use(701))).findings()).isEmpty();
        assertThat(only(two("a GPU", List.of(use(701)), List.of()))
                        .rows()
                        .getFirst()
                        .reason())
                .isEqualTo("on GPU 0, that of rank 1; it has rank 0 and GPU 1");
    }

    @Test
    void memoryOnAGpuThatAProcessWasNotToSeeIsFound() throws IOException {
        process(701, 1, 700, 700, "python", "python\0train.py", "/dev/nvidia0");
        variables(701, "CUDA_VISIBLE_DEVICES=1");

        assertThat(only(two("a GPU", List.of(use(701)), List.of()))
                        .rows()
                        .getFirst()
                        .reason())
                .isEqualTo("on GPU 0, and it was started with CUDA_VISIBLE_DEVICES=1");
    }

    @Test
    void whatMayBeMeantIsNoFinding() throws IOException {
        process(700, 1, 700, 700, "python", "python\0train.py", "/dev/nvidia0");
        List<Use> both = List.of(use(700));

        variables(700, "LOCAL_RANK=0", "LOCAL_WORLD_SIZE=1");
        assertThat(two("a GPU", both, both).findings())
                .as("a model over two GPUs")
                .isEmpty();
        variables(700, "LOCAL_RANK=1", "LOCAL_WORLD_SIZE=2");
        assertThat(two("another GPU", both, both).findings())
                .as("CUDA may count otherwise")
                .isEmpty();
        variables(700, "CUDA_VISIBLE_DEVICES=7");
        assertThat(two("a GPU", both, both).findings())
                .as("counted by somebody else")
                .isEmpty();
        variables(700, "LOCAL_RANK=1", "LOCAL_WORLD_SIZE=2");
        Files.createDirectories(proc.resolve("700/ns"));
        Files.createSymbolicLink(proc.resolve("700/ns/mnt"), Path.of("mnt:[4026532701]"));
        assertThat(two("a GPU", both, both).findings()).as("of a container").isEmpty();
    }

    private static Use use(int pid) {
        return new Use(pid, GIB, "Compute");
    }

    /** Two GPUs, the first of which is called "a GPU". */
    private GpuProcesses two(String name, List<Use> onFirst, List<Use> onSecond) throws IOException {
        return GpuProcesses.join(
                List.of(
                        new GpuDevice(0, "a GPU", "GPU-A0", 80 * GIB, 40 * GIB, onFirst),
                        new GpuDevice(1, name, "GPU-B0", 80 * GIB, 40 * GIB, onSecond)),
                new ProcessFolder(proc),
                false);
    }

    private static GpuFinding only(GpuProcesses found) {
        assertThat(found.findings()).hasSize(1);
        return found.findings().getFirst();
    }

    private void variables(int pid, String... variables) throws IOException {
        Files.writeString(proc.resolve(pid + "/environ"), String.join("\0", variables) + "\0");
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
