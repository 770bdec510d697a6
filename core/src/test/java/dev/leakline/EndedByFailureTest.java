package dev.leakline;

import static dev.leakline.StepFrames.ENGINE;
import static dev.leakline.StepFrames.LAYER;
import static dev.leakline.StepFrames.MOVE;
import static dev.leakline.StepFrames.STEP;
import static dev.leakline.StepFrames.ZERO;
import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Fit;
import dev.leakline.result.Peak.Category;
import dev.leakline.result.Peak.Use;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import org.junit.jupiter.api.Test;

/** A job that runs out of memory in the forward pass of a step: what comes after that, no recording shows. */
class EndedByFailureTest {
    private static final long MB = 1 << 20;
    private static final long WEIGHT = 6 * MB;
    private static final long INNER = 40 * MB;
    private static final int LAYERS = 10;

    @Test
    void whatItsForwardPassMadeIsForABackwardPassAsInTheStepsBefore() {
        AnalysisResult result = Analysed.recording(steps(2).oom(INNER, MB, LAYER));
        long activations = result.devices().getFirst().peak().byCategory().stream()
                .filter(use -> use.category() == Category.ACTIVATIONS)
                .mapToLong(Use::bytes)
                .sum();
        assertThat(activations).isEqualTo(LAYERS * 2 * INNER);
    }

    @Test
    void whatWouldLowerThePeakIsAdvised() {
        AnalysisResult result = Analysed.recording(steps(2).oom(INNER, MB, LAYER));
        Finding failure = result.findings().getFirst();
        assertThat(failure.kind()).isEqualTo(Finding.Kind.OOM);
        assertThat(failure.advice())
                .extracting(Advice::expectedBytes)
                .startsWith(result.leversOfPeak().getFirst().expectedBytes());
    }

    @Test
    void noLargestBatchIsPromised() {
        Fit fit = fit(steps(2).oom(INNER, MB, LAYER));
        assertThat(fit.endsEarly()).isTrue();
        assertThat(fit.neededBytes()).isEqualTo(WEIGHT + LAYERS * 2 * INNER + INNER);
        assertThat(fit.batchFactor()).isNaN();
        assertThat(fit.sentence()).startsWith("what was recorded fits into").contains("is not known");
        assertThat(fit.leastSentence()).startsWith("needs more than");
    }

    @Test
    void whereItFailedInLittleOfTheDeviceANeighbourIsLikely() {
        Fit fit = Analysed.recording(steps(2).oom(INNER, MB, LAYER), 24_000 * MB)
                .devices()
                .getFirst()
                .fit();
        assertThat(fit.sentence()).contains("probably another process held the rest");
    }

    @Test
    void ofAModelThatIsTooLargeToLoadWhatItNeedsIsSaid() {
        SnapshotBuilder recording = snapshot();
        for (int layer = 0; layer < LAYERS; layer++) {
            recording.alloc("weight " + layer, INNER, "model.py:7 __init__", "serve.py:3 main");
        }
        Fit fit = fit(recording.oom(INNER, MB, "model.py:7 __init__", "serve.py:3 main"));
        assertThat(fit.neededBytes()).isEqualTo((LAYERS + 1) * INNER);
        assertThat(fit.leastSentence()).startsWith("needs more than");
    }

    @Test
    void whereNearlyAllIsLiveASettingIsNotTheFirstAdvice() {
        SnapshotBuilder recording = steps(4);
        for (int piece = 0; piece < 3; piece++) {
            recording.alloc("piece " + piece, INNER / 2, LAYER);
        }
        Finding failure = Analysed.recording(recording.free("piece 1", LAYER).oom(INNER / 4, MB, LAYER))
                .findings()
                .getFirst();
        assertThat(failure.kind()).isEqualTo(Finding.Kind.OOM_FRAGMENTATION);
        assertThat(failure.advice().getFirst().action()).startsWith("Try ");
    }

    /** The error was caught, and a smaller batch runs. */
    @Test
    void whereTheProgramGoesOnItsStepsAreKnown() {
        SnapshotBuilder recording = steps(1).oom(INNER, MB, LAYER);
        for (int layer = 0; layer < LAYERS; layer++) {
            recording.free("inner " + layer, "train.py:20 main");
        }
        step(recording, 9, 1);
        Fit fit = fit(recording);
        assertThat(fit.endsEarly()).isFalse();
        assertThat(fit.batchFactor()).isPositive();
    }

    private static Fit fit(SnapshotBuilder recording) {
        return Analysed.recording(recording, 2_000 * MB).devices().getFirst().fit();
    }

    /** Three whole steps, and a forward pass of blocks so many times as large. */
    private static SnapshotBuilder steps(int times) {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        for (int step = 0; step < 3; step++) {
            step(recording, step, 1);
        }
        forward(recording, times);
        return recording;
    }

    private static void step(SnapshotBuilder recording, int step, int times) {
        forward(recording, times);
        recording.alloc("gradient " + step, WEIGHT, ENGINE);
        for (int layer = LAYERS - 1; layer >= 0; layer--) {
            recording.free("inner " + layer, ENGINE);
        }
        recording.alloc("norm", 4096, STEP).free("norm", STEP).free("gradient " + step, ZERO);
    }

    private static void forward(SnapshotBuilder recording, int times) {
        for (int layer = 0; layer < LAYERS; layer++) {
            recording.alloc("inner " + layer, times * INNER, LAYER);
        }
    }
}
