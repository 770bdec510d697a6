package dev.leakline;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;

/** What is said of a line whose blocks all stay, while blocks of another line are freed: each step keeps one block, and there are many at the start. */
class ReplacedBlocksTest {
    private static final long KB = 1 << 10;
    private static final int STEPS = 80;
    private static final String MAIN = "/app/job.py:90 main";
    private static final String CALL = "/x/site-packages/torch/nn/modules/module.py:1794 _call_impl";
    private static final String LINEAR = "/x/site-packages/torch/nn/modules/linear.py:134 forward";

    @Test
    void newForOldOfTheSameSizeIsNoLeak() {
        AnalysisResult result = beside(100 * KB, _ -> 1);
        assertThat(result.verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(result.acquittals())
                .extracting(Acquittal::text)
                .anyMatch(text -> text.contains("replace blocks of the same sizes of other lines")
                        || text.contains("with 1 more line"));
    }

    @Test
    void oldBlocksOfAnotherSizeExplainNothing() {
        assertThat(beside(120 * KB, _ -> 1).verdict()).isEqualTo(Verdict.LEAK);
    }

    @Test
    void oldBlocksThatAreFreedAtOnceExplainNothing() {
        assertThat(beside(100 * KB, step -> step == STEPS / 2 ? STEPS : 0).verdict())
                .isEqualTo(Verdict.LEAK);
    }

    @Test
    void oldBlocksThatAreFreedTwiceAsFastForAWhileLeaveTheVerdictOpen() {
        AnalysisResult result = beside(100 * KB, step -> step > 19 && step < 60 ? 2 : 0);
        assertThat(result.verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(result.reason()).contains("a leak beside memory that is given back, or new for old");
    }

    @Test
    void oldBlocksThatAreAllFreedByHalfOfTheTimeExplainNothing() {
        assertThat(beside(100 * KB, step -> step < STEPS / 2 ? 2 : 0).verdict()).isEqualTo(Verdict.LEAK);
    }

    @Test
    void ofWhatMostlyReplacesOnlyTheRestGrows() {
        AnalysisResult result = beside(100 * KB, step -> step % 5 == 0 ? 0 : 1);
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(Analysed.bytesPerStep(result)).isCloseTo(20 * KB, within(2.0 * KB));
        assertThat(result.findings().getFirst().blocks()).isBetween(14, 17);
    }

    @Test
    void ofAQueueWhoseRecordingLostItsBeginningFreesOfOlderBlocksCountAgainstItsGrowth() {
        AnalysisResult result = queue(100 * KB);
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(Analysed.bytesPerStep(result)).isCloseTo(50 * KB, within(2.0 * KB));
        assertThat(result.findings().getFirst().blocks()).isBetween(STEPS / 2 - 3, STEPS / 2 + 3);
        assertThat(result.findings().getFirst().evidence())
                .anyMatch(proof -> proof.text().contains("allocated before the recording begins"));
        assertThat(result.findings().getFirst().confidenceReasons())
                .noneMatch(doubt -> doubt.contains("nothing was released") || doubt.contains("none of the"));
    }

    @Test
    void freesOfOlderBlocksDoNotCountWhereAnotherLineKeepsSuchSizesToo() {
        AnalysisResult result =
                queue(100 * KB, (s, i) -> s.alloc("other" + i, 100 * KB, "/app/job.py:40 log", "/app/job.py:60 other"));
        assertThat(result.findings())
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.bytesPerStep()).isCloseTo(100 * KB, within(2.0 * KB)));
    }

    /** A queue to which each step adds a block and from which every other step takes one; the recording has its last steps alone. */
    private static AnalysisResult queue(long size) {
        return queue(size, (_, _) -> {});
    }

    private static AnalysisResult queue(long size, ObjIntConsumer<SnapshotBuilder> more) {
        SnapshotBuilder recording = snapshot().wrapAt(STEPS * 5);
        recording.repeat(3 * STEPS, (s, i) -> {
            s.alloc("result", 320 * KB, LINEAR, CALL, "/app/job.py:11 main");
            s.alloc("entry" + i, size, LINEAR, CALL, "/app/job.py:12 main");
            more.accept(s, i);
            if (i % 2 == 1) {
                s.free("entry" + i / 2, "/app/job.py:13 main");
            }
            s.free("result", "/app/job.py:14 main");
        });
        return Analysed.recording(recording);
    }

    /** A loop that keeps a block of 100 KiB at each step, while so many of the old ones are freed. */
    private static AnalysisResult beside(long oldSize, IntUnaryOperator freed) {
        SnapshotBuilder recording = snapshot();
        for (int i = 0; i < STEPS; i++) {
            recording.alloc("old" + i, oldSize, "/app/job.py:5 fill", MAIN);
        }
        int[] next = {0};
        recording.repeat(STEPS, (s, i) -> {
            s.alloc("result", 320 * KB, LINEAR, CALL, "/app/job.py:11 main");
            s.alloc("new" + i, 100 * KB, LINEAR, CALL, "/app/job.py:12 main");
            for (int left = freed.applyAsInt(i); left > 0; left--) {
                s.free("old" + next[0]++, "/app/job.py:13 main");
            }
            s.free("result", "/app/job.py:14 main");
        });
        return Analysed.recording(recording);
    }
}
