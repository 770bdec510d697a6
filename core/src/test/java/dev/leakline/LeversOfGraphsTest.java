package dev.leakline;

import static dev.leakline.StepFrames.CALL;
import static dev.leakline.StepFrames.ENGINE;
import static dev.leakline.StepFrames.LAYER;
import static dev.leakline.StepFrames.MOVE;
import static dev.leakline.StepFrames.STEP;
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

/** Graphs that no backward pass frees: which are not needed, which one kept, and which are none. */
class LeversOfGraphsTest {
    private static final long MB = 1 << 20;
    private static final long WEIGHT = 6 * MB;
    private static final long INNER = 40 * MB;
    /** More blocks than go at once where a line's variables are set again. */
    private static final int LAYERS = 10;

    private static final String[] OTHER = {"model.py:20 forward", CALL, "train.py:14 main"};
    private static final String[] LOGGED = {"model.py:22 forward", CALL, "train.py:12 main"};
    private static final String[] MAIN = {"train.py:18 main"};

    @Test
    void aGraphThatABackwardPassDoesNotReachIsNotNeeded() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        for (int step = 0; step < 4; step++) {
            forward(recording, "teacher", OTHER);
            forward(recording, "inner", LAYER);
            backward(recording, step);
            free(recording, "inner", ENGINE);
            end(recording, step);
            free(recording, "teacher", MAIN);
        }
        assertThat(kinds(recording)).contains(Kind.NO_GRAD).doesNotContain(Kind.FREE_GRAPH);
    }

    @Test
    void aGraphThatABackwardPassKeptIsNeededAndCanBeFreedByIt() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        for (int step = 0; step < 4; step++) {
            forward(recording, "real", OTHER);
            backward(recording, step);
            end(recording, step);
            forward(recording, "inner", LAYER);
            backward(recording, step);
            free(recording, "inner", ENGINE);
            end(recording, step);
            free(recording, "real", MAIN);
        }
        assertThat(kinds(recording)).doesNotContain(Kind.NO_GRAD);
        Lever kept = levers(recording).stream()
                .filter(lever -> lever.kind() == Kind.FREE_GRAPH)
                .findFirst()
                .orElseThrow();
        assertThat(kept.expectedBytes()).isBetween((LAYERS - 1) * INNER, LAYERS * INNER);
        assertThat(kept.advice()).contains("retain_graph=True");
    }

    @Test
    void callsWithALossEachCanHaveABackwardPassEach() {
        Lever split = levers(twoCalls(4)).stream()
                .filter(lever -> lever.kind() == Kind.SPLIT_BACKWARD)
                .findFirst()
                .orElseThrow();
        assertThat(split.expectedBytes()).isEqualTo(LAYERS * INNER);
        assertThat(split.leastBytes()).isZero();
        assertThat(split.sentence()).contains("train.py:18");
        assertThat(kinds(twoCalls(4 * LAYERS))).as("outputs of several samples").doesNotContain(Kind.SPLIT_BACKWARD);
    }

    /** Steps of two calls, after each of which the program computes a block of so many bytes, and one backward pass. */
    private static SnapshotBuilder twoCalls(long computed) {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        for (int step = 0; step < 4; step++) {
            for (String call : List.of("one", "two")) {
                forward(recording, call, LAYER);
                recording.alloc("loss of " + call, computed, MAIN);
            }
            backward(recording, step);
            free(recording, "two", ENGINE);
            free(recording, "one", ENGINE);
            end(recording, step);
            recording.free("loss of one", MAIN).free("loss of two", MAIN);
        }
        return recording;
    }

    @Test
    void resultsThatAreKeptOfAPassThatIsTrainedAreNoGraph() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        for (int step = 0; step < 4; step++) {
            for (int layer = 0; layer < LAYERS; layer++) {
                recording.alloc("inner " + layer, INNER, LAYER).alloc("logged " + layer, INNER, LOGGED);
            }
            backward(recording, step);
            free(recording, "inner", ENGINE);
            end(recording, step);
            free(recording, "logged", MAIN);
        }
        assertThat(kinds(recording)).doesNotContain(Kind.NO_GRAD, Kind.FREE_GRAPH);
    }

    @Test
    void resultsOfPassesWithoutAGraphAreNoneAndCanBeKeptOnTheHost() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE);
        for (int pass = 0; pass < LAYERS; pass++) {
            evaluate(recording, pass);
        }
        recording.alloc("joined", LAYERS * INNER, MAIN);
        for (int pass = 0; pass < LAYERS; pass++) {
            recording.free("result " + pass, MAIN);
        }
        recording.free("joined", MAIN);
        assertThat(kinds(recording)).contains(Kind.RESULTS_ON_HOST).doesNotContain(Kind.NO_GRAD, Kind.FREE_GRAPH);
        Lever onHost = levers(recording).getFirst();
        assertThat(onHost.leastBytes()).isBetween((LAYERS - 1) * INNER, LAYERS * INNER);
        assertThat(onHost.expectedBytes()).isBetween((2 * LAYERS - 4) * INNER, 2 * LAYERS * INNER);
    }

    private static void evaluate(SnapshotBuilder recording, int pass) {
        recording.alloc("input " + pass, MB, MAIN);
        for (int layer = 0; layer < 2; layer++) {
            recording.alloc("hidden " + layer, INNER, OTHER);
        }
        recording.free("hidden 0", OTHER).alloc("result " + pass, INNER, LOGGED);
        recording.free("hidden 1", MAIN).free("input " + pass, MAIN);
    }

    @Test
    void aTableThatIsMadeBeforeTheStepsAndFreedAfterThemIsNotOfTheBatch() {
        SnapshotBuilder recording = snapshot().alloc("weight", WEIGHT, MOVE).alloc("replay", 400 * MB, MAIN);
        for (int step = 0; step < 4; step++) {
            forward(recording, "inner", LAYER);
            backward(recording, step);
            free(recording, "inner", ENGINE);
            end(recording, step);
        }
        recording.free("replay", MAIN).free("weight", MAIN);
        Lever half = levers(recording).stream()
                .filter(lever -> lever.kind() == Kind.SMALLER_BATCH)
                .findFirst()
                .orElseThrow();
        assertThat(half.mostBytes()).isLessThanOrEqualTo(LAYERS * INNER / 2 + WEIGHT);
    }

    @Test
    void whatIsOlderAndFreedAtTheVeryEndIsToldLikeWhatStays() {
        SnapshotBuilder recording = snapshot()
                .preexisting("weight", WEIGHT)
                .preexisting("mean", WEIGHT)
                .preexisting("variance", WEIGHT);
        for (int step = 0; step < 4; step++) {
            forward(recording, "inner", LAYER);
            backward(recording, step);
            free(recording, "inner", ENGINE);
            end(recording, step);
        }
        recording.free("weight", MAIN).free("mean", MAIN).free("variance", MAIN);
        assertThat(bytes(recording, Category.PARAMETERS)).isEqualTo(WEIGHT);
        assertThat(bytes(recording, Category.OPTIMIZER_STATE)).isEqualTo(2 * WEIGHT);
    }

    private static void forward(SnapshotBuilder recording, String name, String... line) {
        for (int layer = 0; layer < LAYERS; layer++) {
            recording.alloc(name + " " + layer, INNER, line);
        }
    }

    private static void backward(SnapshotBuilder recording, int step) {
        recording.alloc("gradient " + step, WEIGHT, ENGINE);
    }

    private static void free(SnapshotBuilder recording, String name, String... line) {
        for (int layer = LAYERS - 1; layer >= 0; layer--) {
            recording.free(name + " " + layer, line);
        }
    }

    private static void end(SnapshotBuilder recording, int step) {
        recording.alloc("norm", 4096, STEP).free("norm", STEP).free("gradient " + step, ZERO);
    }

    private static List<Kind> kinds(SnapshotBuilder recording) {
        return levers(recording).stream().map(Lever::kind).toList();
    }

    private static List<Lever> levers(SnapshotBuilder recording) {
        return Analysed.recording(recording).leversOfPeak();
    }

    private static long bytes(SnapshotBuilder recording, Category category) {
        return Analysed.recording(recording).devices().getFirst().peak().byCategory().stream()
                .filter(use -> use.category() == category)
                .mapToLong(Use::bytes)
                .sum();
    }
}
