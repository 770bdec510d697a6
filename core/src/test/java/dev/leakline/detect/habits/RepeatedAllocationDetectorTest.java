package dev.leakline.detect.habits;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Examined;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import org.junit.jupiter.api.Test;

class RepeatedAllocationDetectorTest {
    private static final long MB = 1 << 20;
    private static final String EMPTY_CACHE = "/venv/site-packages/torch/cuda/memory.py:170 empty_cache";

    private final Detector detector = new RepeatedAllocationDetector();

    @Test
    void driver_askedInEveryStepIsFound() {
        Finding finding = Examined.finding(detector, emptied(1));
        assertThat(finding.kind()).isEqualTo(Kind.REPEATED_ALLOCATION);
        assertThat(finding.severity()).isEqualTo(Severity.INFO);
        assertThat(finding.site().frame().fileName()).isEqualTo("model.py");
        assertThat(finding.bytes()).isEqualTo(62 * MB);
        assertThat(finding.title()).isEqualTo("Memory is requested from the driver in 100% of the steps");
    }

    @Test
    void call_thatEmptiesTheCacheIsNamed() {
        Finding finding = Examined.finding(detector, emptied(1));
        assertThat(finding.advice())
                .extracting(Advice::action)
                .singleElement()
                .asString()
                .contains("train.py:15 out of the loop");
    }

    @Test
    void allocator_thatEmptiesItsCacheInNeedIsAdvisedAgainst() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(
                30,
                (s, i) -> s.step()
                        .alloc("a", (60 + i) * MB, "model.py:20 forward")
                        .free("a")
                        .emptyCache("model.py:20 forward"));
        assertThat(Examined.finding(detector, recording.step()).advice())
                .extracting(Advice::action)
                .first()
                .asString()
                .contains("expandable_segments:True");
    }

    @Test
    void cache_thatServesEveryStepIsHealthy() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(
                30,
                (s, i) -> s.step().alloc("a", 61 * MB, "model.py:20 forward").free("a"));
        assertThat(Examined.by(detector, recording.step()).findings()).isEmpty();
    }

    @Test
    void cache_emptiedNowAndThenIsHealthy() {
        assertThat(Examined.by(detector, emptied(5)).findings()).isEmpty();
    }

    @Test
    void growth_isNotGivenBackAndForOthersToJudge() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(30, (s, i) -> s.step().alloc("kept" + i, 61 * MB, "model.py:20 forward"));
        assertThat(Examined.by(detector, recording.step()).findings()).isEmpty();
    }

    @Test
    void recording_withoutStepsCannotTell() {
        assertThat(Examined.by(detector, snapshot().alloc("a", 3 * MB)).check().isApplicable())
                .isFalse();
    }

    /** Steps of which every so many empties the cache. */
    private static SnapshotBuilder emptied(int every) {
        SnapshotBuilder recording = snapshot();
        recording.repeat(30, (s, i) -> {
            s.step().alloc("a", 61 * MB, "model.py:20 forward").free("a");
            if (i % every == 0) {
                s.emptyCache(EMPTY_CACHE, "train.py:15 step");
            }
        });
        return recording.step();
    }
}
