package dev.leakline.ps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.nvml.GpuDevice;
import dev.leakline.nvml.GpuDevice.Use;
import dev.leakline.testkit.Thoroughness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stand-ins for nvidia-smi that answer, and that do what programs of a broken driver do. */
@Timeout(Thoroughness.HANGS)
class NvidiaSmiTest {
    private static final long MIB = 1L << 20;
    private static final Duration PLENTY = Duration.ofSeconds(Thoroughness.HANGS);

    @TempDir
    private Path folder;

    @Test
    void devicesAreReadWithWhatProcessesHold() throws IOException {
        String program = program("""
                case $1 in
                --query-gpu=*) echo '0, GPU-5ba, 24576, 1111, NVIDIA A10, rev 2'; echo '1, GPU-77, [N/A], 3, NVIDIA A10';;
                *) echo 'GPU-5ba, 700, 777'; echo 'GPU-5ba, 701, [Not Supported]';;
                esac
                """);
        assertThat(new NvidiaSmi(program, PLENTY).devices())
                .containsExactly(
                        new GpuDevice(
                                0,
                                "NVIDIA A10, rev 2",
                                "GPU-5ba",
                                24_576 * MIB,
                                1111 * MIB,
                                List.of(new Use(700, 777 * MIB, "Compute"), new Use(701, Use.UNKNOWN, "Compute"))),
                        new GpuDevice(1, "NVIDIA A10", "GPU-77", 0, 3 * MIB, List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo 'NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.'; exit 9",
                "echo 'No devices were found'",
                "echo '0, GPU-5ba, many, 1111, NVIDIA A10'",
                "echo '0, GPU-5ba, 99999999999999999, 1111, NVIDIA A10'",
                "exit 0",
                "yes '0, GPU-5ba, 24576, 1111, NVIDIA A10'"
            })
    void whatIsNoAnswerIsNone(String script) throws IOException {
        assertThat(new NvidiaSmi(program(script), PLENTY).devices()).isNull();
    }

    @Test
    void aProgramThatHangsIsEnded() throws IOException {
        Path own = folder.resolve("pid");
        assertThat(new NvidiaSmi(program("echo $$ > " + own + "; exec sleep 300"), Duration.ofSeconds(2)).devices())
                .isNull();
        if (Files.exists(own)) { // on a very busy machine it may not even have begun
            long pid = Long.parseLong(Files.readString(own).strip());
            ProcessHandle.of(pid).ifPresent(left -> left.onExit().join());
        }
    }

    @Test
    void withoutTheProgramThereIsNoAnswer() {
        assertThat(new NvidiaSmi(folder.resolve("none").toString(), PLENTY).devices())
                .isNull();
    }

    private String program(String script) throws IOException {
        Path program = Files.writeString(folder.resolve("nvidia-smi"), "#!/bin/sh\n" + script);
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"))
                .toString();
    }
}
