package dev.leakline;

import static dev.leakline.StepFrames.CALL;
import static dev.leakline.StepFrames.ENGINE;
import static dev.leakline.StepFrames.LAYER;
import static dev.leakline.StepFrames.MOVE;
import static dev.leakline.StepFrames.STEP;
import static dev.leakline.StepFrames.TORCH;
import static dev.leakline.StepFrames.ZERO;
import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Lever;
import dev.leakline.result.Lever.Kind;
import dev.leakline.result.Peak.Category;
import dev.leakline.result.Peak.Use;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changes that depend on what an optimizer makes and keeps, and on what variables of the program hold. */
class LeversOfStepTest {
    private static final long MB = 1 << 20;
    private static final long TRUNK = 30 * MB;
    private static final long HEAD = 6 * MB;
    private static final long INNER = 22 * MB;
    private static final long TABLE = 200 * MB;
    private static final long ROWS = 5 * MB;

    private static final String[] LOAD = {"train.py:10 main"};
    private static final String PRODUCT = TORCH + "nn/modules/linear.py:125 forward";
    private static final String[] LOOKUP = {
        TORCH + "nn/functional.py:2500 embedding", "model.py:18 forward", CALL, "train.py:12 main"
    };

    /** Gradient and temporary of the table are as small as the rows then. */
    @Test
    void aTableOfWhichAStepUsesFewRowsCanHaveSparseGradients() {
        Lever sparse = lever(table(), Kind.SPARSE_GRADIENTS);
        assertThat(sparse.expectedBytes()).isBetween(TABLE - 8 * ROWS, 2 * TABLE);
        assertThat(sparse.sentence()).contains("model.py:18");
    }

    @Test
    void anOptimizersStateIsOnlyBoundedWhatLessOfItSaves() {
        Lever state = lever(table(), Kind.LESS_OPTIMIZER_STATE);
        assertThat(state.leastBytes()).isZero();
        assertThat(state.expectedBytes()).isZero();
        assertThat(state.sentence()).contains("saves up to ");
    }

    /** It could go before the backward pass, if no line reads it after that. */
    @Test
    void anOutputThatAVariableHoldsThroughTheBackwardPassIsABound() {
        SnapshotBuilder recording = snapshot().alloc("weight", HEAD, MOVE);
        recording.alloc("first", MB, LAYER).free("first", LAYER);
        for (int step = 0; step < 4; step++) {
            recording.alloc("scores " + step, 60 * MB, LAYER);
            if (step > 0) {
                recording.free("scores " + (step - 1), LOAD);
            }
            pass(recording, step);
            recording.alloc("scratch", 180 * MB, ENGINE).free("scratch", ENGINE);
            recording.alloc("update", HEAD, STEP).free("update", STEP).free("gradient " + step, ZERO);
        }
        Lever del = lever(recording, Kind.DEL_TENSOR);
        assertThat(del.leastBytes()).isZero();
        assertThat(del.mostBytes()).isGreaterThan(del.expectedBytes());
        assertThat(del.advice()).contains("until it sets its variable again");
    }

    @Test
    void whatTheProgramComputedFromACopyOfTheHostIsNoInput() {
        SnapshotBuilder recording = snapshot().alloc("weight", HEAD, MOVE);
        for (int step = 0; step < 3; step++) {
            recording.alloc("clips", 25 * MB, LOAD);
            recording.alloc("float", 100 * MB, "train.py:11 main").alloc("scaled", 100 * MB, "train.py:11 main");
            recording.free("float", "train.py:11 main");
            recording.alloc("crop", 9 * MB, "train.py:13 main");
            pass(recording, step, () -> recording.free("scaled", LOAD));
            recording.free("crop", ENGINE).alloc("update", HEAD, STEP).free("update", STEP);
            recording.free("gradient " + step, ZERO).free("clips", LOAD);
        }
        assertThat(bytes(recording, Category.INPUTS)).isLessThan(100 * MB);
        assertThat(bytes(recording, Category.TEMPORARIES)).isGreaterThanOrEqualTo(100 * MB);
    }

    @Test
    void ofAModelThatOnlyComputesForwardHalfIsABoundAsItsPrecisionIsNotSeen() {
        SnapshotBuilder recording = snapshot().alloc("weight", 8 * TRUNK, MOVE);
        for (int call = 0; call < 3; call++) {
            recording.alloc("inner", INNER, LAYER).free("inner", LAYER);
        }
        Lever half = lever(recording, Kind.HALF_WEIGHTS);
        assertThat(half.leastBytes()).isZero();
        assertThat(half.mostBytes()).isEqualTo(4 * TRUNK + INNER / 2);
    }

    /** What the rest of the step needs, and the passes after it, was not recorded. */
    @Test
    void ofAnOptimizersStepThatFailsNoSavingIsPromised() {
        SnapshotBuilder recording = snapshot().alloc("trunk", TRUNK, MOVE).alloc("head", HEAD, MOVE);
        recording
                .alloc("inner", 3 * HEAD, LAYER)
                .alloc("gradient", HEAD, ENGINE)
                .alloc("of trunk", TRUNK, ENGINE);
        recording.free("inner", ENGINE).alloc("mean", TRUNK, STEP).alloc("root", TRUNK, STEP);
        recording.oom(HEAD, MB, STEP).free("root", STEP);
        assertThat(kinds(recording)).doesNotContain(Kind.FUSED_OPTIMIZER, Kind.FOREACH_FALSE);
    }

    @Test
    void autocastNamesAllLinesThatCallModels() {
        SnapshotBuilder recording = snapshot().alloc("trunk", TRUNK, MOVE);
        for (int step = 0; step < 3; step++) {
            for (int layer = 0; layer < 5; layer++) {
                recording.alloc("first " + layer, INNER, PRODUCT, "model.py:20 forward", CALL, "train.py:12 main");
                recording.alloc("other " + layer, HEAD, PRODUCT, "model.py:25 forward", CALL, "train.py:17 main");
            }
            recording.alloc("gradient", TRUNK, ENGINE);
            for (int layer = 4; layer >= 0; layer--) {
                recording.free("other " + layer, ENGINE).free("first " + layer, ENGINE);
            }
            recording.alloc("norm", 4096, STEP).free("norm", STEP).free("gradient", ZERO);
        }
        Lever autocast = lever(recording, Kind.AUTOCAST);
        assertThat(autocast.sentence()).contains("train.py:12");
        assertThat(autocast.advice()).contains("and that at train.py:17");
    }

    private static SnapshotBuilder table() {
        SnapshotBuilder recording = snapshot().alloc("table", TABLE, MOVE).alloc("head", HEAD, MOVE);
        for (int step = 0; step < 3; step++) {
            recording.alloc("rows", ROWS, LOOKUP);
            pass(recording, step);
            recording.free("rows", ENGINE).alloc("of table", TABLE, ENGINE);
            if (step == 0) {
                recording.alloc("mean", TABLE, STEP).alloc("variance", TABLE, STEP);
                recording.alloc("mean of head", HEAD, STEP).alloc("variance of head", HEAD, STEP);
            }
            recording.alloc("root", TABLE, STEP).free("root", STEP);
            recording.free("of table", ZERO).free("gradient " + step, ZERO);
        }
        return recording;
    }

    private static void pass(SnapshotBuilder recording, int step) {
        pass(recording, step, () -> {});
    }

    /** Five blocks that a backward pass frees; it makes the head's gradient first. */
    private static void pass(SnapshotBuilder recording, int step, Runnable afterForward) {
        for (int layer = 0; layer < 5; layer++) {
            recording.alloc("inner " + layer, INNER, LAYER);
        }
        afterForward.run();
        recording.alloc("gradient " + step, HEAD, ENGINE);
        for (int layer = 4; layer >= 0; layer--) {
            recording.free("inner " + layer, ENGINE);
        }
    }

    private static long bytes(SnapshotBuilder recording, Category category) {
        return Analysed.recording(recording).devices().getFirst().peak().byCategory().stream()
                .filter(use -> use.category() == category)
                .mapToLong(Use::bytes)
                .sum();
    }

    private static List<Kind> kinds(SnapshotBuilder recording) {
        return Analysed.recording(recording).leversOfPeak().stream()
                .map(Lever::kind)
                .toList();
    }

    private static Lever lever(SnapshotBuilder recording, Kind kind) {
        return Analysed.recording(recording).leversOfPeak().stream()
                .filter(lever -> lever.kind() == kind)
                .findFirst()
                .orElseThrow();
    }
}
