package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code leakline fit} as users call it. */
class FitCommandTest {
    private static final long MB = 1 << 20;
    private static final String TORCH = "/x/site-packages/torch/";
    private static final String[] MOVE = {TORCH + "nn/modules/module.py:966 _apply", "train.py:3 main"};
    private static final String[] LAYER = {
        "model.py:11 forward", TORCH + "nn/modules/module.py:1794 _call_impl", "train.py:8 main"
    };
    private static final String[] BACKWARD = {TORCH + "autograd/graph.py:829 _engine_run_backward", "train.py:9 main"};

    @TempDir
    private Path folder;

    /** Weights of 200 MiB stay; each step makes five activations of 60 MiB, which the backward pass frees. The context takes 512 MiB. */
    @BeforeEach
    void writeRecording() throws Exception {
        SnapshotBuilder recording = snapshot().alloc("weights", 200 * MB, MOVE);
        for (int step = 0; step < 4; step++) {
            for (int layer = 0; layer < 5; layer++) {
                recording.alloc("a" + layer, 60 * MB, LAYER);
            }
            for (int layer = 4; layer >= 0; layer--) {
                recording.alloc("g", 60 * MB, BACKWARD).free("g", BACKWARD).free("a" + layer, BACKWARD);
            }
        }
        Files.write(folder.resolve("job.pickle"), recording.write(Dialect.PROTOCOL_4));
    }

    @Test
    void theLargestBatchIsThatWhoseRequestsAreAllMet() throws Exception {
        JsonNode fit = fit("2GiB");
        assertThat(fit.get("usable_bytes").asLong()).isEqualTo((2048 - 512) * MB);
        assertThat(fit.get("reserved_bytes").asLong()).isEqualTo((200 + 6 * 60) * MB);
        assertThat(fit.get("least_bytes").asLong())
                .isBetween((512 + 200 + 6 * 60) * MB, (512 + 200 + 6 * 60 + 16) * MB);
        // six blocks in (1,536 - 200) MiB, each in a segment of whole 2 MiB: 222 MiB, 3.7 times 60
        assertThat(fit.get("batch_factor").asDouble()).isBetween(3.6, 3.7);
    }

    @Test
    void whatDoesNotFitIsToldWithWhatBringsItUnder() throws Exception {
        Outcome outcome = run("fit", "--device-memory", "1GiB", "job.pickle");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out().replaceAll("\\s+", " "))
                .contains("does not fit into 1.00 GiB: 560 MiB are live at the peak, and 512 MiB can be reserved")
                .contains("the largest batch that does is about 0.86 times the recorded one")
                .contains(": a card of 6 GB")
                .contains("512 MiB of the device are set aside for the CUDA context")
                .contains("half the batch: saves up to 180 MiB; may be enough");
    }

    @Test
    void whatFitsNowAndLeaksIsSaidToLeak() throws Exception {
        SnapshotBuilder recording = snapshot().alloc("weights", 200 * MB, MOVE);
        for (int step = 0; step < 40; step++) {
            recording.alloc("a", 60 * MB, LAYER).free("a", BACKWARD).alloc("kept" + step, 2 * MB, "train.py:12 main");
        }
        Files.write(folder.resolve("job.pickle"), recording.write(Dialect.PROTOCOL_4));
        Outcome outcome = run("fit", "--device-memory", "8GiB", "job.pickle");
        assertThat(outcome.out().replaceAll("\\s+", " "))
                .contains(
                        "fits into 8.00 GiB",
                        "That is of the recorded steps alone: GPU memory grows by 2.00 MiB per step");
    }

    @Test
    void withoutADeviceThereIsNothingToAnswer() throws Exception {
        Outcome outcome = run("fit", "job.pickle");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).contains("--device-memory 24GiB");
    }

    private JsonNode fit(String memory) throws Exception {
        Outcome outcome = run("fit", "--format", "json", "--device-memory", memory, "job.pickle");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return new JsonMapper().readTree(outcome.out()).get("fit");
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }
}
