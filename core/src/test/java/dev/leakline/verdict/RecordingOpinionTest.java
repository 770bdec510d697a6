package dev.leakline.verdict;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.InputSource;
import dev.leakline.Snapshot;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Check;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordingOpinionTest {
    private static final int STEPS = 30;
    private static final String LINE = "/app/train.py:9 train";

    @Test
    void ofADeviceThatNothingWasAllocatedOnNobodyIsToldWhatWasNotLookedAt() throws IOException {
        SnapshotBuilder recording = snapshot().devices(2);
        recording.device(1).snapshotEvent().snapshotEvent().snapshotEvent().device(0);
        AnalysisResult result = analyse(train(recording));
        assertThat(result.devices()).hasSize(2);
        assertThat(result.checks()).isNotEmpty().allMatch(Check::isApplicable);
    }

    @Test
    void ofADeviceWithTooFewStepsItIsSaid() throws IOException {
        SnapshotBuilder recording = snapshot().devices(2);
        recording.device(1).alloc("table", 4096, LINE).device(0);
        assertThat(analyse(train(recording)).checks())
                .filteredOn(check -> check.detector().equals("leak"))
                .anyMatch(check -> !check.isApplicable());
    }

    private static SnapshotBuilder train(SnapshotBuilder recording) {
        for (int step = 0; step < STEPS; step++) {
            recording.step().alloc("batch", 1 << 20, LINE).free("batch", LINE);
        }
        return recording;
    }

    private static AnalysisResult analyse(SnapshotBuilder recording) throws IOException {
        byte[] file = recording.write(Dialect.PROTOCOL_4);
        return Analysis.run(
                List.of(Snapshot.open(InputSource.of("train.pickle", new ByteArrayInputStream(file)))),
                Analysis.Options.ALL);
    }
}
