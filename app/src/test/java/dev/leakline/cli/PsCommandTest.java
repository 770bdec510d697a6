package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.cli.common.Failures;
import dev.leakline.nvml.GpuDevice;
import dev.leakline.nvml.GpuDevice.Use;
import dev.leakline.primitive.Ints;
import dev.leakline.ps.GpuFinding;
import dev.leakline.ps.GpuFinding.Kind;
import dev.leakline.ps.GpuFinding.Row;
import dev.leakline.ps.GpuProcess;
import dev.leakline.ps.GpuProcess.Role;
import dev.leakline.ps.GpuProcesses;
import dev.leakline.ps.ProcessText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class PsCommandTest {
    private static final long MIB = 1L << 20;
    private static final GpuProcess TRAINING = process(700, 1, "python", "python train.py", Role.HOLDER);
    private static final GpuProcess LOADER = process(701, 700, "pt_data_worker", "python train.py", Role.WORKER);
    private static final GpuProcess SURVIVOR = process(555, 1, "pt_data_worker", "python old.py", Role.SURVIVOR);
    private static final GpuDevice DEVICE =
            new GpuDevice(0, "A GPU", "GPU-7", 24_576 * MIB, 1111 * MIB, List.of(new Use(700, 777 * MIB, "Compute")));
    private static final GpuFinding LEFT =
            new GpuFinding(Kind.SURVIVOR, List.of(new Row(555, Use.UNKNOWN, "a reason")), "to get it back: kill 555");
    private static final GpuFinding MISPLACED =
            new GpuFinding(Kind.WRONG_GPU, List.of(new Row(700, 333 * MIB, "on GPU 1")), "a remedy");
    private static final GpuProcesses FOUND = new GpuProcesses(
            List.of(DEVICE), List.of(SURVIVOR, TRAINING, LOADER), List.of(LEFT, MISPLACED), List.of("a note"), true);

    @TempDir
    private Path folder;

    private static GpuProcess process(int pid, int parent, String name, String command, Role role) {
        return new GpuProcess(pid, parent, 700, 700, "alice", name, command, 51, Ints.of(0), role);
    }

    @Test
    void aMachineWithoutADriverIsSaidToHaveNone() throws Exception {
        assumeFalse(Files.exists(Path.of("/dev/nvidiactl")), "this machine has a GPU");

        Outcome outcome = new Program(folder).run("ps");

        assertThat(outcome.exit()).isEqualTo(Failures.UNREADABLE);
        assertThat(outcome.err()).startsWith("leakline: this ").contains("NVIDIA");
        assertThat(outcome.errors()).hasSize(1);
    }

    @Test
    void withoutTheDriversLibraryItsProgramIsAsked() throws Exception {
        assumeFalse(Files.exists(Path.of("/dev/nvidiactl")), "this machine has a GPU");
        long self = ProcessHandle.current().pid();
        Path program = Files.writeString(folder.resolve("nvidia-smi"), """
                #!/bin/sh
                case $1 in
                --query-gpu=*) echo '0, GPU-5ba, 24576, 1111, NVIDIA A10' ;;
                *) echo 'GPU-5ba, %d, 777' ;;
                esac
                """.formatted(self));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> command = new ArrayList<>(List.of("env", "PATH=" + folder + ":" + System.getenv("PATH")));
        command.addAll(Program.command(Map.of(), "ps"));
        Process leakline = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(leakline.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said)
                .contains("GPU 0  NVIDIA A10  1.08 GiB of 24.0 GiB in use")
                .contains("777 MiB");
        assertThat(said).containsPattern("777 MiB +" + self + " ");
        assertThat(leakline.waitFor()).isZero();
    }

    @Test
    void textSaysWhoHoldsHowMuchAndWhomToEnd() {
        assertThat(ProcessText.of(FOUND, 100))
                .contains("GPU 0  A GPU  1.08 GiB of 24.0 GiB in use")
                .contains("     777 MiB       700  alice       python train.py")
                .contains("           -       701  alice       its DataLoader worker, with 51 driver files open")
                .contains("     334 MiB  belongs to no process listed here")
                .contains("           -       555  alice       python old.py")
                .contains("              a reason")
                .contains("  What to do: to get it back: kill 555")
                .contains("     333 MiB       700  alice       python train.py")
                .contains("              on GPU 1")
                .contains("  note: a note")
                .allMatch(line -> line.length() <= 100);
    }

    @Test
    void jsonSaysTheSame() {
        StringWriter text = new StringWriter();
        ProcessJson.write(FOUND, new PrintWriter(text, true));
        JsonNode json = new ObjectMapper().readTree(text.toString());

        assertThat(json.at("/schema").asString()).isEqualTo("leakline.ps/1");
        assertThat(json.at("/devices/0/attributed_bytes").asLong()).isEqualTo(777 * MIB);
        assertThat(json.at("/devices/0/processes/0/pid").asInt()).isEqualTo(700);
        assertThat(json.at("/processes/0/role").asString()).isEqualTo("survivor");
        assertThat(json.at("/processes/2/device_files").asInt()).isEqualTo(51);
        assertThat(json.at("/findings/0/kind").asString()).isEqualTo("survivor");
        assertThat(json.at("/findings/0/processes/0/bytes").isNull()).isTrue();
        assertThat(json.at("/findings/1/processes/0/bytes").asLong()).isEqualTo(333 * MIB);
        assertThat(json.at("/findings/1/processes/0/reason").asString()).isEqualTo("on GPU 1");
        assertThat(json.at("/findings/1/remedy").asString()).isEqualTo("a remedy");
        assertThat(json.at("/notes/0").asString()).isEqualTo("a note");
    }
}
