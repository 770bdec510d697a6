package dev.leakline.steps;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Columns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.StepSummary.Kind;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import dev.leakline.testkit.snapshot.event.Stage;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first turn of a loop begins its first step; its last iteration is a step where it does all that the others do. */
class StepFinderTest {
    private static final long MB = 1 << 20;
    private static final String MAIN = "main.py:9 main";
    private static final String CALL = "/x/site-packages/torch/nn/modules/module.py:1794 _call_impl";
    private static final String BACKWARD = "/x/site-packages/torch/autograd/__init__.py:354 backward";
    private static final String LINEAR = "/x/site-packages/torch/nn/modules/linear.py:134 forward";
    private static final String CONTAINER = "/x/site-packages/torch/nn/modules/container.py:250 forward";
    private static final String SERVER = "/x/site-packages/fastserve/routing.py:77 run_endpoint";
    private static final String OPTIMIZER = "/x/site-packages/torch/optim/optimizer.py:533 wrapper";

    @Test
    void theProfilersStepsCountFirst() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(12, (s, i) -> trainingStep(s.step(), i)).step();
        Steps steps = steps(recording);
        assertThat(steps.kind()).isEqualTo(Kind.ANNOTATION);
        assertThat(steps.meaning()).isEqualTo("one profiler step");
        assertThat(steps.count()).isEqualTo(12);
    }

    @Test
    void theOptimizersStepsCountBeforeOtherRanges() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(10, (s, i) -> {
            range(s, "batch", () -> trainingStep(s, 2 * i));
            range(s, "batch", () -> trainingStep(s, 2 * i + 1));
            range(s, "Optimizer.step#AdamW.step", () -> transientBlock(s, "moment", 3 * MB, "train.py:30 train", MAIN));
        });
        Steps steps = steps(recording);
        assertThat(steps.meaning()).isEqualTo("one optimizer step");
        assertThat(steps.count()).isEqualTo(10);
    }

    /** Three allocations of one expression, each of which frees what the one before it made; the first iteration also takes a workspace. */
    @Test
    void anExpressionIsOneTurnHoweverOftenItAllocates() {
        SnapshotBuilder recording = snapshot().alloc("workspace", 8 * MB, MAIN);
        recording.repeat(
                60,
                (s, i) -> s.alloc("noise" + i, MB, MAIN)
                        .alloc("product" + i, MB, MAIN)
                        .free("noise" + i, MAIN)
                        .alloc("result" + i, MB, MAIN)
                        .free("product" + i, MAIN));
        assertThat(steps(recording).count()).isBetween(60, 61);
    }

    @Test
    void aLoopBeneathThousandsOfCallsIsFound() {
        String[] calls = IntStream.range(0, 10_000)
                .mapToObj(depth -> "deep.py:" + (depth + 1) + " call" + depth)
                .toArray(String[]::new);
        SnapshotBuilder recording = snapshot();
        recording.repeat(60, (s, i) -> transientBlock(s, "batch" + i, MB, calls));
        assertThat(steps(recording).count()).isBetween(59, 61);
    }

    /** One allocation a turn, of which every third stays; and one of which the two before it are alive, as in a queue. */
    @Test
    void whatStaysForATimeIsNoPartOfAnExpression() {
        SnapshotBuilder kept = snapshot();
        SnapshotBuilder queued = snapshot();
        for (int i = 0; i < 60; i++) {
            kept.alloc("x" + i, MB, MAIN);
            queued.alloc("x" + i, MB, MAIN);
            if (i % 3 != 0) {
                kept.free("x" + i, MAIN);
            }
            if (i >= 2) {
                queued.free("x" + (i - 2), MAIN);
            }
        }
        assertThat(steps(kept).count()).isBetween(59, 60);
        assertThat(steps(queued).count()).isBetween(58, 60);
    }

    /** Every second request fails after its first line, and what keeps its exception keeps what that line made. */
    @Test
    void aRequestThatFailsIsAStepToo() {
        assertThat(steps(requests(true)).count()).isBetween(59, 60);
        assertThat(steps(requests(false)).count()).isBetween(29, 30);
    }

    private static SnapshotBuilder requests(boolean keepsFailed) {
        SnapshotBuilder recording = snapshot();
        String[] first = {"job.py:5 decode", MAIN};
        recording.repeat(60, (s, i) -> {
            s.alloc("scratch" + i, MB, first).alloc("hidden" + i, MB, first).free("scratch" + i, first);
            if (i % 2 == 1) {
                transientBlock(s, "mean", MB, "job.py:8 decode", MAIN);
            }
            if (i % 2 == 1 || !keepsFailed) {
                s.free("hidden" + i, MAIN);
            }
        });
        return recording;
    }

    /** Few steps of the optimizer after sixteen batches each: the batches repeat often enough to judge by. A loop that runs no backward pass is none of batches. */
    @Test
    void batchesAreTheStepsWhereTheOptimizerStepsSeldom() {
        assertThat(steps(accumulation(6, BACKWARD)).count()).isBetween(95, 96);
        assertThat(steps(accumulation(6, OPTIMIZER)).count()).isEqualTo(6);
        assertThat(steps(accumulation(30, BACKWARD)).count()).isEqualTo(30);
    }

    private static SnapshotBuilder accumulation(int optimizerSteps, String called) {
        SnapshotBuilder recording = snapshot();
        recording.repeat(optimizerSteps, (s, i) -> {
            for (int batch = 0; batch < 16; batch++) {
                transientBlock(s, "hidden", 5 * MB, layer("model.py:11 forward"));
                transientBlock(s, "gradient", 4 * MB, called, "train.py:23 train", MAIN);
            }
            range(s, "Optimizer.step#AdamW.step", () -> transientBlock(s, "moment", 3 * MB, "train.py:30 train", MAIN));
        });
        return recording;
    }

    /** Forward and backward pass in one line, which allocates by itself in between: twice a batch, of which only one has a backward pass. */
    @Test
    void aBatchEndsWithItsBackwardPass() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(4, (s, i) -> {
            for (int batch = 0; batch < 30; batch++) {
                s.alloc("input", 2 * MB, MAIN);
                transientBlock(s, "hidden", 5 * MB, LINEAR, CALL, MAIN);
                s.free("input", MAIN).alloc("loss", MB, MAIN);
                transientBlock(s, "gradient", 4 * MB, BACKWARD, MAIN);
                s.free("loss", MAIN);
            }
            range(s, "Optimizer.step#AdamW.step", () -> transientBlock(s, "moment", 3 * MB, "main.py:12 main"));
        });
        assertThat(steps(recording).count()).isBetween(119, 120);
    }

    @Test
    void aLoopGoesOnWhereWhatItsFirstTurnsDidComesNoMore() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(300, (s, i) -> {
            if (i < 100 && i % 3 == 0) {
                s.alloc("vector" + i, MB, "lexicon.py:7 vector", MAIN);
            }
            s.alloc("row", 2 * MB, MAIN).alloc("mean", MB, MAIN);
            s.free("row", MAIN).free("mean", MAIN);
        });
        assertThat(steps(recording).kind()).isEqualTo(Kind.RECURRENCE);
        assertThat(steps(recording).count()).isBetween(298, 300);
    }

    @Test
    void aRangeOfTheProgramsIsAStep() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(15, (s, i) -> range(s, "handle_request", () -> trainingStep(s, i)));
        Steps steps = steps(recording);
        assertThat(steps.meaning()).isEqualTo("one range 'handle_request'");
        assertThat(steps.count()).isEqualTo(15);
    }

    @Test
    void aStepEndsWithItsRangeAndTheNextBeginsThere() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(5, (s, i) -> {
            range(s, "work", () -> transientBlock(s, "inside", 3 * MB, "main.py:5 main"));
            transientBlock(s, "between", 4 * MB, "main.py:6 main");
        });
        Steps steps = steps(recording);
        assertThat(steps.count()).isEqualTo(5);
        assertThat(steps.start(0)).isZero();
        // A first use takes a segment: four events; later ones take three, of the block inside and of the one between.
        assertThat(steps.start(1)).isEqualTo(4);
        assertThat(steps.start(3) - steps.start(2)).isEqualTo(6);
    }

    @Test
    void rangesThatCoverLittleAreNotTheSteps() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(5, (s, i) -> range(s, "warm_up", () -> trainingStep(s, i)));
        recording.repeat(60, (s, i) -> trainingStep(s, 5 + i));
        assertThat(steps(recording).kind()).isEqualTo(Kind.RECURRENCE);
    }

    @Test
    void aLoopWithoutMarksIsFound() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(50, StepFinderTest::trainingStep);
        Steps steps = steps(recording);
        assertThat(steps.kind()).isEqualTo(Kind.RECURRENCE);
        assertThat(steps.meaning()).isEqualTo("one iteration of the loop in train");
        assertThat(steps.count()).isEqualTo(50);
    }

    @Test
    void whatComesBeforeTheLoopIsSetUp() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(
                4, (s, i) -> s.alloc("weight" + i, 5 * MB, "build.py:" + (7 + i) + " build", "main.py:2 main"));
        recording.repeat(50, StepFinderTest::trainingStep);
        Steps steps = steps(recording);
        assertThat(steps.count()).isBetween(49, 50);
        assertThat(steps.of(0)).isLessThanOrEqualTo(0);
    }

    @Test
    void epochsInTheSameFunctionAreNotTheSteps() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(5, (s, epoch) -> {
            transientBlock(s, "shuffle", 9 * MB, "train.py:12 train", MAIN);
            s.repeat(30, (_, i) -> trainingStep(s, 30 * epoch + i));
        });
        assertThat(steps(recording).count()).isBetween(145, 155);
    }

    @Test
    void epochsInAnotherFunctionAreNotTheSteps() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(5, (s, epoch) -> {
            transientBlock(s, "shuffle", 9 * MB, "main.py:8 main");
            s.repeat(30, (_, i) -> trainingStep(s, 30 * epoch + i));
        });
        assertThat(steps(recording).count()).isBetween(145, 155);
    }

    @Test
    void manyShortEpochsOfTrainingAreNotTheStepsEither() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(30, (s, epoch) -> {
            transientBlock(s, "shuffle", 9 * MB, "main.py:8 main");
            s.repeat(8, (_, i) -> trainingStep(s, 8 * epoch + i));
        });
        assertThat(steps(recording).count()).isBetween(230, 245);
    }

    @Test
    void aRequestIsTheStepAndNotItsTokens() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(40, (s, request) -> {
            transientBlock(s, "prompt", 7 * MB, "serve.py:11 serve", MAIN);
            s.repeat(12, (_, token) -> {
                transientBlock(s, "logits", 3 * MB, "generate.py:21 generate", "serve.py:12 serve", MAIN);
                transientBlock(s, "sample", MB, "generate.py:22 generate", "serve.py:12 serve", MAIN);
            });
        });
        assertThat(steps(recording).count()).isEqualTo(40);
    }

    /** Python notes for a call the line of its own arguments, and at the end that of the expression. */
    @Test
    void anExpressionOverSeveralLinesIsNoLoop() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(50, (s, i) -> {
            transientBlock(s, "input", 3 * MB, "train.py:20 train", MAIN);
            transientBlock(s, "left", 2 * MB, "train.py:23 train", MAIN);
            transientBlock(s, "right", 2 * MB, "train.py:24 train", MAIN);
            transientBlock(s, "sum", 4 * MB, "train.py:22 train", MAIN);
            transientBlock(s, "loss", 5 * MB, "train.py:26 train", MAIN);
        });
        assertThat(steps(recording).count()).isEqualTo(50);
    }

    @Test
    void validationBesideTrainingIsAStepToo() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(4, (s, epoch) -> {
            s.repeat(40, (_, i) -> trainingStep(s, 40 * epoch + i));
            s.repeat(20, (_, _) -> {
                transientBlock(s, "batch", 6 * MB, "validate.py:10 validate", "main.py:14 main");
                transientBlock(s, "score", 7 * MB, "validate.py:11 validate", "main.py:14 main");
            });
        });
        assertThat(steps(recording).count()).isBetween(225, 240);
    }

    @Test
    void theLayersOfAModelAreNotSteps() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(30, (s, i) -> {
            transientBlock(s, "batch", 6 * MB, "train.py:20 train", MAIN);
            s.repeat(24, (_, layer) -> {
                transientBlock(s, "query", 3 * MB, layer("block.py:31 forward"));
                transientBlock(s, "value", 4 * MB, layer("block.py:33 forward"));
            });
        });
        assertThat(steps(recording).count()).isEqualTo(30);
    }

    @Test
    void aLoopOfASingleLineIsFound() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(40, (s, i) -> transientBlock(s, "only", 3 * MB, "main.py:5 main"));
        Steps steps = steps(recording);
        assertThat(steps.kind()).isEqualTo(Kind.RECURRENCE);
        assertThat(steps.count()).isEqualTo(40);
    }

    @Test
    void aLastIterationThatIsCutShortIsNoStep() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(50, StepFinderTest::trainingStep);
        recording.alloc("batch50", 6 * MB, "train.py:20 train", MAIN).free("batch49", "train.py:20 train", MAIN);
        assertThat(steps(recording).count()).isEqualTo(50);
    }

    @Test
    void whatTheFunctionLetsGoOfWhenItReturnsIsAfterTheLastStep() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(20, (s, i) -> {
            transientBlock(s, "input", 3 * MB, "main.py:5 main");
            s.alloc("kept" + i, MB, "main.py:6 main");
        });
        recording.repeat(20, (s, i) -> s.free("kept" + i, "main.py:9 main"));
        Steps steps = steps(recording);
        assertThat(steps.count()).isEqualTo(20);
        int kept = LifetimeBuilder.build(Columns.of(recording), 0).died(1);
        assertThat(steps.of(kept)).isEqualTo(20);
    }

    @Test
    void aLineThatCallsALayerIteratesWithEachCall() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(40, (s, i) -> transientBlock(s, "result", 3 * MB, LINEAR, CALL, "main.py:5 main"));
        assertThat(steps(recording).count()).isEqualTo(40);
    }

    @Test
    void theLayersThatAContainerCallsAreNoIterations() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(40, (s, i) -> s.alloc("layer" + i, 3 * MB, LINEAR, CALL, CONTAINER, CALL, "main.py:5 main"));
        assertThat(steps(recording).kind()).isEqualTo(Kind.NONE);
    }

    @Test
    void aFunctionThatOthersCallIsTheStepByItsCalls() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(40, (s, i) -> {
            transientBlock(s, "input", 3 * MB, "serve.py:8 handle", SERVER);
            transientBlock(s, "answer", 2 * MB, "serve.py:9 handle", SERVER);
        });
        Steps steps = steps(recording);
        assertThat(steps.count()).isEqualTo(40);
        assertThat(steps.meaning()).isEqualTo("one call of handle");
    }

    @Test
    void aFunctionThatOthersCallThroughAnotherOfTheUsersMayHaveTheLoop() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(40, (s, i) -> {
            transientBlock(s, "input", 3 * MB, "serve.py:8 score", "serve.py:20 handle", SERVER);
            transientBlock(s, "answer", 2 * MB, "serve.py:9 score", "serve.py:20 handle", SERVER);
        });
        assertThat(steps(recording).meaning()).isEqualTo("one call or iteration of score");
    }

    @Test
    void theFunctionOfAThreadMayHaveTheLoop() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(40, (s, i) -> {
            transientBlock(s, "input", 3 * MB, "serve.py:8 work", "/usr/lib/python3.11/threading.py:982 run");
            transientBlock(s, "answer", 2 * MB, "serve.py:9 work", "/usr/lib/python3.11/threading.py:982 run");
        });
        assertThat(steps(recording).meaning()).isEqualTo("one call or iteration of work");
    }

    @Test
    void aProgramThatIsStartedAsAModuleIsNotCalledByOthers() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(40, (s, i) -> {
            transientBlock(s, "input", 3 * MB, "fit.py:8 train", "fit.py:30 <module>", "<frozen runpy>:88 _run_code");
            transientBlock(s, "loss", 2 * MB, "fit.py:9 train", "fit.py:30 <module>", "<frozen runpy>:88 _run_code");
        });
        assertThat(steps(recording).meaning()).isEqualTo("one iteration of the loop in train");
    }

    @Test
    void requestsThatAPoolComputesAreToldByTheThreadThatPreparesThem() {
        String pool = "/usr/lib/python3.11/threading.py:1002 _bootstrap";
        SnapshotBuilder recording = snapshot();
        recording.repeat(40, (s, i) -> {
            transientBlock(s, "pixels", 3 * MB, "serve.py:8 handle", SERVER);
            for (int layer = 0; layer < 4; layer++) {
                transientBlock(s, "layer", 2 * MB, LINEAR, CALL, CONTAINER, CALL, "serve.py:5 extract", pool);
            }
        });
        assertThat(steps(recording).count()).isEqualTo(40);
    }

    @Test
    void aLoopIsNamedByTheFunctionAroundAComprehension() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(40, (s, i) -> transientBlock(s, "x", 3 * MB, "main.py:5 <listcomp>", "main.py:5 main"));
        assertThat(steps(recording).meaning()).isEqualTo("one iteration of the loop in main");
    }

    @Test
    void stepsAreTheLoopsOwnAndNotThoseOfASuspectedLine() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(120, (s, i) -> {
            transientBlock(s, "always", 3 * MB, "main.py:5 main");
            if (i % 3 == 0) {
                s.alloc("sometimes" + i, MB, "main.py:7 main");
            }
        });
        SnapshotColumns columns = Columns.of(recording);
        Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
        KnownRoles roles = new KnownRoles(columns);
        Steps found = StepFinder.find(columns, lifetimes, roles);
        assertThat(found.count()).isEqualTo(40);
        BitSet suspected = new BitSet();
        suspected.set(lifetimes.stack(1));
        assertThat(StepFinder.without(suspected, found, columns, lifetimes, roles)
                        .count())
                .isEqualTo(120);
        assertThat(StepFinder.without(new BitSet(), found, columns, lifetimes, roles))
                .isSameAs(found);
    }

    @Test
    void theOptimizersOwnLoopIsNotTheStep() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(30, (s, i) -> {
            transientBlock(s, "batch", 6 * MB, "train.py:20 train", MAIN);
            s.repeat(
                    25,
                    (_, _) -> transientBlock(
                            s, "update", 3 * MB, "adam.py:88 update", OPTIMIZER, "train.py:25 train", MAIN));
        });
        assertThat(steps(recording).count()).isEqualTo(30);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 30})
    void whereNothingRepeatsThereAreNoSteps(int lines) {
        SnapshotBuilder recording = snapshot();
        recording.repeat(lines, (s, i) -> s.alloc("block" + i, 3 * MB, "main.py:" + (10 + i) + " main"));
        Steps steps = steps(recording);
        assertThat(steps.kind()).isEqualTo(Kind.NONE);
        assertThat(steps.count()).isZero();
    }

    @Test
    void whereMuchHappensButNothingRepeatsStretchesOfEventsStandForSteps() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(700, (s, i) -> transientBlock(s, "block", 3 * MB, "main.py:" + (10 + i) + " main"));
        Steps steps = steps(recording);
        assertThat(steps.kind()).isEqualTo(Kind.TIME);
        assertThat(steps.count()).isEqualTo(40);
    }

    @Test
    void anEmptyRecordingHasNoSteps() {
        Steps steps = steps(snapshot());
        assertThat(steps.kind()).isEqualTo(Kind.NONE);
        assertThat(steps.count()).isZero();
    }

    /** A batch, which lives until the next replaces it, a layer, the backward pass, the optimizer. */
    private static void trainingStep(SnapshotBuilder s, int i) {
        s.alloc("batch" + i, 6 * MB, "train.py:20 train", MAIN);
        if (i > 0) {
            s.free("batch" + (i - 1), "train.py:20 train", MAIN);
        }
        s.alloc("hidden", 5 * MB, layer("model.py:11 forward"));
        transientBlock(s, "gradient", 4 * MB, BACKWARD, "train.py:23 train", MAIN);
        s.free("hidden", BACKWARD, "train.py:23 train", MAIN);
        transientBlock(s, "update", 3 * MB, OPTIMIZER, "train.py:25 train", MAIN);
    }

    private static String[] layer(String line) {
        return new String[] {line, CALL, "model.py:50 forward", CALL, "train.py:21 train", MAIN};
    }

    private static void transientBlock(SnapshotBuilder s, String key, long size, String... stack) {
        s.alloc(key, size, stack).free(key, stack);
    }

    private static void range(SnapshotBuilder s, String name, Runnable inside) {
        s.annotation(name, Stage.START);
        inside.run();
        s.annotation(name, Stage.END);
    }

    private static Steps steps(SnapshotBuilder recording) {
        SnapshotColumns columns = Columns.of(recording);
        return StepFinder.find(columns, LifetimeBuilder.build(columns, 0), new KnownRoles(columns));
    }
}
