package dev.leakline.profile;

import static dev.leakline.profile.SimulatedDevice.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.nvml.PidNamespace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class NvmlMemoryTest {
    private static final String RUN = "import os, sys; os.execv(sys.argv[1], sys.argv[1:])";

    @Test
    void aMachineWithoutADriverIsAnErrorThatSaysSo() {
        assumeFalse(Files.exists(Path.of("/dev/nvidiactl")), "this machine has a GPU");
        assertThatThrownBy(() -> NvmlMemory.open("0"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no NVIDIA driver")
                .hasMessageContaining("--gpus all");
    }

    /** The driver, or what stands in for it, and PyTorch agree on what one more tensor takes. */
    @Test
    void whatPyTorchReservesTheDriverCountsForItsProcess() throws Exception {
        assumeTrue(PidNamespace.isOutermost(), "the driver counts processes outside of this PID namespace");
        try (TorchProcess torch = TorchProcess.start()) {
            torch.allocate("first", MIB);
            Process asking = askAbout(torch);
            try (PrintWriter question = new PrintWriter(asking.outputWriter(StandardCharsets.UTF_8), true);
                    BufferedReader answer = asking.inputReader(StandardCharsets.UTF_8)) {
                long[] before = figures(question, answer);
                long reserved = torch.read().reserved();
                torch.allocate("second", 777 * MIB);
                long[] after = figures(question, answer);
                long more = torch.read().reserved() - reserved;

                assertThat(more).isBetween(777 * MIB, 800 * MIB);
                assertThat(after[0] - before[0]).isEqualTo(more);
                assertThat(before[1] - after[1]).isEqualTo(more);
                assertThat(after[2]).isEqualTo(before[2]).isGreaterThan(after[1]);
            }
        }
    }

    private static long[] figures(PrintWriter question, BufferedReader answer) throws IOException {
        question.println();
        String line = answer.readLine();
        assertThat(line).as("an answer").isNotNull();
        return Arrays.stream(line.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    }

    /** In the surroundings of that Python, which may be where the driver's library is found. */
    private static Process askAbout(TorchProcess torch) throws IOException {
        List<String> command = TorchProcess.python();
        command.addAll(List.of(
                "-c",
                RUN,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                DriverQuestions.class.getName(),
                String.valueOf(torch.pid())));
        return torch.beside(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
