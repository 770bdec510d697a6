package dev.leakline.join;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.InputSource;
import dev.leakline.Snapshot;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Holders;
import dev.leakline.result.JoinedDump.Held;
import dev.leakline.testkit.holders.HolderDumpBuilder;
import dev.leakline.testkit.holders.Item;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dumps in which a buffer grew, with recordings that show whether it grows on. */
class EndedGrowthTest {
    private static final int STEPS = 300;
    private static final long SIZE = 96 << 10;
    private static final String LINE = "/app/train.py:26 train";
    /** Steps after which dumps were made. */
    private static final List<Integer> DUMPED = List.of(32, 48, STEPS);

    private final SnapshotBuilder recording = snapshot();
    private final Deque<String> buffer = new ArrayDeque<>();
    private final List<HolderDump> dumps = new ArrayList<>();
    private boolean hasGraphs;

    @Test
    void aBufferThatFilledUntilLateIsNotInDoubtWhereTheRecordingShowsThatItGrowsNoMore() throws IOException {
        AnalysisResult result = train(200);
        assertThat(result.verdict()).isEqualTo(Verdict.NO_LEAK);
        Held held = result.dumps().getFirst().rest().getFirst();
        assertThat(held.verdict()).isEqualTo(Holders.Verdict.UNKNOWN);
        assertThat(held.reason()).isEqualTo("it grew, and no more at the end of the recording");
    }

    /** A window of the newest results, each with the graph of its step. */
    @Test
    void graphsAreNotInDoubtEitherWhereTheRecordingShowsThatTheyGrowNoMore() throws IOException {
        hasGraphs = true;
        AnalysisResult result = train(30);
        assertThat(result.verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(result.dumps().getFirst().rest().getFirst().bytes()).isEqualTo(30 * SIZE);
    }

    @Test
    void whatGrowsToTheEndIsALeak() throws IOException {
        assertThat(train(STEPS).verdict()).isEqualTo(Verdict.LEAK);
    }

    /** A training that keeps so many batches, the newest ones. */
    private AnalysisResult train(int kept) throws IOException {
        for (int step = 1; step <= STEPS; step++) {
            recording.step();
            if (buffer.size() == kept) {
                recording.free(buffer.remove(), LINE);
            }
            buffer.add("batch " + step);
            recording
                    .alloc("batch " + step, SIZE, LINE)
                    .alloc("loss", 700, LINE)
                    .free("loss", LINE);
            if (DUMPED.contains(step)) {
                dumps.add(dump(step));
            }
        }
        byte[] file = recording.write(Dialect.PROTOCOL_4);
        List<Input> inputs = new ArrayList<>(dumps);
        inputs.addFirst(Snapshot.open(InputSource.of("train.pickle", new ByteArrayInputStream(file))));
        return Analysis.run(inputs, Analysis.Options.ALL);
    }

    private HolderDump dump(int step) throws IOException {
        HolderDumpBuilder dump = new HolderDumpBuilder()
                .header("step", String.valueOf(step))
                .header("reason", step == STEPS ? "\"exit\"" : "\"growth\"")
                .header("time_us", String.valueOf(recording.timeMicros()));
        Item[] batches = buffer.stream()
                .map(key -> dump.view("[96, 256]", dump.storage(SIZE, recording.addressOf(key) >> 4, -1)))
                .map(batch -> hasGraphs ? batch.computedBy(dump.autograd("ReluBackward0")) : batch)
                .toArray(Item[]::new);
        dump.running("train (train.py:30)")
                .local("buffer", dump.list(batches.length).items(batches));
        return HolderDump.read(step + ".holders", new ByteArrayInputStream(dump.write()));
    }
}
