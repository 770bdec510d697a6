package dev.leakline;

import static dev.leakline.Reports.json;
import static dev.leakline.Reports.page;
import static dev.leakline.Reports.read;
import static dev.leakline.functions.Job.MB;
import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.columns.Measurements;
import dev.leakline.columns.ProfiledCall;
import dev.leakline.functions.FunctionAnalysis;
import dev.leakline.functions.Job;
import dev.leakline.functions.gpumemprof.ParityCases;
import dev.leakline.functions.gpumemprof.RuleChoice;
import dev.leakline.report.TextReport;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.FunctionReport.RuleSet;
import dev.leakline.result.Site;
import dev.leakline.source.Content;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From the calls of profiled functions to what is said of them, and back from what was written. */
class FunctionReportTest {
    private static final int STEPS = 40;
    private static final Style STYLE = new Style(100, false, true);
    private static final TextReport.Options OPTIONS = new TextReport.Options(15, true, true);

    @Test
    void aFunctionThatKeepsMemoryIsALeak() {
        AnalysisResult result = analyse(leaking("log_loss"));
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(result.reason())
                .isEqualTo("memory grows by 4.00 MiB per round of calls: 'log_loss' keeps memory from call to call");
        Finding leak = result.findings().getFirst();
        assertThat(leak.site().kind()).isEqualTo(Site.Kind.FUNCTION);
        assertThat(leak.site().isLine()).isFalse();
        assertThat(leak.site().frame().function()).isEqualTo("log_loss");
        assertThat(leak.bytesPerStep()).isEqualTo(4.0 * MB);
        assertThat(leak.confidence()).isBetween(0.9, 1.0);
        assertThat(leak.advice())
                .extracting(Finding.Advice::expectedBytes)
                .containsExactly(0L, leak.bytes(), leak.bytes());
        assertThat(result.acquittals()).extracting(Acquittal::reason).containsOnly(Acquittal.Reason.PERIODIC);
    }

    @Test
    void theTextSaysWhatTheFunctionsDo() {
        assertThat(text(analyse(leaking("log_loss"))))
                .containsSubsequence(
                        "leak   memory grows by 4.00 MiB per round of calls",
                        "critical  'log_loss' keeps memory from call to call",
                        "in the function \"log_loss\"",
                        "grows    4.00 MiB per step",
                        "because",
                        "what to do",
                        "functions",
                        "120 calls of 3 functions in",
                        "score   75 of 100, grade C",
                        "warning   'log_loss' keeps 4.00 MiB per round",
                        "function",
                        "mean time",
                        "forward",
                        "log_loss")
                .doesNotContain("snapshot has neither");
    }

    @Test
    void growthBetweenCallsHasASiteOfItsOwn() {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            job.call("step", 0, 100 * MB).between(2 * MB);
        }
        AnalysisResult result = analyse(job.calls());
        assertThat(result.findings().getFirst().site().kind()).isEqualTo(Site.Kind.BETWEEN_CALLS);
        assertThat(text(result)).contains("between calls, after those of \"step\"");
    }

    @Test
    void aHealthyLoopIsAcquittedWithAReason() {
        AnalysisResult result = analyse(training(STEPS).calls());
        assertThat(result.verdict()).isEqualTo(Verdict.NO_LEAK);
        assertThat(result.findings()).isEmpty();
        assertThat(text(result)).contains("no_leak   nothing grows from round to round", "grade A", "'backward'");
    }

    @Test
    void tooFewCallsSayNothingAndHowManyWould() {
        AnalysisResult result = analyse(new Job(100 * MB).call("step", 300 * MB).calls());
        assertThat(result.verdict()).isEqualTo(Verdict.UNDETERMINED);
        assertThat(text(result)).contains("profile at least 8 rounds", "grade none");
    }

    @Test
    void theMemoryOfTheDeviceTellsWhenItIsFull() {
        long device = 24_000 * MB;
        AnalysisResult result =
                analyse(leaking("log_loss"), options(OptionalInt.empty(), device, FunctionAnalysis.STANDARD));
        long peak = 1000 * MB + 4 * MB * STEPS;
        assertThat(result.findings().getFirst().stepsToOom()).isEqualTo((device - peak) / (4.0 * MB));
        assertThat(text(result)).contains("full in");
    }

    @Test
    void anotherDeviceThanTheOneAskedForIsNotLookedAt() {
        AnalysisResult result = analyse(leaking("log_loss"), options(OptionalInt.of(1), 0, FunctionAnalysis.STANDARD));
        assertThat(result.functions()).isNull();
    }

    @Test
    void theRulesOfGpumemprofCallForwardALeak() {
        FunctionAnalysis classic = RuleChoice.of(RuleSet.GPUMEMPROF, Map.of());
        AnalysisResult result = analyse(training(STEPS).calls(), options(OptionalInt.empty(), 0, classic));
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(result.findings().getFirst().site().frame().function()).isEqualTo("forward");
        assertThat(result.findings().getFirst().confidence()).isEqualTo(0.5);
        assertThat(text(result)).contains("judged by gpumemprof's rules");
    }

    @Test
    void thresholdsAreSetByTheirNames() {
        Job job = new Job(100 * MB);
        for (int call = 0; call < 9; call++) {
            job.call("step", call == 0 ? 300 * MB : 0);
        }
        FunctionAnalysis lenient = RuleChoice.of(RuleSet.GPUMEMPROF, Map.of("memory_leak_ratio", 0.7));
        FunctionAnalysis classic = RuleChoice.of(RuleSet.GPUMEMPROF, Map.of());
        assertThat(analyse(job.calls(), options(OptionalInt.empty(), 0, classic))
                        .verdict())
                .isEqualTo(Verdict.LEAK);
        assertThat(analyse(job.calls(), options(OptionalInt.empty(), 0, lenient))
                        .verdict())
                .isEqualTo(Verdict.NO_LEAK);
    }

    @Test
    void aThresholdThatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> RuleChoice.of(RuleSet.LEAKLINE, Map.of("memory_leek_ratio", 0.7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'memory_leek_ratio' is not a threshold")
                .hasMessageContaining("memory_leak_ratio, fragmentation_ratio");
        for (double value : new double[] {-0.1, 1.5, Double.NaN}) {
            assertThatThrownBy(() -> RuleChoice.of(RuleSet.LEAKLINE, Map.of("memory_leak_ratio", value)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected a number from 0 to 1");
        }
    }

    /** A profile beside a snapshot of the same job: whoever sees a leak is believed, and what both saw is reported. */
    @Test
    void aProfileStandsBesideASnapshot() throws IOException {
        SnapshotBuilder recording = snapshot().alloc("weights", 64 * MB, "train.py:3 main");
        Snapshot snapshot = Snapshot.open(
                InputSource.of("rank0.pickle", new ByteArrayInputStream(recording.write(Dialect.PROTOCOL_4))));
        AnalysisResult result = Analysis.run(List.of(snapshot, measurement(leaking("log_loss"))), Analysis.Options.ALL);
        assertThat(result.verdict()).isEqualTo(Verdict.LEAK);
        assertThat(result.devices()).hasSize(1);
        assertThat(result.findings().getFirst().input()).isEqualTo(1);
        assertThat(text(result)).contains("functions of results.json", "where    device 0 of results.json");
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 60, 79, 80, 140})
    void noNameMakesALineTooLongOrDrivesTheTerminal(int columns) {
        List<ProfiledCall> calls = leaking("\033[31m" + "long".repeat(100) + "\u202e\n");
        String text = TextReport.of(analyse(calls), OPTIONS, new Style(columns, false, true));
        assertThat(text.lines().filter(line -> line.length() > columns)).isEmpty();
        assertThat(text).doesNotContain("\033").doesNotContain("\u202e").contains("\\u001b");
    }

    @TestFactory
    Stream<DynamicTest> whatIsReadBackIsReportedByteForByte() {
        return Stream.of(
                        Map.entry("leak", leaking("it's \"x\" <b> épöque_学習")),
                        Map.entry("healthy", training(STEPS).calls()),
                        Map.entry("one call", new Job(100 * MB).call("", 1).calls()))
                .flatMap(job -> Stream.of(RuleSet.values())
                        .map(rules -> DynamicTest.dynamicTest(
                                job.getKey() + " by " + rules, () -> checkRoundTrip(job.getValue(), rules))));
    }

    @TestFactory
    Stream<DynamicTest> parityCasesAreReadBackByteForByte() throws IOException {
        return ParityCases.profiles().entrySet().stream()
                .map(one -> DynamicTest.dynamicTest(one.getKey(), () -> {
                    checkRoundTrip(one.getValue().calls(), RuleSet.GPUMEMPROF);
                    checkRoundTrip(one.getValue().calls(), RuleSet.LEAKLINE);
                }));
    }

    private static void checkRoundTrip(List<ProfiledCall> calls, RuleSet rules) throws IOException {
        AnalysisResult found = analyse(calls, options(OptionalInt.empty(), 0, RuleChoice.of(rules, Map.of())));
        AnalysisResult ofPage = read(page(found));
        assertThat(text(ofPage)).isEqualTo(text(found));
        assertThat(json(ofPage, true)).isEqualTo(json(found, true));
        assertThat(json(read(json(found, true)), true)).isEqualTo(json(found, true));
    }

    private static List<ProfiledCall> leaking(String function) {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < STEPS; step++) {
            train(job);
            job.call(function, 4 * MB);
        }
        return job.calls();
    }

    private static Job training(int steps) {
        Job job = new Job(1000 * MB);
        for (int step = 0; step < steps; step++) {
            train(job);
        }
        return job;
    }

    private static void train(Job job) {
        job.call("forward", 300 * MB, 20 * MB).call("backward", -300 * MB, 50 * MB);
    }

    private static Analysis.Options options(OptionalInt device, long bytes, FunctionAnalysis functions) {
        return new Analysis.Options(device, Window.ALL, bytes, functions);
    }

    private static AnalysisResult analyse(List<ProfiledCall> calls) {
        return analyse(calls, Analysis.Options.ALL);
    }

    private static AnalysisResult analyse(List<ProfiledCall> calls, Analysis.Options options) {
        return Analysis.run(List.of(measurement(calls)), options);
    }

    private static Measurement measurement(List<ProfiledCall> calls) {
        Measurements measurements = new Measurements(calls, List.of(), List.of());
        return new Measurement("/runs/results.json", new Content.Figures(measurements, "function profile", 1000, null));
    }

    private static String text(AnalysisResult result) {
        return TextReport.of(result, OPTIONS, STYLE);
    }
}
