package dev.leakline;

import static dev.leakline.FigureFiles.MB;
import static dev.leakline.FigureFiles.analyse;
import static dev.leakline.FigureFiles.file;
import static dev.leakline.FigureFiles.seconds;
import static dev.leakline.FigureFiles.series;
import static dev.leakline.FigureFiles.steps;
import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.result.Acquittal.Reason;
import dev.leakline.result.Agreement;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.MeasuredSeries.Shape;
import dev.leakline.result.Site;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** What figures over time or steps lead to, alone and beside snapshots. */
class FigureVerdictsTest {
    private static long level(int ignored) {
        return 5_200 * MB;
    }

    private static long leak(int place) {
        return 700 * MB + 3 * MB * place;
    }

    @Test
    void allocatedMemoryThatGrows_leaks() {
        AnalysisResult result =
                analyse(10_000 * MB, file("train.log", steps(Quantity.ALLOCATED, 100, FigureVerdictsTest::leak)));
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(result.reason()).contains("allocated memory grows by 3.00 MiB per step", "name no line");
        Finding leak = result.findings().getFirst();
        assertThat(leak.kind()).isEqualTo(Kind.LEAK);
        assertThat(leak.site().kind()).isEqualTo(Site.Kind.FIGURE);
        assertThat(leak.growth()).isNotNull();
        assertThat(leak.bytesPerStep()).isEqualTo(3.0 * MB);
        assertThat(leak.stepsToOom()).isCloseTo((10_000 - 997) / 3.0, within(1e-6));
        assertThat(leak.bytesPerSecond()).isNaN();
        assertThat(leak.advice().getFirst().action()).contains("_record_memory_history");
    }

    /** Growth of a tenth of what is held may hide in them. */
    @Test
    void fewMeasurementsThatSwing_areUndetermined() {
        long[] held = {2028, 1964, 1991, 2029, 1993, 2027, 2041, 2017, 2008};
        AnalysisResult swings =
                analyse(file("train.log", steps(Quantity.ALLOCATED, held.length, step -> held[step] * MB)));
        assertThat(swings.verdict()).isEqualTo(Verdict.UNDETERMINED);
        AnalysisResult level = analyse(file("train.log", steps(Quantity.ALLOCATED, 9, FigureVerdictsTest::level)));
        assertThat(level.verdict()).isEqualTo(Verdict.NO_LEAK);
    }

    @Test
    void growthOverTime_isPerSecond() {
        AnalysisResult result = analyse(file(
                "smi.csv",
                seconds(Quantity.DEVICE_USED, 0, 600, second -> (1_000 + second / 30) * MB),
                seconds(Quantity.DEVICE_TOTAL, 0, 600, _ -> 24_576 * MB)));
        Finding leak = result.findings().getFirst();
        assertThat(result.series()).hasSize(1);
        assertThat(leak.title()).isEqualTo("used memory grows by 2.00 MiB per minute");
        assertThat(leak.bytesPerStep()).isNaN();
        assertThat(leak.bytesPerSecond()).isCloseTo(MB / 30.0, within(MB / 1_000.0));
        assertThat(leak.secondsToOom()).isCloseTo((24_576 - 1_019) * 30.0, within(1_000.0));
        assertThat(leak.confidence()).isGreaterThan(0.9);
        assertThat(leak.confidenceReasons()).anyMatch(reason -> reason.contains("whole device"));
    }

    @Test
    void figuresOfALeak_areOneFinding() {
        AnalysisResult result = analyse(file(
                "train.log",
                steps(Quantity.ALLOCATED, 100, FigureVerdictsTest::leak),
                steps(Quantity.ACTIVE, 100, FigureVerdictsTest::leak),
                steps(Quantity.PEAK_ALLOCATED, 100, step -> leak(step) + 400 * MB),
                steps(Quantity.RESERVED, 100, step -> (leak(step) / (20 * MB) + 30) * 20 * MB)));
        assertThat(result.findings()).hasSize(1);
        assertThat(result.series()).extracting(MeasuredSeries::shape).containsOnly(Shape.GROWS);
    }

    @Test
    void reservedMemoryThatGrowsOverLevelTensors_isFragmentation() {
        AnalysisResult result = analyse(file(
                "train.log",
                steps(Quantity.ALLOCATED, 100, FigureVerdictsTest::level),
                steps(Quantity.RESERVED, 100, step -> 5_400 * MB + 20 * MB * step)));
        assertThat(result.verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(result.findings()).extracting(Finding::kind).containsExactly(Kind.FRAGMENTATION);
        assertThat(result.reason()).contains("does not grow", "the allocator's cache grows by 20.0 MiB per step");
    }

    @Test
    void aDeviceThatGrowsOverALevelAllocator_leaksOutsideOfIt() {
        AnalysisResult result = analyse(
                file("telemetry.json", time(Source.TELEMETRY, Quantity.RESERVED, 4121, FigureVerdictsTest::level)),
                file(
                        "smi.csv",
                        time(Source.NVIDIA_SMI, Quantity.PROCESS_USED, 4121, second -> 5_800 * MB + second * MB / 10)));
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        Finding residual = result.findings().getFirst();
        assertThat(residual.kind()).isEqualTo(Kind.RESIDUAL);
        assertThat(residual.title()).isEqualTo("memory outside of PyTorch's allocator grows by 6.00 MiB per minute");
        assertThat(residual.input()).isEqualTo(1);
    }

    @Test
    void whatOtherProcessesOfTheDeviceHold_isNoRoom() {
        AnalysisResult result = analyse(
                24_576 * MB,
                file(
                        "apps.csv",
                        time(Source.NVIDIA_SMI, Quantity.PROCESS_USED, 4121, second -> (1_000 + second / 10) * MB),
                        time(Source.NVIDIA_SMI, Quantity.PROCESS_USED, 4122, _ -> 7_000 * MB)));
        assertThat(result.findings().getFirst().secondsToOom())
                .isCloseTo((24_576 - 7_000 - 1_060) * 10.0, within(2_000.0));
    }

    @Test
    void anotherProcessThatGrows_isNoLeakOfThisOne() {
        AnalysisResult result = analyse(file(
                "smi.csv",
                time(Source.NVIDIA_SMI, Quantity.PROCESS_USED, 4121, FigureVerdictsTest::level),
                seconds(Quantity.DEVICE_USED, 0, 600, second -> 6_000 * MB + second * MB)));
        assertThat(result.verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(result.findings()).extracting(Finding::severity).containsExactly(Severity.INFO);
        assertThat(result.findings().getFirst().summary()).contains("but to another one");
    }

    @Test
    void growthOfBoth_isSeparatedWhereTheClockIsTheSame() {
        AnalysisResult result = analyse(
                file(
                        "telemetry.json",
                        time(Source.TELEMETRY, Quantity.ALLOCATED, 4121, FigureVerdictsTest::leak),
                        time(Source.TELEMETRY, Quantity.RESERVED, 4121, second -> leak(second) + 100 * MB)),
                file(
                        "smi.csv",
                        time(
                                Source.NVIDIA_SMI,
                                Quantity.PROCESS_USED,
                                4121,
                                second -> leak(second) + 600 * MB + second * MB)));
        assertThat(result.findings()).extracting(Finding::kind).containsExactly(Kind.LEAK, Kind.RESIDUAL);
        assertThat(result.findings().get(1).title()).contains("grows by 1.00 MiB per second");
    }

    @Test
    void levels_areAcquitted() {
        AnalysisResult warm =
                analyse(file("train.log", steps(Quantity.ALLOCATED, 200, step -> Math.min(step, 30) * 50L * MB)));
        assertThat(warm.verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(warm.acquittals())
                .extracting(acquittal -> acquittal.reason())
                .containsExactly(Reason.WARM_UP);
        AnalysisResult sawtooth =
                analyse(file("train.log", steps(Quantity.ALLOCATED, 200, step -> (700 + step % 12 * 50) * MB)));
        assertThat(sawtooth.verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(sawtooth.acquittals())
                .extracting(acquittal -> acquittal.reason())
                .containsExactly(Reason.PERIODIC);
    }

    @Test
    void aPeakThatRisesOverALevelFloor_followsTheInput() {
        AnalysisResult result = analyse(file(
                "train.log",
                steps(Quantity.ALLOCATED, 100, FigureVerdictsTest::level),
                steps(Quantity.PEAK_ALLOCATED, 100, step -> 6_000 * MB + 10 * MB * step)));
        assertThat(result.verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(result.acquittals())
                .extracting(acquittal -> acquittal.reason())
                .containsExactly(Reason.INPUT_SIZE);
    }

    @Test
    void tooFewMeasurements_tellNothing() {
        AnalysisResult result = analyse(file("train.log", steps(Quantity.ALLOCATED, 5, FigureVerdictsTest::leak)));
        assertThat(result.verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(result.reason()).contains("only 5 measurements", "at least 8");
    }

    @Test
    void swings_tellNothing() {
        Random random = new Random(7);
        AnalysisResult result =
                analyse(file("train.log", steps(Quantity.ALLOCATED, 20, _ -> (2_000 + random.nextInt(4_000)) * MB)));
        assertThat(result.verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(result.reason()).contains("varies too much", "same point of every step");
    }

    @Test
    void failuresThatWereCounted_areTold() {
        AnalysisResult result = analyse(file(
                "stats.jsonl",
                steps(Quantity.ALLOCATED, 50, FigureVerdictsTest::level),
                steps(Quantity.OUT_OF_MEMORY, 50, step -> step < 40 ? 0 : 2)));
        assertThat(result.verdict()).isEqualTo(Verdict.OOM);
        assertThat(result.findings().getFirst().title()).isEqualTo("2 requests for memory failed");
        assertThat(result.series().get(1).reason()).isEqualTo("2 requests, the last by step 40");
    }

    @Test
    void aJobThatBeganAgain_isJudgedFromThere() {
        AnalysisResult result = analyse(file(
                "train.log",
                series(
                        steps(Quantity.ALLOCATED, 0, FigureVerdictsTest::level).subject,
                        0,
                        200,
                        step -> step < 100 ? leak(step) : level(step)),
                restarted()));
        MeasuredSeries restarted = result.series().get(1);
        assertThat(restarted.points()).isEqualTo(60);
        assertThat(restarted.shape()).isEqualTo(Shape.LEVEL);
    }

    private static MemorySeries restarted() {
        MemorySeries series = new MemorySeries(new Subject(Source.LOG, Quantity.RESERVED, Axis.STEP, 0, -1, ""));
        for (int step = 0; step < 100; step++) {
            series.add(step, leak(step));
        }
        for (int step = 40; step < 100; step++) {
            series.add(step, level(step));
        }
        return series;
    }

    @Test
    void whatIsFree_saysWhatIsUsed() {
        AnalysisResult result = analyse(file(
                "exporter.txt",
                seconds(Quantity.DEVICE_FREE, 0, 300, second -> (20_000 - 2L * second) * MB),
                seconds(Quantity.DEVICE_TOTAL, 0, 300, _ -> 24_000 * MB)));
        assertThat(result.series()).extracting(MeasuredSeries::quantity).containsExactly("device_used");
        assertThat(result.series().getFirst().first().value()).isEqualTo(4_000 * MB);
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
    }

    @Test
    void ranksInOneLog_areToldApartByTheirLabels() {
        AnalysisResult result = analyse(file(
                "job.log",
                rank(Quantity.ALLOCATED, "rank 0", FigureVerdictsTest::level),
                rank(Quantity.RESERVED, "rank 0", FigureVerdictsTest::level),
                rank(Quantity.ALLOCATED, "rank 1", FigureVerdictsTest::leak),
                rank(Quantity.RESERVED, "rank 1", FigureVerdictsTest::leak)));
        assertThat(result.findings()).hasSize(1);
        assertThat(result.findings().getFirst().summary()).contains("rank 1");
    }

    private static MemorySeries rank(Quantity quantity, String label, IntToLongFunction value) {
        return series(new Subject(Source.LOG, quantity, Axis.STEP, -1, -1, label), 0, 100, value);
    }

    @Test
    void theSnapshotLeads_andAgrees() throws IOException {
        AnalysisResult result =
                analyse(recording(3), file("train.log", steps(Quantity.ALLOCATED, 40, step -> (3 + 3 * step) * MB)));
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(result.reason()).contains("train.py:7").doesNotContain("figures");
        assertThat(result.findings())
                .extracting(finding -> finding.site().kind())
                .containsExactly(Site.Kind.USER);
        assertThat(result.agreements()).allMatch(Agreement::isAgreed).hasSize(2);
    }

    @Test
    void figuresThatGrowFarMoreThanWhatWasRecordedAreAFindingOfTheirOwn() throws IOException {
        AnalysisResult result =
                analyse(recording(3), file("train.log", steps(Quantity.ALLOCATED, 40, step -> (3 + 9 * step) * MB)));
        assertThat(result.findings())
                .extracting(finding -> finding.site().kind())
                .containsExactlyInAnyOrder(Site.Kind.USER, Site.Kind.FIGURE);
    }

    @Test
    void figuresThatContradictASnapshot_areHeard() throws IOException {
        AnalysisResult result =
                analyse(recording(0), file("train.log", steps(Quantity.ALLOCATED, 40, FigureVerdictsTest::leak)));
        assertThat(result.verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(result.reason()).contains("The figures say otherwise: allocated memory grows by 3.00 MiB per step");
        assertThat(result.agreements()).noneMatch(Agreement::isAgreed);
    }

    @Test
    void figuresSeeWhatASnapshotCannot() throws IOException {
        AnalysisResult result = analyse(
                recording(0),
                file("stats.jsonl", steps(Quantity.RESERVED, 100, FigureVerdictsTest::level)),
                file("smi.csv", seconds(Quantity.DEVICE_USED, 0, 600, second -> 6_000 * MB + second * MB)));
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(result.reason())
                .contains("memory outside of PyTorch's allocator grows by 1.00 MiB per second", "Of the snapshot: ");
    }

    @Test
    void figuresAnswerWhereASnapshotCannot() throws IOException {
        Snapshot empty = open(snapshot().preexisting("weights", 37 * MB));
        AnalysisResult result =
                analyse(empty, file("train.log", steps(Quantity.ALLOCATED, 40, FigureVerdictsTest::leak)));
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(result.reason()).startsWith("allocated memory grows").contains("Of the snapshot: ");
    }

    @Test
    void oneDevice_canBeChosen() {
        Measurement both = file(
                "job.log",
                series(
                        new Subject(Source.LOG, Quantity.ALLOCATED, Axis.STEP, 0, -1, ""),
                        0,
                        50,
                        FigureVerdictsTest::level),
                series(
                        new Subject(Source.LOG, Quantity.ALLOCATED, Axis.STEP, 1, -1, ""),
                        0,
                        50,
                        FigureVerdictsTest::leak));
        Analysis.Options first =
                new Analysis.Options(OptionalInt.of(0), Window.ALL, 0, Analysis.Options.ALL.functions());
        assertThat(analyse(both).verdict()).isEqualTo(Verdict.LEAK);
        assertThat(Analysis.run(List.of(both), first).verdict()).isEqualTo(Verdict.NO_LEAK);
    }

    private static MemorySeries time(Source source, Quantity quantity, long process, IntToLongFunction value) {
        return series(new Subject(source, quantity, Axis.TIME, 0, process, ""), 0, 600, value);
    }

    /** Forty steps that keep so many megabytes each, beside what they give back. */
    private static Snapshot recording(long kept) throws IOException {
        SnapshotBuilder recording = snapshot().repeat(40, (s, i) -> {
            s.alloc("gone" + i, 5 * MB, "train.py:4 main", "main.py:3 main");
            if (kept > 0) {
                s.alloc("kept" + i, kept * MB, "train.py:7 main", "main.py:3 main");
            }
            s.free("gone" + i, "train.py:4 main", "main.py:3 main").step();
        });
        return open(recording);
    }

    private static Snapshot open(SnapshotBuilder recording) throws IOException {
        byte[] bytes = recording.write(Dialect.PROTOCOL_4);
        return Snapshot.open(InputSource.of("job.pickle", new ByteArrayInputStream(bytes)));
    }
}
