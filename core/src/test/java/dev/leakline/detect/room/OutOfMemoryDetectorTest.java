package dev.leakline.detect.room;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Examined;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.Site;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import org.junit.jupiter.api.Test;

class OutOfMemoryDetectorTest {
    private static final long MB = 1 << 20;

    private final Detector detector = new OutOfMemoryDetector();

    @Test
    void oom_blamesTheLineThatAskedWhereTooLittleWasFree() {
        Finding finding = find(snapshot()
                .alloc("weights", 700 * MB, "model.py:12 build")
                .alloc("scores", 50 * MB, "train.py:31 step")
                .free("scores")
                .oom(90 * MB, 40 * MB, "train.py:31 step"));
        assertThat(finding.kind()).isEqualTo(Kind.OOM);
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(line(finding)).isEqualTo("train.py:31");
        assertThat(finding.bytes()).isEqualTo(90 * MB);
        assertThat(finding.stack()).extracting(frame -> frame.function()).containsExactly("step");
        assertThat(texts(finding))
                .contains("requested 90.0 MiB", "the device had 40.0 MiB free")
                .contains("perhaps another process held the rest, or it has a limit")
                .contains("1.80 times the largest before, 50.0 MiB")
                .contains("700 MiB were live when it failed; the most before was 750 MiB");
        assertThat(finding.advice()).extracting(Advice::expectedBytes).containsExactly(700 * MB);
    }

    @Test
    void oom_comparesARequestWithThoseOfEarlierStepsAndNotOfItsOwn() {
        SnapshotBuilder steps = snapshot()
                .repeat(
                        12,
                        (s, i) -> s.step()
                                .alloc("x" + i, 30 * MB, "model.py:17 forward")
                                .free("x" + i));
        Finding finding = find(steps.step()
                .alloc("layer 1", 90 * MB, "model.py:17 forward")
                .oom(90 * MB, 40 * MB, "model.py:17 forward")
                .step());
        assertThat(texts(finding))
                .contains("3.00 times the largest before, 30.0 MiB")
                .doesNotContain("not its size");
    }

    @Test
    void oom_supposesNoNeighbourWhereThereIsRoomForACard() {
        Finding finding = find(
                snapshot().alloc("weights", 7_000 * MB, "model.py:12 build").oom(90 * MB, 40 * MB, "train.py:31 step"));
        assertThat(texts(finding)).doesNotContain("another process");
    }

    @Test
    void oom_advisesToAskForLessWhereNothingElseWouldHelp() {
        Finding finding = find(snapshot().alloc("a", 3 * MB, "a.py:1 f").oom(9_000 * MB, 7_000 * MB, "pairs.py:9 all"));
        assertThat(finding.kind()).isEqualTo(Kind.OOM);
        assertThat(finding.advice())
                .singleElement()
                .satisfies(advice -> assertThat(advice.action()).startsWith("Ask for less at pairs.py:9"));
    }

    @Test
    void oom_advisesToLookForOtherProcessesWhereAnyCardHasRoomForTheRequest() {
        Finding finding =
                find(snapshot().alloc("a", 3 * MB, "a.py:1 f").free("a").oom(16 * MB, 0, "big.py:6 main"));
        assertThat(finding.advice())
                .singleElement()
                .satisfies(advice -> assertThat(advice.action()).contains("other processes", "leakline ps"));
    }

    @Test
    void fragmentation_blamesTheLineWhoseBlocksPinTheSegments() {
        Finding finding = find(holes(snapshot()).oom(400 * MB, 30 * MB, "train.py:40 step"));
        assertThat(finding.kind()).isEqualTo(Kind.OOM_FRAGMENTATION);
        assertThat(line(finding)).isEqualTo("stats.py:8");
        assertThat(finding.bytes()).isEqualTo(5 * 97 * MB);
        assertThat(finding.blocks()).isEqualTo(5);
        assertThat(texts(finding))
                .contains("485 MiB reserved but free, in 5 holes of 5 segments; the largest is 97.0 MiB")
                .contains("requests of 100 MiB, through which half of the job's bytes come, can use nothing of it");
        assertThat(finding.advice())
                .extracting(Advice::action)
                .first()
                .asString()
                .contains("expandable_segments:True");
        assertThat(finding.advice()).extracting(Advice::action).noneMatch(action -> action.contains("empty_cache"));
    }

    @Test
    void fragmentation_byWhatTheStepItselfMadeNamesTheLineThatFailed() {
        SnapshotBuilder steps = snapshot()
                .repeat(
                        12,
                        (s, i) ->
                                s.step().alloc("x" + i, MB, "train.py:30 step").free("x" + i));
        Finding finding = find(
                holes(steps.step()).oom(400 * MB, 30 * MB, "train.py:40 step").step());
        assertThat(finding.kind()).isEqualTo(Kind.OOM_FRAGMENTATION);
        assertThat(line(finding)).isEqualTo("train.py:40");
        assertThat(finding.summary()).contains("which blocks of stats.py:8 keep from being returned");
        assertThat(finding.advice()).extracting(Advice::action).noneMatch(action -> action.contains("stats.py"));
    }

    @Test
    void settings_areAdvisedOnlyWhereTheJobRunsThroughInAReplay() {
        Finding finding = find(holes(snapshot()).oom(450 * MB, 30 * MB, "train.py:40 step"));
        assertThat(finding.kind()).isEqualTo(Kind.OOM_FRAGMENTATION);
        assertThat(texts(finding))
                .contains("replayed under expandable_segments:True")
                .contains("it runs out as well (the model agrees with 5 of 5 driver events");
        assertThat(finding.advice())
                .as("the five blocks that stay pin five pages of 20 MiB, and 430 MiB are left of 530")
                .extracting(Advice::action)
                .noneMatch(action -> action.contains("expandable"));
    }

    @Test
    void fragmentation_isNotTheCauseWhereNearlyAllIsLiveAndNoSettingHelps() {
        SnapshotBuilder full = snapshot().alloc("weights", 12_000 * MB, "model.py:12 build");
        Finding finding = find(holes(full).oom(450 * MB, 30 * MB, "train.py:40 step"));
        assertThat(finding.kind()).isEqualTo(Kind.OOM);
        assertThat(finding.advice()).extracting(Advice::action).noneMatch(action -> action.contains("expandable"));
    }

    @Test
    void fragmentation_isSeenAfterTheErrorHasUnwoundTheStack() {
        SnapshotBuilder recording = holes(snapshot()).oom(450 * MB, 30 * MB, "train.py:40 step");
        recording.repeat(5, (s, i) -> s.free("kept" + i)).emptyCache();
        assertThat(find(recording).bytes()).isEqualTo(5 * 97 * MB);
    }

    @Test
    void fragmentation_isNotAdvisedAgainstBySettingsThatAreOn() {
        Finding finding =
                find(holes(snapshot()).setting("expandable_segments", true).oom(450 * MB, 30 * MB, "train.py:40 step"));
        assertThat(finding.advice()).extracting(Advice::action).noneMatch(action -> action.contains("expandable"));
    }

    @Test
    void fragmentation_isSharedEquallyByTheBlocksOfASegment() {
        Finding finding = find(snapshot()
                .alloc("room", 120 * MB, "load.py:2 load")
                .free("room")
                .alloc("large", 60 * MB, "load.py:3 load")
                .alloc("small0", 3 * MB, "stats.py:8 note")
                .alloc("small1", 3 * MB, "stats.py:8 note")
                .oom(70 * MB, 20 * MB, "train.py:40 step"));
        assertThat(finding.kind()).isEqualTo(Kind.OOM_FRAGMENTATION);
        assertThat(line(finding)).isEqualTo("stats.py:8");
        assertThat(finding.bytes()).isEqualTo(54 * MB * 2 / 3);
    }

    @Test
    void rest_ofABlockIsNoHole() {
        Finding finding = find(snapshot()
                .alloc("room", 100 * MB, "load.py:2 load")
                .free("room")
                .alloc("nearly", 99 * MB + 512, "load.py:3 load")
                .oom(30 * MB, 29 * MB + 700_000, "train.py:40 step"));
        assertThat(finding.kind()).isEqualTo(Kind.OOM);
        assertThat(texts(finding)).contains("the allocator had 0 B reserved but free");
    }

    @Test
    void limit_isSaidWhereTheDeviceHadRoom() {
        Finding finding = find(snapshot().alloc("a", 300 * MB, "a.py:1 f").oom(90 * MB, 5000 * MB, "a.py:2 f"));
        assertThat(finding.kind()).isEqualTo(Kind.OOM);
        assertThat(texts(finding)).contains("the process has a limit");
    }

    @Test
    void retries_areOneFindingAndTheLastDecides() {
        SnapshotBuilder recording = snapshot().alloc("a", 300 * MB, "a.py:1 f");
        recording
                .oom(90 * MB, 11 * MB, "a.py:2 f")
                .oom(80 * MB, 11 * MB, "a.py:2 f")
                .oom(70 * MB, 11 * MB, "a.py:2 f");
        Finding finding = find(recording);
        assertThat(finding.bytes()).isEqualTo(70 * MB);
        assertThat(texts(finding)).contains("the last of 3 requests that failed there");
    }

    @Test
    void lines_thatFailAreFindingsOfTheirOwn() {
        SnapshotBuilder recording = snapshot().alloc("a", 300 * MB, "a.py:1 f");
        recording.oom(90 * MB, 11 * MB, "a.py:2 f").oom(80 * MB, 11 * MB, "b.py:2 f");
        assertThat(Examined.by(detector, recording).findings()).hasSize(2);
    }

    @Test
    void program_thatGoesOnIsWarned() {
        SnapshotBuilder recording = snapshot().alloc("a", 300 * MB, "a.py:1 f").oom(90 * MB, 11 * MB, "a.py:2 f");
        recording.repeat(100, (s, i) -> s.alloc("b", 3 * MB, "a.py:3 f").free("b"));
        assertThat(find(recording).severity()).isEqualTo(Severity.WARNING);
    }

    @Test
    void backwardPass_isBlamedOnTheLineThatStartedIt() {
        Finding finding = find(snapshot()
                .alloc("a", 300 * MB, "train.py:7 main")
                .alloc(
                        "seed",
                        512,
                        "/venv/site-packages/torch/autograd/__init__.py:90 _make_grads",
                        "/venv/site-packages/torch/_tensor.py:600 backward",
                        "train.py:8 main")
                .oom(90 * MB, 11 * MB, "??:0 at::native::mm"));
        assertThat(finding.site().kind()).isEqualTo(Site.Kind.BACKWARD);
        assertThat(line(finding)).isEqualTo("train.py:8");
    }

    @Test
    void requests_afterABackwardPassAreNotItsOwn() {
        Finding finding = find(snapshot()
                .alloc("seed", 512, "/venv/site-packages/torch/_tensor.py:600 backward", "train.py:8 main")
                .alloc("a", 300 * MB, "train.py:9 main")
                .oom(90 * MB, 11 * MB, "??:0 at::native::mm"));
        assertThat(finding.site().kind()).isEqualTo(Site.Kind.NATIVE);
        assertThat(finding.confidenceReasons()).contains("the recording names no line for it");
        assertThat(finding.confidence()).isLessThan(0.7);
    }

    @Test
    void recording_withoutEventsCannotTell() {
        assertThat(Examined.by(detector, snapshot().preexisting("w", 7 * MB)).check())
                .satisfies(check -> {
                    assertThat(check.isApplicable()).isFalse();
                    assertThat(check.note()).contains("torch.cuda.memory._record_memory_history(");
                });
    }

    @Test
    void recording_withoutFailuresHasNoFinding() {
        assertThat(Examined.by(detector, holes(snapshot())).findings()).isEmpty();
    }

    /** Five segments of 100 MiB, each with 97 MiB free beside 3 MiB that stay. */
    private static SnapshotBuilder holes(SnapshotBuilder recording) {
        recording.repeat(5, (s, i) -> s.alloc("wide" + i, 100 * MB, "load.py:2 load"));
        recording.repeat(5, (s, i) -> s.free("wide" + i));
        return recording
                .repeat(
                        5,
                        (s, i) -> s.alloc("kept" + i, 3 * MB, "stats.py:8 note")
                                .alloc("fill" + i, 97 * MB, "load.py:4 load"))
                .repeat(5, (s, i) -> s.free("fill" + i));
    }

    private Finding find(SnapshotBuilder recording) {
        return Examined.finding(detector, recording);
    }

    private static String line(Finding finding) {
        return finding.site().frame().fileName() + ":" + finding.site().frame().line();
    }

    private static String texts(Finding finding) {
        return String.join(
                "\n", finding.evidence().stream().map(Finding.Proof::text).toList());
    }
}
