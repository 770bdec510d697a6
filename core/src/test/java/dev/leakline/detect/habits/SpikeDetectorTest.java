package dev.leakline.detect.habits;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Examined;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class SpikeDetectorTest {
    private static final long MB = 1 << 20;

    private final Detector detector = new SpikeDetector();

    @Test
    void spike_isFoundWithTheLineThatMakesTheDifference() {
        Finding finding = Examined.finding(detector, steps(60, step -> step == 41 ? 3070 : 300 + step % 3));
        assertThat(finding.kind()).isEqualTo(Kind.SPIKE);
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.site().frame().fileName()).isEqualTo("attention.py");
        assertThat(finding.title()).startsWith("1 step of 60 took up to 2.70 GiB more");
        assertThat(finding.bytes()).as("a block of 302 MiB serves 301 whole").isEqualTo(2768 * MB);
        assertThat(finding.evidence().getFirst().text()).startsWith("step 41: 3.49 GiB live");
    }

    @Test
    void spike_thatHardlyMattersToTheDeviceIsInformation() {
        assertThat(Examined.finding(detector, steps(60, step -> step == 41 ? 700 : 300))
                        .severity())
                .isEqualTo(Severity.INFO);
    }

    @Test
    void steps_thatAreAllAlikeHaveNone() {
        assertThat(Examined.by(detector, steps(60, step -> 300 + step % 7)).findings())
                .isEmpty();
    }

    @Test
    void steps_thatDifferAllTheTimeHaveNone() {
        assertThat(Examined.by(detector, steps(60, step -> 100 + step * 7919 % 400))
                        .findings())
                .isEmpty();
    }

    @Test
    void steps_thatComeOftenAreAKindOfStep() {
        assertThat(Examined.by(detector, steps(60, step -> step % 10 == 9 ? 900 : 300))
                        .findings())
                .isEmpty();
    }

    @Test
    void warmUp_isNoSpike() {
        assertThat(Examined.by(detector, steps(60, step -> step < 2 ? 900 : 300))
                        .findings())
                .isEmpty();
    }

    @Test
    void growth_isNoSpike() {
        assertThat(Examined.by(detector, steps(60, step -> 300 + 10 * step)).findings())
                .isEmpty();
    }

    @Test
    void recording_ofFewStepsCannotTell() {
        assertThat(Examined.by(detector, steps(12, step -> 300)).check()).satisfies(check -> {
            assertThat(check.isApplicable()).isFalse();
            assertThat(check.note()).contains("found 12: record more of the run");
        });
    }

    /** Steps that take some memory for weights, some for activations, and so many MiB for scores. */
    private static SnapshotBuilder steps(int count, IntUnaryOperator scores) {
        SnapshotBuilder recording = snapshot().alloc("weights", 400 * MB, "model.py:3 build");
        recording.repeat(
                count,
                (s, i) -> s.step()
                        .alloc("activations", 100 * MB, "model.py:20 forward")
                        .alloc("scores", scores.applyAsInt(i) * MB, "attention.py:31 forward")
                        .free("scores")
                        .free("activations"));
        return recording.step();
    }
}
