package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.cli.Program.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    /** A bias's gradient needs partial sums beside it, and blocks of which the rest was not worth cutting off hold more than was requested. */
    @Test
    void whatIsLiveAndReservedIsWhatTheAllocatorItselfCounts() throws Exception {
        String script = """
                import torch
                from torch import nn

                model = nn.Linear(256, 1024).cuda()
                kept = [torch.zeros(size, dtype=torch.uint8, device="cuda") for size in (19_500_000, 39_100_000, 58_200_000)]
                optimizer = torch.optim.SGD(model.parameters(), 0.1)
                for step in range(2):
                    loss = model(torch.zeros(32, 128, 256).cuda()).relu().square().mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                print("counted", torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved())
                """;
        assertCountedAlike(script);
    }

    /** Gradients that meet behind a residual connection are added up in place; without cuDNN a convolution lays out what its kernel sees. */
    @Test
    void residualConvolutionsAreCountedAsTheAllocatorDoes() throws Exception {
        assertCountedAlike("""
                import torch
                from torch import nn

                torch.backends.cudnn.enabled = False
                layers = nn.ModuleList([nn.Conv2d(48, 48, 3, padding=1) for _ in range(6)]).cuda()
                optimizer = torch.optim.SGD(layers.parameters(), 0.1)
                for step in range(2):
                    x = torch.zeros(24, 48, 100, 100).cuda()
                    for layer in layers:
                        x = x + layer(x).relu()
                    optimizer.zero_grad()
                    x.square().mean().backward()
                    optimizer.step()
                print("counted", torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved())
                """);
    }

    private void assertCountedAlike(String script) throws Exception {
        Outcome estimated = run("estimate", script, "--format", "json");
        List<Long> real = counted();
        assertThat(number(estimated.out(), "\"peak\" : \\{.*?\"bytes\" : (\\d+)"))
                .isCloseTo(real.get(0), withinPercentage(0.1));
        assertThat(number(estimated.out(), "\"fit\" : \\{.*?\"reserved_bytes\" : (\\d+)"))
                .isCloseTo(real.get(1), withinPercentage(3));
    }

    /** What torch counts in a real run of the script. */
    private List<Long> counted() throws Exception {
        List<String> command =
                new ArrayList<>(List.of(System.getenv("LEAKLINE_PYTHON").split(" ", -1)));
        command.add(folder.resolve("train.py").toString());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return List.of(number(out, "counted (\\d+)"), number(out, "counted \\d+ (\\d+)"));
    }

    private static long number(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    @Test
    void whereNoOptimizerStepsItSaysWhatItWaitsForAndEndsOnControlC() throws Exception {
        String script = """
                import leakline_estimate
                leakline_estimate.PATIENCE = 0.6
                import os, signal, time
                signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background starts without
                import torch

                weights = torch.zeros(1000, 1000, device="cuda")
                for _ in range(100):
                    weights @ weights
                    time.sleep(0.02)
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(60)
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
