package dev.leakline;

import static dev.leakline.StepFrames.CALL;
import static dev.leakline.StepFrames.ENGINE;
import static dev.leakline.StepFrames.LAYER;
import static dev.leakline.StepFrames.MOVE;
import static dev.leakline.StepFrames.STEP;
import static dev.leakline.StepFrames.TORCH;
import static dev.leakline.StepFrames.ZERO;
import static dev.leakline.Uses.bytes;
import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Peak.Category;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import org.junit.jupiter.api.Test;

/** What passes keep for passes to come: graphs that backward passes make, caches that calls replace, results. */
class GraphsOfPassesTest {
    private static final long MB = 1 << 20;
    private static final long WEIGHT = 6 * MB;
    private static final long INNER = 40 * MB;
    private static final long SECOND = 30 * MB;
    private static final int LAYERS = 10;

    private static final String[] MAIN = {"train.py:12 main"};
    private static final String[] PENALTY = {"train.py:30 penalty", "train.py:12 main"};
    private static final String[] RESULT = {"model.py:22 forward", CALL, "train.py:12 main"};
    private static final String[] AGAIN = {"model.py:20 forward", CALL, TORCH + "utils/checkpoint.py:1100 unpack_hook"};

    @Test
    void whatABackwardPassMakesForALaterOneIsAnActivation() {
        SnapshotBuilder recording = doubleBackward(PENALTY);
        assertThat(bytes(recording, Category.ACTIVATIONS)).isEqualTo(LAYERS * (INNER + SECOND) + MB);
        assertThat(bytes(recording, Category.TEMPORARIES)).isZero();
    }

    @Test
    void whatItMakesWhileModulesAreComputedAgainIsNot() {
        assertThat(bytes(doubleBackward(AGAIN), Category.ACTIVATIONS)).isLessThan(LAYERS * INNER + 2 * MB);
    }

    /** Passes make blocks, something goes on at frames, and the engine frees. */
    private static SnapshotBuilder doubleBackward(String... between) {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        for (int step = 0; step < 4; step++) {
            for (int layer = 0; layer < LAYERS; layer++) {
                recording.alloc("inner " + layer, INNER, LAYER);
            }
            for (int layer = 0; layer < LAYERS; layer++) {
                recording.alloc("second " + layer, SECOND, ENGINE);
            }
            recording.alloc("norm", MB, between);
            for (int layer = LAYERS - 1; layer >= 0; layer--) {
                recording.free("second " + layer, ENGINE).free("inner " + layer, ENGINE);
            }
            recording.free("norm", ENGINE).alloc("gradient", WEIGHT, ENGINE);
            recording.alloc("root", 4096, STEP).free("root", STEP).free("gradient", ZERO);
        }
        return recording;
    }

    @Test
    void keysAndValuesThatGrowFromCallToCallAreACacheAndNoActivations() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        for (int token = 0; token < 6; token++) {
            for (int layer = 0; layer < LAYERS; layer++) {
                recording.alloc("hidden", MB, LAYER).alloc("more", MB, LAYER).free("hidden", LAYER);
                recording
                        .alloc("cache " + token + " " + layer, INNER + token * MB, LAYER)
                        .free("more", LAYER);
            }
            recording.alloc("token " + token, MB, MAIN);
            for (int layer = 0; layer < LAYERS && token > 0; layer++) {
                recording.free("cache " + (token - 1) + " " + layer, MAIN);
            }
        }
        assertThat(bytes(recording, Category.BUFFERS)).isGreaterThan(2 * LAYERS * INNER);
        assertThat(bytes(recording, Category.ACTIVATIONS)).isZero();
    }

    @Test
    void resultsOfEarlierPassesWithoutAGraphAreKeptByTheProgram() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        for (int pass = 0; pass < LAYERS; pass++) {
            recording.alloc("input", MB, MAIN);
            recording.alloc("hidden", INNER, LAYER).alloc("more", INNER, LAYER).free("hidden", LAYER);
            recording.alloc("result " + pass, INNER, RESULT).free("more", MAIN).free("input", MAIN);
        }
        for (int pass = 0; pass < LAYERS; pass++) {
            recording.free("result " + pass, MAIN);
        }
        assertThat(bytes(recording, Category.ACTIVATIONS)).isZero();
        assertThat(bytes(recording, Category.OTHER)).isEqualTo((LAYERS - 1) * INNER);
    }
}
