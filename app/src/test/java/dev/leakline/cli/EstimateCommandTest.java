package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.cli.Program.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A script that says cuda() is estimated where CUDA's devices are hidden. */
class EstimateCommandTest {
    private static final String SCRIPT = """
            import torch
            from torch import nn

            model = nn.Sequential(nn.Linear(1000, 3000), nn.GELU(), nn.Linear(3000, 1000)).cuda()
            optimizer = torch.optim.AdamW(model.parameters())
            for step in range(1000000):
                loss = model(torch.randn(500, 1000).cuda()).square().mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                print("step", step)
            """;

    @TempDir
    private Path folder;

    @Test
    void aTrainingScriptIsEstimatedWithoutAGpu() throws Exception {
        Outcome outcome = run("estimate", SCRIPT, "--device-memory", "2GiB");
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out().replaceAll("\\s+", " "))
                .contains(
                        "MiB optimizer state", "MiB parameters", "fits into 2.00 GiB", "a card of 6 GB", "Not known:");
    }

    @Test
    void aScriptWithoutAGpuHasNothingToEstimate() throws Exception {
        Outcome outcome = run("estimate", "import torch; torch.ones(5)");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).contains("nothing was allocated on a GPU");
    }

    @Test
    void whereNoOptimizerStepsItSaysWhatItWaitsForAndEndsOnControlC() throws Exception {
        String script = """
                import leakline_estimate
                leakline_estimate.PATIENCE = 0.6
                import os, signal, time, torch

                weights = torch.zeros(1000, 1000, device="cuda")
                for _ in range(100):
                    weights @ weights
                    time.sleep(0.02)
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(600)
                """;
        Outcome outcome = run("estimate", script);
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.err())
                .containsOnlyOnce("no optimizer has taken a step in 1 s; the estimate waits for 2 of each optimizer")
                .contains("the script ended early, after 0 steps (interrupted)")
                .doesNotContain("Traceback");
        assertThat(outcome.out().replaceAll("\\s+", " ")).contains("at the peak", "Not known:");
    }

    private Outcome run(String command, String script, String... options) throws Exception {
        String python = System.getenv("LEAKLINE_PYTHON");
        assumeTrue(python != null, "LEAKLINE_PYTHON is not set, and this test needs a Python with torch");
        Path file = Files.writeString(folder.resolve("train.py"), script);
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(options));
        all.add("--");
        all.addAll(List.of("env", "CUDA_VISIBLE_DEVICES=-1"));
        all.addAll(Stream.of(python.split(" ", -1)).toList());
        all.add(file.toString());
        return new Program(folder).run(all.toArray(String[]::new));
    }
}
