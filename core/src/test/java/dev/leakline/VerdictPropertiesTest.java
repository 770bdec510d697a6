package dev.leakline;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.TrainingRun.Habit;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.testkit.Thoroughness;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What changes a recording but not the program changes neither verdict nor line. */
class VerdictPropertiesTest {
    private static final int SEEDS = Thoroughness.of(2, 5);
    private static final int STEPS = TrainingRun.STEPS;

    @ParameterizedTest
    @EnumSource
    void whatIsSaidOfTheProgramItself(Habit habit) {
        seeds().forEach(seed -> check(habit, result(habit, seed)));
    }

    @ParameterizedTest
    @EnumSource
    void theOrderOfTheDevicesDoesNotMatter(Habit habit) {
        seeds().forEach(seed -> {
            check(habit, Analysed.recording(twoDevices(0, habit, seed)));
            check(habit, Analysed.recording(twoDevices(1, habit, seed)));
        });
    }

    @ParameterizedTest
    @EnumSource
    void addressesAndTimesDoNotMatter(Habit habit) {
        seeds().forEach(seed -> checkSameBug(habit, result(habit, seed), Analysed.recording(shifted(habit, seed))));
    }

    @ParameterizedTest
    @EnumSource
    void stepsThatDoNothingElseMayComeBefore(Habit habit) {
        seeds().forEach(seed -> {
            SnapshotBuilder recording = snapshot();
            run(recording, habit, 1, seed).cleanSteps(habit.steps() / 3).steps(STEPS);
            check(habit, Analysed.recording(recording));
        });
    }

    /** What leaks may pause for a tenth; what grew and has been level for longer has stopped. */
    @ParameterizedTest
    @EnumSource
    void stepsThatDoNothingElseMayComeAfter(Habit habit) {
        seeds().forEach(seed -> {
            SnapshotBuilder recording = snapshot();
            int part = habit.verdict == Verdict.LEAK ? 10 : 3;
            run(recording, habit, 1, seed).steps(STEPS).cleanSteps(habit.steps() / part);
            check(habit, Analysed.recording(recording));
        });
    }

    @ParameterizedTest
    @EnumSource
    void everySecondFreeOfWhatIsShortLivedMayBeMissing(Habit habit) {
        seeds().forEach(seed -> {
            Object tree = recording(habit, seed).build();
            dropEverySecondShortFree(tree);
            check(habit, Analysed.tree(tree));
        });
    }

    @ParameterizedTest
    @EnumSource
    void theProgramMayRunForTwiceAsLong(Habit habit) {
        seeds().forEach(seed -> {
            SnapshotBuilder longer = snapshot();
            run(longer, habit, 1, seed).steps(2 * STEPS);
            checkSameBug(habit, result(habit, seed), Analysed.recording(longer));
        });
    }

    @ParameterizedTest
    @EnumSource
    void theBatchMayBeFourTimesAsLarge(Habit habit) {
        seeds().forEach(seed -> {
            SnapshotBuilder larger = snapshot();
            run(larger, habit, 4, seed).steps(STEPS);
            checkSameBug(habit, result(habit, seed), Analysed.recording(larger));
        });
    }

    @ParameterizedTest
    @EnumSource
    void theProfilerMayMarkTheSteps(Habit habit) {
        seeds().forEach(seed -> {
            SnapshotBuilder marked = snapshot();
            TrainingRun run = run(marked, habit, 1, seed);
            marked.repeat(STEPS, (recording, _) -> {
                recording.step();
                run.steps(1);
            });
            checkSameBug(habit, result(habit, seed), Analysed.recording(marked.step()));
        });
    }

    private static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    private static AnalysisResult result(Habit habit, long seed) {
        return Analysed.recording(recording(habit, seed));
    }

    private static SnapshotBuilder recording(Habit habit, long seed) {
        SnapshotBuilder recording = snapshot();
        run(recording, habit, 1, seed).steps(STEPS);
        return recording;
    }

    private static TrainingRun run(SnapshotBuilder recording, Habit habit, long scale, long seed) {
        return new TrainingRun(recording, 0, habit, scale, seed);
    }

    /** The program on one device, and on the other one that does nothing but train. */
    private static SnapshotBuilder twoDevices(int device, Habit habit, long seed) {
        SnapshotBuilder recording = snapshot().devices(2);
        TrainingRun run = new TrainingRun(recording, device, habit, 1, seed);
        TrainingRun other = new TrainingRun(recording, 1 - device, Habit.NONE, 1, seed + SEEDS);
        return recording.repeat(STEPS, (_, _) -> {
            run.steps(1);
            other.steps(1);
        });
    }

    /** Half a year later, behind memory that something else took before the recording. */
    private static SnapshotBuilder shifted(Habit habit, long seed) {
        SnapshotBuilder recording = snapshot()
                .preexisting("elsewhere", (37 + seed) << 20)
                .preexisting("small", 700)
                .afterMicros(180L * 24 * 3600 * 1_000_000 + seed);
        run(recording, habit, 1, seed).steps(STEPS);
        return recording;
    }

    private static void dropEverySecondShortFree(Object tree) {
        int[] dropped = {0};
        List<?> events = (List<?>) ((List<?>) ((Map<?, ?>) tree).get("device_traces")).getFirst();
        events.removeIf(event -> isShortFree((Map<?, ?>) event) && dropped[0]++ / 2 % 2 == 0);
        assertThat(dropped[0])
                .as("frees of what is short-lived, two events each")
                .isEqualTo(2 * 3 * STEPS);
    }

    private static boolean isShortFree(Map<?, ?> event) {
        return event.get("action").toString().startsWith("free_") && (long) event.get("size") % 2 == 1;
    }

    private static void check(Habit habit, AnalysisResult result) {
        assertThat(result.verdict()).as("verdict; " + result.reason()).isEqualTo(habit.verdict);
        assertThat(Analysed.blamed(result)).as("line to blame").isEqualTo(habit.site);
    }

    private static void checkSameBug(Habit habit, AnalysisResult before, AnalysisResult after) {
        check(habit, after);
        assertThat(ids(after)).as("fingerprints").isEqualTo(ids(before)).doesNotContain("");
    }

    /** Of what leaks or waits for the collector; what else is worth a word depends on sizes, as it should. */
    private static List<String> ids(AnalysisResult result) {
        return result.findings().stream()
                .filter(finding -> finding.kind() == Kind.LEAK || finding.kind() == Kind.REFERENCE_CYCLE)
                .map(Finding::id)
                .toList();
    }
}
