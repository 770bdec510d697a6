package dev.leakline.detect.habits;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Examined;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;

class UnshrinkingCacheDetectorTest {
    private static final long MB = 1 << 20;

    private final Detector detector = new UnshrinkingCacheDetector();

    @Test
    void cache_filledEarlyAndHeldToTheEndIsFound() {
        Finding finding = Examined.finding(detector, steps((s, i) -> fill(s, i, 5, 16)));
        assertThat(finding.kind()).isEqualTo(Kind.UNSHRINKING_CACHE);
        assertThat(finding.severity()).isEqualTo(Severity.INFO);
        assertThat(finding.site().frame().fileName()).isEqualTo("cache.py");
        assertThat(finding.bytes()).isEqualTo(12 * 9 * MB);
        assertThat(finding.blocks()).isEqualTo(12);
        assertThat(finding.summary())
                .isEqualTo("cache.py:7 filled 108 MiB in steps 5 to 16 of 50; nothing was added or taken away since.");
    }

    @Test
    void state_madeInAStepIsNone() {
        SnapshotBuilder recording = steps((s, i) -> {
            if (i == 3) {
                s.repeat(20, (t, k) -> t.alloc("state" + k, 9 * MB, "optimizer.py:50 init"));
            }
        });
        assertThat(Examined.by(detector, recording).findings()).isEmpty();
    }

    @Test
    void state_ofAnOptimizerThatComesLateIsNone() {
        SnapshotBuilder recording = steps((s, i) -> {
            if (i > 4 && i < 17) {
                s.alloc(
                        "state" + i,
                        9 * MB,
                        "/venv/site-packages/torch/optim/adamw.py:170 _init_group",
                        "train.py:8 main");
            }
        });
        assertThat(Examined.by(detector, recording).findings()).isEmpty();
    }

    @Test
    void cache_thatIsStillFilledLateIsNone() {
        assertThat(Examined.by(detector, steps((s, i) -> fill(s, i, 5, 40))).findings())
                .isEmpty();
    }

    @Test
    void cache_thatReplacesItsEntriesIsNone() {
        SnapshotBuilder recording = steps((s, i) -> {
            if (i >= 12) {
                s.free("entry" + (i - 12));
            }
            s.alloc("entry" + i, 9 * MB, "cache.py:7 get");
        });
        assertThat(Examined.by(detector, recording).findings()).isEmpty();
    }

    @Test
    void cache_thatLetsGoLaterIsNone() {
        SnapshotBuilder recording = steps((s, i) -> {
            fill(s, i, 5, 16);
            if (i >= 30 && i < 34) {
                s.free("entry" + (i - 25));
            }
        });
        assertThat(Examined.by(detector, recording).findings()).isEmpty();
    }

    @Test
    void cache_ofASmallPartIsNotWorthAWord() {
        SnapshotBuilder recording = steps((s, i) -> {
            if (i > 4 && i < 17) {
                s.alloc("entry" + i, MB, "cache.py:7 get");
            }
        });
        assertThat(Examined.by(detector, recording).findings()).isEmpty();
    }

    @Test
    void recording_withoutStepsCannotTell() {
        assertThat(Examined.by(detector, snapshot().alloc("a", 3 * MB)).check().isApplicable())
                .isFalse();
    }

    private static void fill(SnapshotBuilder recording, int step, int first, int last) {
        if (step >= first && step <= last) {
            recording.alloc("entry" + step, 9 * MB, "cache.py:7 get");
        }
    }

    private static SnapshotBuilder steps(ObjIntConsumer<SnapshotBuilder> also) {
        SnapshotBuilder recording = snapshot().alloc("weights", 300 * MB, "model.py:3 build");
        recording.repeat(50, (s, i) -> {
            s.step().alloc("activations", 100 * MB, "model.py:20 forward");
            also.accept(s, i);
            s.free("activations");
        });
        return recording.step();
    }
}
