package dev.leakline;

import static dev.leakline.StepFrames.CALL;
import static dev.leakline.StepFrames.ENGINE;
import static dev.leakline.StepFrames.LAYER;
import static dev.leakline.StepFrames.MOVE;
import static dev.leakline.StepFrames.STEP;
import static dev.leakline.StepFrames.TORCH;
import static dev.leakline.Uses.bytes;
import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Peak.Category;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import org.junit.jupiter.api.Test;

/** A job that runs out of memory in its first step, when no backward pass has shown what it frees. */
class UnfinishedPassTest {
    private static final long MB = 1 << 20;
    private static final long WEIGHT = 6 * MB;
    private static final long INNER = 40 * MB;
    private static final long LOGITS = 90 * MB;
    private static final int LAYERS = 10;

    private static final String[] HEAD = {"model.py:30 forward", CALL, "train.py:12 main"};
    private static final String[] LOSS = {TORCH + "nn/functional.py:3479 cross_entropy", "train.py:13 main"};
    private static final String[] WITHOUT_GRAPH = {
        "model.py:20 forward", CALL, "train.py:9 evaluate", TORCH + "utils/_contextlib.py:120 decorate_context"
    };
    private static final String CHECKPOINT = TORCH + "utils/checkpoint.py:500 checkpoint";

    @Test
    void whatAForwardPassStillHoldsIsForABackwardPassIfItHoldsMost() {
        assertThat(bytes(forward().oom(INNER, MB, LAYER), Category.ACTIVATIONS)).isEqualTo(LAYERS * INNER);
    }

    @Test
    void whatABackwardPassHasNotReachedIsAnActivation() {
        SnapshotBuilder recording = forward().free("inner 9", ENGINE).alloc("gradient", 2 * INNER, ENGINE);
        assertThat(bytes(recording.oom(INNER, MB, ENGINE), Category.ACTIVATIONS))
                .isEqualTo((LAYERS - 1) * INNER);
    }

    @Test
    void ofAPassThatFreesMostOfWhatItMakesWhatIsThereIsTemporary() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE).alloc("inner 0", INNER, LAYER);
        for (int layer = 1; layer < LAYERS; layer++) {
            recording.alloc("inner " + layer, INNER, LAYER).free("inner " + (layer - 1), LAYER);
        }
        assertThat(bytes(recording.oom(INNER, MB, LAYER), Category.ACTIVATIONS)).isZero();
    }

    @Test
    void underNoGradNothingIsAnActivation() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        recording.alloc("kept", INNER, WITHOUT_GRAPH).alloc("inner", INNER, WITHOUT_GRAPH);
        assertThat(bytes(recording.oom(INNER, MB, WITHOUT_GRAPH), Category.ACTIVATIONS))
                .isZero();
    }

    /** It keeps the log-probabilities that it makes of them. */
    @Test
    void theLogitsThatALossOverClassesIsGivenAreNotKept() {
        SnapshotBuilder recording = forward().alloc("logits", LOGITS, HEAD).alloc("log-probabilities", LOGITS, LOSS);
        recording.alloc("gradient of them", LOGITS, ENGINE).oom(LOGITS, MB, ENGINE);
        assertThat(bytes(recording, Category.ACTIVATIONS)).isEqualTo(LAYERS * INNER + LOGITS);
        assertThat(bytes(recording, Category.TEMPORARIES)).isEqualTo(2 * LOGITS);
    }

    @Test
    void whatACheckpointedCallFreesDoesNotSpeakAgainstAGraph() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        for (int layer = 0; layer < LAYERS; layer++) {
            String[] within = {"model.py:20 forward", CHECKPOINT, "model.py:40 forward", CALL, "train.py:12 main"};
            recording.alloc("scratch " + layer, INNER, within).alloc("more " + layer, INNER, within);
            recording.alloc("output " + layer, INNER, within);
            recording.free("scratch " + layer, within).free("more " + layer, within);
        }
        assertThat(bytes(recording.oom(INNER, MB, HEAD), Category.ACTIVATIONS)).isEqualTo(LAYERS * INNER);
    }

    @Test
    void whatAVariableHoldsAfterTheBackwardPassIsNoActivation() {
        SnapshotBuilder recording = forward().alloc("output", LOGITS, HEAD).alloc("gradient", WEIGHT, ENGINE);
        for (int layer = LAYERS - 1; layer >= 0; layer--) {
            recording.free("inner " + layer, ENGINE);
        }
        recording.alloc("state", WEIGHT, STEP).alloc("root", LAYERS * INNER, STEP);
        assertThat(bytes(recording.oom(LAYERS * INNER, MB, STEP), Category.ACTIVATIONS))
                .isZero();
    }

    @Test
    void aModelThatIsTooLargeToLoadConsistsOfParameters() {
        SnapshotBuilder recording = snapshot();
        String[] making = {TORCH + "nn/modules/linear.py:110 __init__", "serve.py:3 main"};
        for (int layer = 0; layer < LAYERS; layer++) {
            recording.alloc("weight " + layer, INNER, making);
        }
        assertThat(bytes(recording.oom(INNER, MB, making), Category.PARAMETERS)).isEqualTo(LAYERS * INNER);
    }

    private static SnapshotBuilder forward() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        for (int layer = 0; layer < LAYERS; layer++) {
            recording.alloc("inner " + layer, INNER, LAYER);
        }
        return recording;
    }

    @Test
    void stateThatAnOptimizerWasMakingIsItsState() {
        String[] making = {TORCH + "optim/adam.py:170 _init_group", STEP[0], STEP[1]};
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        recording.alloc("inner", MB, LAYER).free("inner", ENGINE).alloc("gradient", WEIGHT, ENGINE);
        recording.alloc("state", WEIGHT, making).oom(WEIGHT, MB, making).free("state", "train.py:15 main");
        assertThat(bytes(recording, Category.OPTIMIZER_STATE)).isEqualTo(WEIGHT);
    }

    /** A search for the largest batch fails on purpose; what grows then is the news. */
    @Test
    void aLeakLeadsBeforeARequestThatFailedAndWasCaught() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE).oom(100 * LOGITS, MB, LAYER);
        for (int step = 0; step < 60; step++) {
            recording
                    .alloc("kept " + step, WEIGHT, HEAD)
                    .alloc("update " + step, MB, STEP)
                    .free("update " + step, STEP);
        }
        assertThat(Analysed.recording(recording).verdict()).isEqualTo(Verdict.LEAK);
    }
}
