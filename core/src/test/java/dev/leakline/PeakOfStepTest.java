package dev.leakline;

import static dev.leakline.StepFrames.CALL;
import static dev.leakline.StepFrames.ENGINE;
import static dev.leakline.StepFrames.TORCH;
import static dev.leakline.StepFrames.ZERO;
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
import java.util.List;
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
    private static final long POOLED = 4 * MB;
    private static final long STATISTICS = 2 * MB;

    private static final String LAMBDA = TORCH + "nn/modules/module.py:1130 <lambda>";
    private static final String[] MOVE = {LAMBDA, TORCH + "nn/modules/module.py:966 _apply", "train.py:3 main"};
    private static final String[] MOVE_BUFFER = {LAMBDA, TORCH + "nn/modules/module.py:1003 _apply", "train.py:3 main"};
    private static final String[] LOAD = {"train.py:10 main"};
    private static final String[] FIRST = {"model.py:20 forward", CALL, "model.py:40 forward", CALL, "train.py:12 main"
    };
    private static final String[] SECOND = {"model.py:21 forward", CALL, "model.py:40 forward", CALL, "train.py:12 main"
    };
    private static final String[] STEP = {
        TORCH + "optim/adam.py:178 _init_group", TORCH + "optim/optimizer.py:500 wrapper", "train.py:15 main"
    };

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

    /** A function that returns at the end frees what leaked while it ran. */
    @Test
    void whatLeaksIsLeakedAlsoWhereTheProgramFreesItAtItsEnd() {
        int steps = 40;
        SnapshotBuilder recording = run(true, 0);
        for (int step = 0; step < steps; step++) {
            step(recording, step, step == 0);
            recording.alloc("kept " + step, 3 * MB, "train.py:30 main");
        }
        for (int step = 0; step < steps; step++) {
            recording.free("kept " + step, "train.py:40 main");
        }
        assertThat(uses(recording)).containsKey(Category.LEAKED);
    }

    /** {@code Module._apply} moves parameters first, and buffers further down. */
    @Test
    void whatAModuleMovesBelowItsParametersAreBuffers() {
        Map<Category, Long> uses = uses(run(snapshot().alloc("cache", 30 * MB, MOVE_BUFFER), true, 3));
        assertThat(uses).containsEntry(Category.BUFFERS, 30 * MB).containsEntry(Category.PARAMETERS, LAYERS * WEIGHT);
    }

    @Test
    void whatIsOlderThanTheRecordingIsToldBySizes() {
        Map<Category, Long> uses = uses(run(false, 3));
        assertThat(uses)
                .containsEntry(Category.PARAMETERS, LAYERS * WEIGHT)
                .containsEntry(Category.OPTIMIZER_STATE, 2 * LAYERS * WEIGHT)
                .containsEntry(Category.ACTIVATIONS, LAYERS * (INNER + OUTPUT));
    }

    /** A set of the parameters that an evaluation swaps for an average, say, is no batch. */
    @Test
    void whatALineMakesOfEachParameterIsNoInput() {
        SnapshotBuilder recording = run(true, 3);
        for (int layer = 0; layer < LAYERS; layer++) {
            recording.alloc("backup " + layer, WEIGHT, "train.py:21 swap");
        }
        recording
                .alloc("scores", 200 * MB, FIRST)
                .alloc("head", MB, FIRST)
                .free("scores", FIRST)
                .free("head", FIRST);
        for (int layer = 0; layer < LAYERS; layer++) {
            recording.free("backup " + layer, "train.py:22 restore");
        }
        assertThat(uses(recording))
                .doesNotContainKey(Category.INPUTS)
                .containsEntry(Category.PARAMETERS, LAYERS * WEIGHT);
    }

    /** Weights in half precision, which an optimizer takes from the program's own in full: as large as a workspace of cuBLAS, and with gradients that the program computes of those. */
    @Test
    void weightsThatTheProgramKeepsInFullPrecisionHaveGradientsOfTheirOwn() {
        long half = 16 * MB;
        SnapshotBuilder recording = snapshot();
        for (int layer = 0; layer < LAYERS; layer++) {
            recording.alloc("weight " + layer, half, MOVE);
        }
        for (int layer = 0; layer < LAYERS; layer++) {
            recording.alloc("master " + layer, 2 * half, "train.py:5 main");
        }
        for (int step = 0; step < 3; step++) {
            recording.alloc("inner", INNER, FIRST);
            for (int layer = 0; layer < LAYERS; layer++) {
                recording.alloc("gradient " + step + " " + layer, half, ENGINE);
            }
            recording.free("inner", ENGINE);
            for (int layer = 0; layer < LAYERS; layer++) {
                recording
                        .alloc("scaled", 2 * half, "train.py:14 main")
                        .alloc("ofMaster " + step + " " + layer, 2 * half, "train.py:14 main")
                        .free("scaled", "train.py:14 main");
                if (step > 0) {
                    recording.free("ofMaster " + (step - 1) + " " + layer, "train.py:14 main");
                }
            }
            for (int layer = 0; layer < LAYERS && step == 0; layer++) {
                recording.alloc("mean " + layer, 2 * half, STEP).alloc("square " + layer, 2 * half, STEP);
            }
            recording.alloc("scratch", SCRATCH, STEP).free("scratch", STEP);
            for (int layer = 0; layer < LAYERS; layer++) {
                recording.free("gradient " + step + " " + layer, ZERO);
            }
        }
        assertThat(uses(recording)) // at the peak one gradient of a master is made anew, before the old one goes
                .containsEntry(Category.PARAMETERS, LAYERS * 3 * half)
                .containsEntry(Category.GRADIENTS, LAYERS * 3 * half + 2 * half)
                .containsEntry(Category.TEMPORARIES, 2 * half)
                .containsEntry(Category.OPTIMIZER_STATE, LAYERS * 4 * half);
    }

    /** Keys and values of each layer, made for a generation without a graph and filled by many passes. */
    @Test
    void whatALineMakesForPassesWithoutAGraphIsACache() {
        SnapshotBuilder recording = run(true, 3);
        for (int part = 0; part < 2 * LAYERS; part++) {
            recording.alloc("cache " + part, 40 * MB, "train.py:21 new_cache");
        }
        for (int token = 0; token < 20; token++) {
            recording.alloc("hidden", INNER, FIRST).alloc("output", MB, SECOND);
            recording.free("hidden", SECOND).free("output", LOAD);
        }
        for (int part = 0; part < 2 * LAYERS; part++) {
            recording.free("cache " + part, LOAD);
        }
        step(recording, 3, false);
        assertThat(uses(recording)).containsEntry(Category.BUFFERS, 2 * LAYERS * 40 * MB);
        assertThat(lever(recording, Lever.Kind.SHRINK_CACHE).sentence())
                .isEqualTo("smaller cache at train.py:21 (new_cache): saves up to 177 MiB");
    }

    /** Features that the program makes of each batch's output, and keeps until it joins them. */
    @Test
    void whatALineLeavesOfManyCallsIsAPileThatFitsTheHost() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        for (int batch = 0; batch < 20; batch++) {
            recording.alloc("input", INPUT, LOAD).alloc("inner", INNER, FIRST).alloc("output", OUTPUT, SECOND);
            recording.free("inner", SECOND).alloc("feature " + batch, 40 * MB, "train.py:21 index");
            recording.free("output", LOAD).free("input", LOAD);
        }
        for (int batch = 0; batch < 20; batch++) {
            recording.free("feature " + batch, LOAD);
        }
        assertThat(uses(recording)).containsEntry(Category.OTHER, 19 * 40 * MB);
        assertThat(lever(recording, Lever.Kind.RESULTS_ON_HOST).site().brief()).contains("train.py:21");
    }

    /** The program takes each gradient off its parameter before an optimizer allocates anything. */
    @Test
    void whatTheEngineLeavesInTheSizeOfAParameterIsAGradientUntilTheProgramFreesIt() {
        SnapshotBuilder recording = snapshot().alloc("weight", 60 * MB, MOVE);
        for (int step = 0; step < 3; step++) {
            recording.alloc("input", INPUT, LOAD).alloc("inner", INNER, FIRST).alloc("output", OUTPUT, SECOND);
            recording.alloc("gradient", 60 * MB, ENGINE).free("output", ENGINE).free("inner", ENGINE);
            recording
                    .free("gradient", "train.py:14 main")
                    .alloc("update", MB, STEP)
                    .free("update", STEP)
                    .free("input", LOAD);
        }
        assertThat(uses(recording)).containsEntry(Category.GRADIENTS, 60 * MB);
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

    /** Each call of one line makes the same twice, a norm's statistics last, and something else comes before the next call. */
    @Test
    void linesOfOneForwardMethodAreWrappedTogetherAndEachCallWhole() {
        Lever checkpoint = lever(downAndUp(), Lever.Kind.CHECKPOINT);
        assertThat(checkpoint.sentence()).contains("model.py:40");
        assertThat(checkpoint.advice()).contains("there and at model.py:43 in torch.utils.checkpoint");
        long kept = 2 * (OUTPUT + POOLED) + 2 * OUTPUT;
        long again = 2 * INNER + OUTPUT + 3 * STATISTICS;
        assertThat(checkpoint.newPeakBytes()).isBetween(WEIGHT + INPUT + kept, WEIGHT + INPUT + kept + again);
    }

    @Test
    void halfTheBatchHalvesWhatIsAsLargeAsTheBatch() {
        Lever batch = lever(run(true, 3), Lever.Kind.SMALLER_BATCH);
        assertThat(batch.expectedBytes()).isEqualTo((INPUT + LAYERS * (INNER + OUTPUT) + SCRATCH) / 2);
    }

    @Test
    void anOptimizerThatKeepsMoreFromStepToStepIsNoLongerInput() {
        SnapshotBuilder recording = run(true, 8);
        recording.alloc("history", 2 * WEIGHT, STEP);
        step(recording, 8, false);
        assertThat(kinds(recording)).contains(Lever.Kind.SMALLER_BATCH).doesNotContain(Lever.Kind.SHORTER_INPUT);
    }

    @Test
    void whatOneStepMakesInItsPassesBeyondAllOthersIsALongerInput() {
        SnapshotBuilder recording = run(true, 8);
        recording.alloc("input", INPUT, LOAD);
        recording.alloc("long", 300 * MB, FIRST).free("long", ENGINE);
        recording.free("input", LOAD);
        assertThat(kinds(recording)).contains(Lever.Kind.SHORTER_INPUT);
    }

    private static List<Lever.Kind> kinds(SnapshotBuilder recording) {
        return Analysed.recording(recording).leversOfPeak().stream()
                .map(Lever::kind)
                .toList();
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

    private static SnapshotBuilder downAndUp() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        for (int step = 0; step < 3; step++) {
            recording.alloc("input", INPUT, LOAD);
            for (String call : List.of("1", "2")) {
                for (String half : List.of("a", "b")) {
                    recording.alloc("inner" + half + call, INNER, within("30 forward", "40"));
                    recording.alloc("output" + half + call, OUTPUT, within("31 forward", "40"));
                    recording.alloc("statistics" + half + call, STATISTICS, within("31 forward", "40"));
                }
                recording.alloc("pooled" + call, POOLED, "model.py:41 forward", CALL, "train.py:12 main");
            }
            for (String call : List.of("3", "4")) {
                recording.alloc("inner" + call, INNER, within("34 forward", "43"));
                recording.alloc("output" + call, OUTPUT, within("35 forward", "43"));
            }
            for (String call : List.of("4", "3")) {
                recording.free("output" + call, ENGINE).free("inner" + call, ENGINE);
            }
            for (String call : List.of("2", "1")) {
                recording.free("pooled" + call, ENGINE);
                for (String half : List.of("b", "a")) {
                    recording
                            .free("statistics" + half + call, ENGINE)
                            .free("output" + half + call, ENGINE)
                            .free("inner" + half + call, ENGINE);
                }
            }
            recording.alloc("gradient", WEIGHT, ENGINE).alloc("update", WEIGHT, STEP);
            recording.free("update", STEP).free("gradient", ZERO).free("input", LOAD);
        }
        return recording;
    }

    private static String[] within(String inner, String call) {
        return new String[] {"model.py:" + inner, CALL, "model.py:" + call + " forward", CALL, "train.py:12 main"};
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
