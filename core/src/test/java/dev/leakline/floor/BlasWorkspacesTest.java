package dev.leakline.floor;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.detect.growth.LeakDetector;
import dev.leakline.evidence.Detector;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.evidence.Examined;
import dev.leakline.result.Acquittal.Reason;
import dev.leakline.result.Finding;
import dev.leakline.result.Growth.FloorPoint;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import dev.leakline.testkit.snapshot.event.StackFrame;
import java.util.Objects;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;

class BlasWorkspacesTest {
    private static final long KB = 1 << 10;
    private static final long MB = 1 << 20;
    private static final long WORKSPACE = 8_519_680;
    private static final long HOPPER = 32 * MB;
    private static final int STEPS = 50;
    private static final String LINE = "model.py:20 forward";

    private final Detector detector = new LeakDetector();

    @Test
    void workspace_ofALineThatLeaksIsNoPartOfTheLeak() {
        Finding leak = Examined.finding(detector, leaking((s, i) -> multiplyFirst(s, i, 0)));
        assertThat(leak.bytes()).isEqualTo((STEPS - 1) * 64 * KB);
        assertThat(leak.blocks()).isEqualTo(STEPS - 1);
        assertThat(leak.summary()).contains("Memory allocated here grows by 64.0 KiB per step: 3.06 MiB by step 49.");
        assertThat(leak.confidenceReasons()).anyMatch(reason -> reason.startsWith("none of the 49 blocks"));
        assertThat(Objects.requireNonNull(leak.growth()).floor()).contains(new FloorPoint(49, 49 * 64 * KB));
        assertThat(leak.evidence().getLast().text()).isEqualTo("3.06 MiB in 49 blocks, at model.py:20 (forward)");
    }

    @Test
    void workspace_ofALineThatLeaksLaterDoesNotMoveTheBeginning() {
        SnapshotBuilder recording = steps((s, i) -> {
            multiplyFirst(s, i, 0);
            if (i >= 20) {
                s.alloc("kept" + i, 64 * KB, LINE);
            }
        });
        Finding leak = Examined.finding(detector, recording);
        assertThat(Objects.requireNonNull(leak.growth()).firstStep()).isEqualTo(20);
        assertThat(leak.bytes()).isEqualTo(29 * 64 * KB);
    }

    @Test
    void workspace_isSaidToHaveComeOnce() {
        Examination examination = Examined.by(detector, leaking((s, i) -> multiplyFirst(s, i, 0)));
        assertThat(examination.acquittals()).singleElement().satisfies(acquittal -> {
            assertThat(acquittal.reason()).isEqualTo(Reason.WARM_UP);
            assertThat(acquittal.bytes()).isEqualTo(WORKSPACE);
            assertThat(acquittal.isOfWorkspaces()).isTrue();
        });
    }

    @Test
    void leak_ofTensorsOfThatSizeIsFoundWhole() {
        for (long size : new long[] {WORKSPACE, HOPPER}) {
            Finding leak = Examined.finding(detector, steps((s, i) -> s.alloc("kept" + i, size, LINE)));
            assertThat(leak.bytes()).isEqualTo((STEPS - 1) * size);
            assertThat(leak.blocks()).isEqualTo(STEPS - 1);
        }
    }

    @Test
    void leak_ofWhichNowAndThenATensorHasThatSizeIsFoundWhole() {
        SnapshotBuilder recording = leaking((s, i) -> {
            if (i % 17 == 1) {
                s.alloc("large" + i, HOPPER, LINE);
            }
        });
        assertThat(Examined.finding(detector, recording).bytes()).isEqualTo((STEPS - 1) * 64 * KB + 3 * HOPPER);
    }

    @Test
    void leak_ofATensorOfThatSizeThatIsFreedInTheEndIsFoundWhole() {
        SnapshotBuilder recording = leaking((s, i) -> {
            multiplyFirst(s, i, 0);
            if (i == STEPS - 5) {
                s.free("workspace0");
            }
        });
        assertThat(Examined.finding(detector, recording).evidence().getFirst().text())
                .startsWith("50 blocks outlived the step");
    }

    @Test
    void streams_haveAWorkspaceEach() {
        SnapshotBuilder recording = steps((s, i) -> {
            multiplyFirst(s, i, 0);
            s.alloc("kept" + i, 64 * KB, LINE);
            if (i >= 30) {
                s.stream(7);
                multiplyFirst(s, i, 30);
                s.alloc("also" + i, 64 * KB, LINE).stream(0);
            }
        });
        assertThat(Examined.finding(detector, recording).bytes()).isEqualTo((49 + 19) * 64 * KB);
    }

    @Test
    void threads_haveAWorkspaceEach() {
        SnapshotBuilder recording = leaking((s, i) -> multiplyFirst(s, i, Math.min(i, 7)));
        assertThat(Examined.finding(detector, recording).bytes()).isEqualTo((STEPS - 1) * 64 * KB);
    }

    @Test
    void workspace_ofASizeThatTheUserSetIsNamedByCppFrames() {
        for (String maker : new String[] {"at::cuda::getNewWorkspace()", "at::cuda::getCurrentCUDABlasHandle()"}) {
            SnapshotBuilder recording = leaking((s, i) -> {
                if (i == 40) {
                    s.alloc("workspace", 16 * MB, StackFrame.cpp(maker), LINE);
                }
            });
            assertThat(Examined.finding(detector, recording).bytes()).isEqualTo((STEPS - 1) * 64 * KB);
        }
    }

    /** What the first product of a line asks for, in step {@code first}. */
    private static void multiplyFirst(SnapshotBuilder recording, int step, int first) {
        if (step == first) {
            recording.alloc("workspace" + step, WORKSPACE, LINE);
        }
    }

    /** The line keeps 64 KiB a step, and does something more before. */
    private static SnapshotBuilder leaking(ObjIntConsumer<SnapshotBuilder> also) {
        return steps((s, i) -> {
            also.accept(s, i);
            s.alloc("kept" + i, 64 * KB, LINE);
        });
    }

    private static SnapshotBuilder steps(ObjIntConsumer<SnapshotBuilder> work) {
        SnapshotBuilder recording = snapshot().preexisting("weights", 40 * MB);
        recording.repeat(STEPS, (s, i) -> {
            s.step().alloc("input", 2 * MB, "train.py:8 main");
            work.accept(s, i);
            s.free("input");
        });
        return recording.step();
    }
}
