package dev.leakline;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.leakline.finding.Opinion;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Source;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.Holders;
import dev.leakline.result.JoinedDump;
import dev.leakline.result.JoinedDump.Held;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.Context;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import dev.leakline.testkit.snapshot.event.Stage;
import dev.leakline.verdict.Judge;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;

/** What is said of loops that look alike and are not: that load, that leak, that hand on, that were recorded badly. */
class GrowthVerdictsTest {
    private static final long MB = 1 << 20;
    private static final long KB = 1 << 10;
    private static final String MAIN = "/app/job.py:90 main";
    private static final String CALL = "/x/site-packages/torch/nn/modules/module.py:1794 _call_impl";
    private static final String RELU = "/x/site-packages/torch/nn/modules/activation.py:145 forward";
    private static final String LINEAR = "/x/site-packages/torch/nn/modules/linear.py:134 forward";

    @Test
    void resultsOfAModuleAreALeakAlsoWhereTheirInputIsCopiedAtTheSameLine() {
        AnalysisResult result = loop(60, (s, i) -> {
            s.alloc("copy" + i, 300 * KB, "/app/job.py:12 main");
            s.alloc("result" + i, 320 * KB, LINEAR, CALL, "/app/job.py:12 main");
        });
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(Analysed.blamed(result)).isEqualTo("job.py:12");
    }

    @Test
    void theStateOfNewOptimizersIsALeakOfItsOwnBesideWhatTheSameFunctionKeepsAtTheSameSteps() {
        String optim = "/x/site-packages/torch/optim/";
        AnalysisResult result = loop(60, (s, i) -> {
            brief(s, "pass", 500 * KB, LINEAR, CALL, "/app/job.py:11 main");
            if (i % 3 == 0) {
                s.alloc(
                        "moments" + i,
                        640 * KB,
                        optim + "adam.py:178 _init_group",
                        optim + "adam.py:230 step",
                        optim + "optimizer.py:500 wrapper",
                        "/app/job.py:14 main");
                s.alloc("copy" + i, 320 * KB, "/app/job.py:16 main");
            }
        });
        assertThat(result.findings())
                .extracting(finding -> finding.site().frame().line(), Finding::bytes)
                .containsExactly(tuple(14, 20 * 640 * KB), tuple(16, 20 * 320 * KB));
    }

    @Test
    void aLeakOfSeveralLinesSaysWhatEachOfThemAllocates() {
        AnalysisResult result = loop(60, (s, i) -> {
            s.alloc("copy" + i, 300 * KB, "/app/job.py:12 main");
            s.alloc("result" + i, 640 * KB, LINEAR, CALL, "/app/job.py:13 main");
        });
        assertThat(result.findings()).hasSize(1);
        assertThat(result.findings().getFirst().evidence())
                .extracting(Finding.Proof::text)
                .anyMatch(text -> text.contains("blocks from job.py:13 (main), at linear.py:134"))
                .noneMatch(text -> text.contains("from job.py:12"));
    }

    @Test
    void aCollectionThatIsFullAndTakesLargerEntriesForAWhileIsNoLeak() {
        AnalysisResult result = loop(90, (s, i) -> {
            brief(s, "pass", (500 + 30L * Math.min(i, 60)) * KB, LINEAR, CALL, "/app/job.py:11 main");
            if (i >= 8) {
                s.free("entry" + (i - 8), "/app/job.py:12 main");
            }
            s.alloc("entry" + i, (100 + 8L * Math.min(i, 60)) * KB, "/app/job.py:13 main");
        });
        assertThat(result.verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(result.reason()).contains("later allocations replaced earlier ones");
    }

    @Test
    void aLoopThatOnlyKeepsLeaks() {
        AnalysisResult result = loop(60, (s, i) -> {
            s.alloc("full" + i, 800 * KB, "/app/job.py:12 main");
            s.alloc("quarter" + i, 200 * KB, "/app/job.py:13 main");
            s.free("full" + i, "/app/job.py:13 main");
        });
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
    }

    @Test
    void blocksOfASingleMarkedCallAreLoaded() {
        SnapshotBuilder recording = snapshot().annotation("load", Stage.START);
        recording.repeat(60, (s, i) -> s.alloc("piece" + i, 256 * KB, "/app/job.py:12 load", "/app/job.py:3 main"));
        assertThat(Analysed.recording(recording.annotation("load", Stage.END)).verdict())
                .isEqualTo(Verdict.NO_LEAK);
    }

    /** Requests become longer and longer, and so do the entries of a cache that keeps the last sixteen. */
    @Test
    void aCacheWithABoundIsFullHoweverLargeItsEntriesBecome() {
        AnalysisResult result = loop(120, (s, i) -> {
            s.alloc("entry" + i, (100 + i) * KB, "/app/job.py:12 main");
            if (i >= 16) {
                s.free("entry" + (i - 16), "/app/job.py:13 main");
            }
            brief(s, "request", 40 * KB, "/app/job.py:14 main");
        });
        assertThat(result.verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(result.reason()).contains("its entries become larger, not more");
    }

    @Test
    void whatIsKeptBeforeTheWorkBeginsIsNoLeak() {
        SnapshotBuilder recording = snapshot().alloc("table", 25 * MB, "/app/job.py:3 main");
        recording.repeat(60, (s, i) -> s.alloc("state" + i, 256 * KB, "/app/job.py:12 stream", "/app/job.py:15 main"));
        assertThat(Analysed.recording(recording).verdict()).isEqualTo(Verdict.LEAK);

        recording.repeat(60, (s, i) -> brief(s, "result", 320 * KB, LINEAR, CALL, "/app/job.py:20 main"));
        assertThat(Analysed.recording(recording).verdict()).isEqualTo(Verdict.NO_LEAK);
    }

    /** Frees carry the stack of the only line there is: either all do in this recording, or the collector came whenever this line ran. */
    @Test
    void someOfAPileFreedAtRandomAreNoCyclesThoughAPileFreedAsAWholeIs() {
        Random random = new Random(1);
        assertThat(freed(live -> live < 40 || random.nextInt(4) > 0 ? 0 : random.nextInt(1, 8))
                        .verdict())
                .isNotEqualTo(Verdict.REFERENCE_CYCLE);
        assertThat(freed(live -> live < 40 || random.nextInt(20) > 0 ? 0 : live).verdict())
                .isEqualTo(Verdict.REFERENCE_CYCLE);
    }

    private static AnalysisResult freed(IntUnaryOperator howMany) {
        SnapshotBuilder recording = snapshot();
        Random random = new Random(2);
        List<String> live = new ArrayList<>();
        recording.repeat(1_500, (s, i) -> {
            s.alloc("block" + i, 256 * KB, "/app/job.py:12 main");
            live.add("block" + i);
            for (int left = howMany.applyAsInt(live.size()); left > 0 && !live.isEmpty(); left--) {
                s.free(live.remove(random.nextInt(live.size())), "/app/job.py:12 main");
            }
        });
        return Analysed.recording(recording);
    }

    @Test
    void whatIsKeptOfProductsIsALeakWithoutAnyModule() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(60, (s, i) -> {
            s.alloc("batch" + i, 200 * KB, "/app/job.py:12 main");
            if (i == 0) {
                s.alloc("workspace", (2 * 4096 + 8 * 16) * KB, "/app/job.py:13 main");
            }
            s.alloc("product" + i, 700 * KB, "/app/job.py:13 main");
            s.free("batch" + i, "/app/job.py:14 main");
        });
        assertThat(Analysed.recording(recording).verdict()).isEqualTo(Verdict.LEAK);
    }

    /** A loss is added to a total: what its model saved stays behind the total, of which only the last is there. */
    @Test
    void aRunningTotalKeepsGraphsAndIsNoContainer() {
        assertThat(summed(true).findings().getFirst().cause()).isEqualTo("autograd_graph_kept");
        assertThat(summed(false).findings().getFirst().cause()).isEqualTo("kept_in_container");
    }

    private static AnalysisResult summed(boolean letsGoOfLoss) {
        return loop(60, (s, i) -> {
            brief(s, "before", 300 * KB, LINEAR, CALL, "/app/job.py:12 train", MAIN);
            s.alloc("active" + i, 300 * KB, RELU, CALL, "/app/job.py:12 train", MAIN);
            s.alloc("output" + i, 4 * KB, LINEAR, CALL, "/app/job.py:12 train", MAIN);
            if (letsGoOfLoss) {
                s.alloc("loss" + i, KB, "/app/job.py:12 train", MAIN);
            }
            s.alloc("total" + i, KB, "/app/job.py:13 train", MAIN);
            if (i > 0) {
                s.free("total" + (i - 1), "/app/job.py:13 train", MAIN);
            }
            if (letsGoOfLoss) {
                s.free("loss" + i, "/app/job.py:13 train", MAIN);
            }
        });
    }

    /** Its own trace shows nothing but the buffers; that requests are served, and modules run, only the device's does. */
    @Test
    void pinnedMemoryThatEachRequestKeepsIsALeak() {
        AnalysisResult result = loop(60, (s, i) -> {
            s.hostAlloc("pinned" + i, 300 * KB, "/app/job.py:11 main");
            brief(s, "copy", 300 * KB, "/app/job.py:12 main");
            brief(s, "result", 320 * KB, LINEAR, CALL, "/app/job.py:13 main");
        });
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(result.findings().getFirst().device()).isNegative();
        assertThat(Analysed.blamed(result)).isEqualTo("job.py:11");
    }

    @Test
    void aLineThatRunsNowAndThenIsNoMeasureOfItself() {
        AnalysisResult result = loop(300, (s, i) -> {
            brief(s, "result", 320 * KB, LINEAR, CALL, "/app/job.py:12 main");
            if (i % 5 == 0 || i % 7 == 0) {
                s.alloc("kept" + i, 64 * KB, "/app/job.py:14 main");
            }
        });
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(result.devices().getFirst().steps().count()).isBetween(299, 300);
        assertThat(Analysed.bytesPerStep(result)).isCloseTo(64.0 * KB * 94 / 300, within(2.0 * KB));
    }

    @Test
    void aCacheThatIsFullIsQuietWhereItsMissesMadeAllTheSteps() {
        AnalysisResult result = loop(400, (s, i) -> {
            brief(s, "result", 320 * KB, LINEAR, CALL, "/app/job.py:12 main");
            if (i < 100 && (i % 5 == 0 || i % 7 == 0)) {
                s.alloc("entry" + i, 64 * KB, "/app/job.py:14 main");
            }
        });
        assertThat(result.verdict()).isEqualTo(Verdict.NO_LEAK);
    }

    /** The line that keeps a table for each new user makes its input as well, and nothing else tells one turn from the next. */
    @Test
    void usersWhoAreAllKnownNeedNoMoreTablesHoweverTurnsAreCounted() {
        assertThat(tables(180).verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(tables(360).verdict()).isEqualTo(Verdict.LEAK);
    }

    private static AnalysisResult tables(int last) {
        return loop(360, (s, i) -> {
            if (i < last && (i % 9 == 0 || i % 9 == 5)) {
                s.alloc("input", 24 * KB, "/app/job.py:21 recommend", MAIN);
                s.alloc("table" + i, 16 * KB, LINEAR, CALL, "/app/job.py:21 recommend", MAIN);
                s.free("input", "/app/job.py:21 recommend", MAIN);
            }
            s.alloc("mean", 2 * KB, "/app/job.py:22 recommend", MAIN);
            s.alloc("scores", 4 * KB, "/app/job.py:22 recommend", MAIN);
            s.free("mean", "/app/job.py:22 recommend", MAIN).free("scores", "/app/job.py:22 recommend", MAIN);
        });
    }

    @Test
    void timeBeforeTheLoopIsNoPartOfItsRate() {
        SnapshotBuilder recording =
                snapshot().alloc("weights", 3 * MB, "/app/job.py:3 main").afterMicros(60_000_000);
        recording.repeat(30, (s, i) -> {
            s.afterMicros(100_000);
            brief(s, "input", 320 * KB, "/app/job.py:12 main");
            s.alloc("kept" + i, 100 * KB, LINEAR, CALL, "/app/job.py:13 main");
        });
        AnalysisResult result = Analysed.recording(recording);
        assertThat(result.findings().getFirst().bytesPerSecond()).isCloseTo(100 * KB * 10.0, within(KB * 100.0));
    }

    @Test
    void keysAndValuesOfSeveralLayersThatGrowWhileTheInputDoesNotAreALeak() {
        AnalysisResult result = loop(80, (s, i) -> {
            brief(s, "input", 40 * KB, "/app/job.py:12 main");
            for (int layer = 0; layer < 3; layer++) {
                brief(s, "projection", 40 * KB, "/app/model.py:20 forward", CALL, "/app/job.py:13 main");
                s.alloc(
                        "keys" + layer + " " + i,
                        (i + 1L) * 8 * KB,
                        "/app/model.py:21 forward",
                        CALL,
                        "/app/job.py:13 main");
                if (i > 0) {
                    s.free("keys" + layer + " " + (i - 1), "/app/model.py:21 forward", CALL, "/app/job.py:13 main");
                }
                brief(s, "mixed", 40 * KB, "/app/model.py:22 forward", CALL, "/app/job.py:13 main");
            }
        });
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(Analysed.blamed(result)).isEqualTo("model.py:21");
        assertThat(Analysed.bytesPerStep(result)).isCloseTo(24.0 * KB, within(2.0 * KB));
    }

    /** Most lines of a step compute with what was appended; but what first computes with the input says that it has one size. */
    @Test
    void aConversationGrowsByItselfAlsoWhereMostLinesFollowIt() {
        AnalysisResult result = loop(80, (s, i) -> {
            brief(s, "input", 40 * KB, "/app/job.py:12 main");
            brief(s, "projection", 40 * KB, "/app/model.py:20 forward", CALL, "/app/job.py:13 main");
            s.alloc("keys" + i, (i + 1L) * 8 * KB, "/app/model.py:21 forward", CALL, "/app/job.py:13 main");
            if (i > 0) {
                s.free("keys" + (i - 1), "/app/model.py:21 forward", CALL, "/app/job.py:13 main");
            }
            for (int line = 22; line < 26; line++) {
                brief(
                        s,
                        "scores",
                        (i + 1L) * 2 * KB,
                        "/app/model.py:" + line + " forward",
                        CALL,
                        "/app/job.py:13 main");
            }
        });
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(Analysed.blamed(result)).isEqualTo("model.py:21");
    }

    /** A queue that is made longer right after an optimizer's step is the first that the next step allocates; nothing else changes. */
    @Test
    void aQueueAtTheBeginningOfAStepIsNoInput() {
        AnalysisResult result = loop(80, (s, i) -> {
            s.alloc("queue" + i, (i + 1L) * 64 * KB, "/app/job.py:18 main");
            if (i > 0) {
                s.free("queue" + (i - 1), "/app/job.py:18 main");
            }
            brief(s, "input", 40 * KB, "/app/job.py:12 main");
            brief(s, "hidden", 80 * KB, LINEAR, CALL, "/app/job.py:13 main");
            brief(s, "loss", 4 * KB, "/app/job.py:14 main");
        });
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(Analysed.blamed(result)).isEqualTo("job.py:18");
        assertThat(result.acquittals()).noneMatch(acquittal -> acquittal.text().contains("follows the input"));
    }

    @Test
    void whatGrowsWithTheInputIsNone() {
        AnalysisResult result = loop(80, (s, i) -> {
            s.alloc("input" + i, (i + 1L) * 8 * KB, "/app/job.py:12 main");
            s.alloc("result" + i, (i + 1L) * 8 * KB, LINEAR, CALL, "/app/job.py:13 main");
            if (i > 0) {
                s.free("input" + (i - 1), "/app/job.py:12 main").free("result" + (i - 1), "/app/job.py:13 main");
            }
            brief(s, "sum", 40 * KB, "/app/job.py:14 main");
        });
        assertThat(result.verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(result.reason()).contains("the peak follows the input");
    }

    @Test
    void oneReleaseAtALineThatRunsAllTheTimeLeavesTheVerdictOpen() {
        AnalysisResult result = loop(200, (s, i) -> {
            brief(s, "input", 40 * KB, "/app/job.py:12 main");
            s.alloc("result" + i, 320 * KB, LINEAR, CALL, "/app/job.py:13 main");
            s.alloc("sum" + i, 20 * KB, "/app/job.py:14 main");
            if (i == 110) {
                for (int old = 0; old < 110; old++) {
                    s.free("result" + old, "/app/job.py:14 main");
                }
            }
            s.free("sum" + i, "/app/job.py:14 main");
        });
        assertThat(result.verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(result.reason()).contains("freed at once and pile up again, at job.py:13");
    }

    @Test
    void growthWithoutAnyReleaseSaysThatItMayBeAnEpochs() {
        AnalysisResult result = loop(60, (s, i) -> {
            brief(s, "input", 40 * KB, "/app/job.py:12 main");
            s.alloc("result" + i, 320 * KB, LINEAR, CALL, "/app/job.py:13 main");
        });
        assertThat(result.findings().getFirst().confidenceReasons())
                .anyMatch(reason -> reason.contains("collects for the end of an epoch"));
    }

    @Test
    void twoLinesOfACallThatKeepTogetherAreOneLeak() {
        AnalysisResult result = loop(60, (s, i) -> {
            brief(s, "input", 40 * KB, "/app/job.py:12 main");
            s.alloc("prediction" + i, 320 * KB, LINEAR, CALL, "/app/job.py:13 main");
            s.alloc("target" + i, 80 * KB, "/app/job.py:14 main");
        });
        assertThat(result.findings()).hasSize(1);
        assertThat(Analysed.bytesPerStep(result)).isCloseTo(400.0 * KB, within(KB * 1.0));
    }

    @Test
    void aListThatWasGoneWhenARequestFailedDidNotLeak() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(40, (s, i) -> {
            brief(s, "input", 40 * KB, "/app/job.py:12 collect", MAIN);
            s.alloc("result" + i, 320 * KB, LINEAR, CALL, "/app/job.py:13 collect", MAIN);
        });
        recording.repeat(40, (s, i) -> s.free("result" + i, MAIN));
        recording.oom(900 * MB, 700 * MB, "/app/job.py:99 main");
        AnalysisResult result = Analysed.recording(recording);
        assertThat(result.verdict()).isEqualTo(Verdict.OOM);
        assertThat(result.findings()).hasSize(1);
    }

    @Test
    void aFailedRequestIsItsCallersWhereOthersCallTheSameHelper() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(5, (s, i) -> brief(s, "small", 3 * MB, "/app/job.py:7 buffer", "/app/job.py:20 stage", MAIN));
        recording.oom(900 * MB, 700 * MB, "/app/job.py:7 buffer", "/app/job.py:30 attention", "/app/job.py:91 main");
        AnalysisResult result = Analysed.recording(recording);
        assertThat(Analysed.blamed(result)).isEqualTo("job.py:30");
        assertThat(result.devices()
                        .getFirst()
                        .outOfMemory()
                        .getFirst()
                        .site()
                        .frame()
                        .line())
                .isEqualTo(30);
    }

    @Test
    void aRecordingThatWasSwitchedOffSaysSo() {
        SnapshotBuilder recording = snapshot().context(Context.STATE).alloc("kept", MB, "/app/job.py:3 main");
        assertThat(Analysed.recording(recording).reason()).contains("only the blocks of the final state have stacks");
    }

    @Test
    void aRingThatLostTheBeginningSaysSo() {
        SnapshotBuilder recording = snapshot().wrapAt(50).alloc("weights", 3 * MB, "/app/job.py:3 main");
        recording.repeat(40, (s, i) -> brief(s, "block" + i, 3 * MB, "/app/job.py:" + (10 + i) + " main"));
        assertThat(Analysed.recording(recording).reason())
                .contains("only the last 50 events")
                .contains("max_entries");
    }

    @Test
    void aMomentAfterTheEndIsNoneOfTheRecording() throws IOException {
        SnapshotBuilder recording = snapshot().alloc("a", MB, MAIN).alloc("b", MB, MAIN);
        byte[] file = recording.write(Dialect.PROTOCOL_4);
        Snapshot snapshot = Snapshot.open(InputSource.of("snapshot.pickle", new ByteArrayInputStream(file)));
        Analysis.Options late = new Analysis.Options(
                Analysis.Options.ALL.device(),
                new Window(Window.parse("5000"), Window.ALL.to()),
                0,
                Analysis.Options.ALL.functions());
        assertThatThrownBy(() -> Analysis.run(List.of(snapshot), late))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the recording has ended by then");
    }

    @Test
    void nothingIsAcquittedBesideADumpThatHasItStuck() {
        Opinion clean = new Opinion(Source.RECORDING, Verdict.NO_LEAK, "every step frees what it allocates");
        assertThat(judged(clean, Holders.Verdict.UNKNOWN, 50 * MB).verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(judged(clean, Holders.Verdict.STUCK, KB).verdict()).isEqualTo(Verdict.NO_LEAK);
        Opinion open = judged(clean, Holders.Verdict.STUCK, 50 * MB);
        assertThat(open.verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(open.reason()).contains("50.0 MiB stuck: outs (they grow)");
    }

    private static Opinion judged(Opinion opinion, Holders.Verdict verdict, long bytes) {
        Held held = new Held("1", "outs", verdict, "they grow", bytes, 160, 40, null);
        JoinedDump dump = new JoinedDump(List.of(1), 0, 160, 160, 80 * MB, 0, List.of(held), List.of());
        return new Judge(List.of()).measured(List.of(opinion), null, null, List.of(dump), false);
    }

    private static AnalysisResult loop(int steps, ObjIntConsumer<SnapshotBuilder> step) {
        return Analysed.recording(snapshot().repeat(steps, step));
    }

    private static void brief(SnapshotBuilder s, String key, long size, String... stack) {
        s.alloc(key, size, stack).free(key, stack);
    }
}
