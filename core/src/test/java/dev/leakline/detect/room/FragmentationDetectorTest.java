package dev.leakline.detect.room;

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

class FragmentationDetectorTest {
    private static final long MB = 1 << 20;

    private final Detector detector = new FragmentationDetector();

    @Test
    void holes_areFoundWhereNothingUsesThem() {
        Finding finding = Examined.finding(detector, work(holes(10)));
        assertThat(finding.kind()).isEqualTo(Kind.FRAGMENTATION);
        assertThat(finding.severity()).isEqualTo(Severity.INFO);
        assertThat(finding.site().frame().fileName()).isEqualTo("stats.py");
        assertThat(finding.bytes()).isEqualTo((10 * 97 - 2) * MB);
        assertThat(finding.evidence().getFirst().text())
                .isEqualTo("970 MiB are free at the end in 10 holes of 10 segments; the largest is 97.0 MiB");
        assertThat(finding.advice())
                .extracting(Advice::action)
                .first()
                .asString()
                .contains("expandable_segments:True");
    }

    @Test
    void holes_areAWarningWhereTheyAreALargePartOfMuch() {
        assertThat(Examined.finding(detector, work(holes(20))).severity()).isEqualTo(Severity.WARNING);
    }

    @Test
    void holes_areNoLossWhereTheNextStepFillsThem() {
        SnapshotBuilder recording = holes(10);
        for (int step = 0; step < 10; step++) {
            recording.repeat(10, (s, i) -> s.alloc("activation" + i, 96 * MB, "model.py:5 forward"));
            recording.repeat(10, (s, i) -> s.free("activation" + i));
        }
        assertThat(Examined.by(detector, recording).findings()).isEmpty();
    }

    @Test
    void cache_ofWholeSegmentsIsNoFragmentation() {
        SnapshotBuilder recording = snapshot().alloc("weights", 100 * MB, "model.py:3 build");
        recording.repeat(10, (s, i) -> s.alloc("wide" + i, 100 * MB, "load.py:2 load"));
        recording.repeat(10, (s, i) -> s.free("wide" + i));
        assertThat(Examined.by(detector, work(recording)).findings()).isEmpty();
    }

    @Test
    void cache_ofAStreamThatIsUsedNoMoreIsNamedWithItsLineAndItsLastUse() {
        SnapshotBuilder recording = snapshot().stream(7).alloc("kept", 256 * MB, "build.py:3 build");
        recording.repeat(19, (s, i) -> s.alloc("part" + i, 256 * MB, "build.py:3 build"));
        recording.repeat(19, (s, i) -> s.free("part" + i));
        Finding finding = Examined.finding(detector, work(recording.stream(0)));
        assertThat(finding.bytes()).isEqualTo(19 * 256 * MB);
        assertThat(finding.site().frame().fileName()).isEqualTo("build.py");
        assertThat(finding.summary()).contains("4.75 GiB are free, but kept for a side stream", "build.py:3");
        assertThat(finding.evidence().getFirst().text()).contains("the stream's last allocation is event 39 of");
        assertThat(finding.advice().getFirst().action()).contains("empty_cache()");
    }

    /** Half of the events of a program that keeps what it allocates are the frees of its end. */
    @Test
    void cache_ofTheOnlyStreamIsOfOneThatIsInUse() {
        SnapshotBuilder recording = snapshot().stream(7);
        recording.repeat(40, (s, i) -> s.alloc("kept" + i, 100 * MB, "train.py:9 train"));
        recording.repeat(40, (s, i) -> s.free("kept" + i));
        assertThat(Examined.by(detector, recording).findings()).isEmpty();
    }

    @Test
    void holes_ofASmallPartAreNotWorthAWord() {
        SnapshotBuilder recording = holes(3);
        recording.repeat(40, (s, i) -> s.alloc("weights" + i, 100 * MB, "model.py:3 build"));
        assertThat(Examined.by(detector, work(recording)).findings()).isEmpty();
    }

    @Test
    void holes_ofAFailureAreTheFailures() {
        assertThat(Examined.by(detector, work(holes(10)).oom(990 * MB, 30 * MB, "train.py:4 step"))
                        .findings())
                .isEmpty();
    }

    @Test
    void pools_areToldApart() {
        Finding finding = Examined.finding(
                detector,
                work(holes(holes(snapshot(), 5, "a").pool(0, 7), 5, "b").pool(0, 0)));
        assertThat(finding.evidence())
                .extracting(Finding.Proof::text)
                .anyMatch(text ->
                        text.equals("in the private pool (0, 7): 485 MiB of them; the largest hole is 97.0 MiB"));
    }

    @Test
    void recording_withoutSegmentsCannotTell() {
        assertThat(Examined.by(detector, snapshot()).check().isApplicable()).isFalse();
    }

    private static SnapshotBuilder holes(int count) {
        return holes(snapshot(), count, "");
    }

    /** Segments of 100 MiB, each with 97 MiB free beside 3 MiB that stay. */
    private static SnapshotBuilder holes(SnapshotBuilder recording, int count, String name) {
        recording.repeat(count, (s, i) -> s.alloc(name + "wide" + i, 100 * MB, "load.py:2 load"));
        recording.repeat(count, (s, i) -> s.free(name + "wide" + i));
        recording.repeat(
                count,
                (s, i) -> s.alloc(name + "kept" + i, 3 * MB, "stats.py:8 note")
                        .alloc(name + "fill" + i, 97 * MB, "load.py:4 load"));
        return recording.repeat(count, (s, i) -> s.free(name + "fill" + i));
    }

    /** A hundred steps that need little. */
    private static SnapshotBuilder work(SnapshotBuilder recording) {
        return recording.repeat(
                100, (s, i) -> s.alloc("little", 2 * MB, "train.py:9 step").free("little"));
    }
}
