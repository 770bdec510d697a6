package dev.leakline;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Lever;
import dev.leakline.result.Peak.Category;
import dev.leakline.result.Peak.Use;
import dev.leakline.testkit.snapshot.Context;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What fills the peak of a few steps, and what would lower it, told from the phases in which blocks are made and freed. */
class PeakOfStepTest {
    private static final long MB = 1 << 20;
    private static final int LAYERS = 4;
    private static final long WEIGHT = 6 * MB;
    private static final long INPUT = 12 * MB;
    private static final long INNER = 22 * MB;
    private static final long OUTPUT = 14 * MB;
    private static final long SCRATCH = 10 * MB;

    private static final String TORCH = "/x/site-packages/torch/";
    private static final String CALL = TORCH + "nn/modules/module.py:1794 _call_impl";
    private static final String[] MOVE = {TORCH + "nn/modules/module.py:966 _apply", "train.py:3 main"};
    private static final String[] LOAD = {"train.py:10 main"};
    private static final String[] FIRST = {"model.py:20 forward", CALL, "model.py:40 forward", CALL, "train.py:12 main"
    };
    private static final String[] SECOND = {"model.py:21 forward", CALL, "model.py:40 forward", CALL, "train.py:12 main"
    };
    private static final String[] STEP = {
        TORCH + "optim/adam.py:178 _init_group", TORCH + "optim/optimizer.py:500 wrapper", "train.py:15 main"
    };
    private static final String[] ZERO = {TORCH + "optim/optimizer.py:1050 zero_grad", "train.py:16 main"};
    private static final String[] ENGINE = {"engine.cpp:1 torch::autograd::Engine::evaluate_function"};

    @Test
    void eachBlockIsOfTheKindThatItsMakerAndItsEndTell() {
        Map<Category, Long> uses = uses(run(true, 3));
        assertThat(uses)
                .containsEntry(Category.PARAMETERS, LAYERS * WEIGHT)
                .containsEntry(Category.OPTIMIZER_STATE, 2 * LAYERS * WEIGHT)
                .containsEntry(Category.INPUTS, INPUT)
                .containsEntry(Category.ACTIVATIONS, LAYERS * (INNER + OUTPUT))
                .containsEntry(Category.TEMPORARIES, SCRATCH)
                .doesNotContainKey(Category.OTHER);
    }

    @Test
    void whatIsOlderThanTheRecordingIsToldBySizes() {
        Map<Category, Long> uses = uses(run(false, 3));
        assertThat(uses)
                .containsEntry(Category.PARAMETERS, LAYERS * WEIGHT)
                .containsEntry(Category.OPTIMIZER_STATE, 2 * LAYERS * WEIGHT)
                .containsEntry(Category.ACTIVATIONS, LAYERS * (INNER + OUTPUT));
    }

    @Test
    void withoutStacksOfFreesTheAllocationsBeforeThemTell() {
        Map<Category, Long> uses = uses(run(snapshot().context(Context.ALLOC), true, 3));
        assertThat(uses)
                .containsEntry(Category.ACTIVATIONS, LAYERS * (INNER + OUTPUT))
                .containsEntry(Category.PARAMETERS, LAYERS * WEIGHT);
    }

    @Test
    void theHeadlineSaysWhatFillsThePeakAndWhatWouldLowerIt() {
        AnalysisResult result = Analysed.recording(run(true, 3));
        assertThat(result.verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(result.headline())
                .startsWith("238 MiB at the peak: 144 MiB activations, 48.0 MiB optimizer state, 24.0 MiB parameters;")
                .contains("activation checkpointing at model.py:40 (forward)");
    }

    /** Of the layers but one, all but what each gives on would go; the last layer's is computed again at once. */
    @Test
    void checkpointingSavesAllButOneLayersInside() {
        Lever checkpoint = lever(run(true, 3), Lever.Kind.CHECKPOINT);
        assertThat(checkpoint.expectedBytes()).isEqualTo((LAYERS - 1) * INNER + SCRATCH);
        assertThat(checkpoint.newPeakBytes()).isEqualTo(238 * MB - checkpoint.expectedBytes());
    }

    @Test
    void halfTheBatchHalvesWhatIsAsLargeAsTheBatch() {
        Lever batch = lever(run(true, 3), Lever.Kind.SMALLER_BATCH);
        assertThat(batch.expectedBytes()).isEqualTo((INPUT + LAYERS * (INNER + OUTPUT) + SCRATCH) / 2);
    }

    /** What is expected lies within; where one block more or less is given on, the width is not nothing. */
    @Test
    void eachSavingIsAnInterval() {
        AnalysisResult result = Analysed.recording(run(true, 3));
        assertThat(result.leversOfPeak())
                .isNotEmpty()
                .allSatisfy(
                        lever -> assertThat(lever.expectedBytes()).isBetween(lever.leastBytes(), lever.mostBytes()));
        Lever checkpoint = lever(run(true, 3), Lever.Kind.CHECKPOINT);
        assertThat(checkpoint.leastBytes()).isLessThan(checkpoint.mostBytes());
        assertThat(checkpoint.sentence()).contains(": saves ", " to ");
        assertThat(checkpoint.advice()).contains(". Range: ");
    }

    @Test
    void aRecordingOfAllocationsAloneSaysNothingOfUses() {
        SnapshotBuilder plain = snapshot();
        plain.alloc("a", MB, "script.py:1 main").alloc("b", 2 * MB, "script.py:2 main");
        AnalysisResult result = Analysed.recording(plain);
        assertThat(result.devices().getFirst().peak().byCategory()).isEmpty();
        assertThat(result.headline()).startsWith("3.00 MiB at the peak; largest line script.py:2");
    }

    private static Lever lever(SnapshotBuilder recording, Lever.Kind kind) {
        return Analysed.recording(recording).leversOfPeak().stream()
                .filter(lever -> lever.kind() == kind)
                .findFirst()
                .orElseThrow();
    }

    private static Map<Category, Long> uses(SnapshotBuilder recording) {
        Map<Category, Long> uses = new EnumMap<>(Category.class);
        for (Use use : Analysed.recording(recording).devices().getFirst().peak().byCategory()) {
            uses.put(use.category(), use.bytes());
        }
        return uses;
    }

    /** Steps of training; of a recording that begins late, the model and what the optimizer keeps are older. */
    private static SnapshotBuilder run(boolean isWhole, int steps) {
        return run(snapshot(), isWhole, steps);
    }

    private static SnapshotBuilder run(SnapshotBuilder recording, boolean isWhole, int steps) {
        for (int layer = 0; layer < LAYERS; layer++) {
            if (isWhole) {
                recording.alloc("weight " + layer, WEIGHT, MOVE);
            } else {
                recording.preexisting("weight " + layer, WEIGHT);
                recording.preexisting("mean " + layer, WEIGHT);
                recording.preexisting("variance " + layer, WEIGHT);
            }
        }
        for (int step = 0; step < steps; step++) {
            step(recording, step, isWhole && step == 0);
        }
        return recording;
    }

    private static void step(SnapshotBuilder recording, int step, boolean isFirst) {
        String now = " of " + step;
        recording.alloc("input" + now, INPUT, LOAD);
        for (int layer = 0; layer < LAYERS; layer++) {
            recording.alloc("inner " + layer + now, INNER, FIRST);
            recording.alloc("output " + layer + now, OUTPUT, SECOND);
        }
        for (int layer = LAYERS - 1; layer >= 0; layer--) {
            recording.alloc("scratch", SCRATCH, ENGINE).free("scratch", ENGINE);
            recording.free("output " + layer + now, ENGINE).free("inner " + layer + now, ENGINE);
            recording.alloc("gradient " + layer + now, WEIGHT, ENGINE);
        }
        for (int layer = 0; layer < LAYERS; layer++) {
            if (isFirst) {
                recording.alloc("mean " + layer, WEIGHT, STEP).alloc("variance " + layer, WEIGHT, STEP);
            }
            recording.alloc("update", WEIGHT, STEP).free("update", STEP);
        }
        for (int layer = 0; layer < LAYERS; layer++) {
            recording.free("gradient " + layer + now, ZERO);
        }
        recording.free("input" + now, LOAD);
    }
}
