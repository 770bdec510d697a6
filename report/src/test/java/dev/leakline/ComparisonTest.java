package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.Input.Demand;
import dev.leakline.codec.Codec;
import dev.leakline.compare.Comparer;
import dev.leakline.gate.Gate;
import dev.leakline.gate.GateRules;
import dev.leakline.report.Given;
import dev.leakline.report.diff.DiffReport;
import dev.leakline.report.document.BriefReport;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison;
import dev.leakline.result.Comparison.Basis;
import dev.leakline.result.Comparison.Change;
import dev.leakline.result.Comparison.DeviceChange;
import dev.leakline.result.Comparison.FindingChange;
import dev.leakline.result.Comparison.Outcome;
import dev.leakline.result.Comparison.Side;
import dev.leakline.result.Comparison.SiteChange;
import dev.leakline.result.DiffDocument;
import dev.leakline.result.Finding.KeptAt;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.GateReport;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Owner;
import dev.leakline.result.HostMemory;
import dev.leakline.result.HostMemory.State;
import dev.leakline.result.HostMemory.Verdict;
import dev.leakline.result.JobProcess;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.Layout;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import dev.leakline.testkit.snapshot.event.Stage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is said of two recordings side by side. */
class ComparisonTest {
    private static final long MB = 1 << 20;
    private static final String SUFFIX = ".pickle.gz";
    private static final int STEPS = 60;

    @Test
    void aLeakThatGrowsFasterIsWorse() {
        Comparison worse = compare(leak(3 * MB, STEPS, 0), leak(5 * MB, STEPS, 0));
        FindingChange change = only(worse);
        assertThat(change.change()).isEqualTo(Change.WORSE);
        assertThat(change.basis()).isEqualTo(Basis.RATE);
        assertThat(change.ratio()).isCloseTo(5.0 / 3, within(0.01));
        assertThat(text(worse))
                .contains(
                        "worse: 3.00 MiB per step at train.py:25 (train), now 5.00 MiB per step; the peak rose by",
                        "most of it at train.py:25")
                .contains("3.00 MiB -> 5.00 MiB per step, 1.67 times as much");
    }

    @Test
    void aLeakThatGrowsMoreSlowlyIsBetter() {
        Comparison better = compare(leak(5 * MB, STEPS, 0), leak(3 * MB, STEPS, 0));
        assertThat(only(better).change()).isEqualTo(Change.BETTER);
        assertThat(text(better))
                .contains("reduced 1.7-fold: 5.00 MiB per step at train.py:25 (train), now 3.00 MiB per step; the peak"
                        + " fell by");
    }

    @Test
    void aLeakThatIsMendedIsGone() {
        Comparison gone = compare(leak(3 * MB, STEPS, 0), clean());
        assertThat(only(gone).change()).isEqualTo(Change.GONE);
        assertThat(only(gone).after()).isNull();
        assertThat(text(gone))
                .startsWith("fixed: 3.00 MiB per step at train.py:25 (train) is gone")
                .contains("before   leak: ", "after    no_leak: ");
        assertThat(only(compare(clean(), leak(3 * MB, STEPS, 0))).change()).isEqualTo(Change.NEW);
    }

    /** Half of a fix: of two lines that leak one is mended, whichever stands first. */
    @Test
    void allThatLeaksIsWeighedTogether() {
        Comparison half = compare(leaks(3 * MB, 2 * MB), leaks(0, 2 * MB));
        assertThat(half.outcome()).isEqualTo(Outcome.REDUCED);
        assertThat(half.summary())
                .startsWith(
                        "reduced 2.5-fold: 5.00 MiB per step in 2 leaks, now 2.00 MiB per step; 3.00 MiB per step at")
                .contains(" is gone");
        assertThat(compare(leaks(3 * MB, 2 * MB), leaks(3 * MB, 0)).summary()).startsWith("reduced 1.7-fold: ");
        assertThat(compare(leaks(3 * MB, 2 * MB), leaks(3 * MB, 4 * MB)).summary())
                .startsWith("worse: 5.00 MiB per step in 2 leaks, now 7.00 MiB per step");
        assertThat(compare(leaks(0, 2 * MB), leaks(3 * MB, 2 * MB)).outcome()).isEqualTo(Outcome.WORSE);
        assertThat(compare(leaks(3 * MB, 2 * MB), leaks(0, 0)).summary())
                .startsWith("fixed: 3.00 MiB per step at train.py:25 (train) and 1 more are gone");
        assertThat(compare(leaks(3 * MB, 0), leaks(0, 3 * MB)).outcome()).isEqualTo(Outcome.ANOTHER);
    }

    /** A copy at another line, which the same line of the source keeps: less of the same leak, also where no dump tells who holds it. */
    @Test
    void whatTheSameLineKeepsIsTheSameLeak() {
        assertThat(Comparer.compare(kept(leaks(3 * MB, 0), 13), kept(leaks(0, MB), 13))
                        .summary())
                .startsWith("reduced 3.0-fold: 3.00 MiB per step at train.py:25 (train), now 1.00 MiB per step");
        assertThat(Comparer.compare(kept(leaks(3 * MB, 0), 13), kept(leaks(0, MB), 14))
                        .outcome())
                .isEqualTo(Outcome.ANOTHER);
    }

    /** A collection that was renamed, or is of another kind now, and keeps what it kept. */
    @Test
    void whatIsHeldByAnotherNameIsTheSameLeak() {
        assertThat(Comparer.compare(held(leaks(3 * MB, 0), "rows"), held(leaks(3 * MB, 0), "table"))
                        .outcome())
                .isEqualTo(Outcome.SAME);
        assertThat(Comparer.compare(held(leaks(3 * MB, 0), "rows"), held(leaks(6 * MB, 0), "table"))
                        .outcome())
                .isEqualTo(Outcome.WORSE);
    }

    private static Side held(SnapshotBuilder recording, String name) {
        Side side = side("job.pickle", recording);
        Holders.Group group = new Holders.Group(
                name,
                name,
                Owner.NAME,
                Holders.Verdict.STUCK,
                1,
                1,
                1,
                1,
                1,
                List.of(),
                null,
                0,
                null,
                null,
                List.of(),
                null);
        List<FindingHolder> holders = List.of(FindingHolder.of(0, "", 1, 1, group, null));
        return new Side(
                side.name(),
                side.result()
                        .withFindings(side.result().findings().stream()
                                .map(finding -> finding.withHolders(holders, finding.advice()))
                                .toList()));
    }

    private static Side kept(SnapshotBuilder recording, int line) {
        Side side = side("job.pickle", recording);
        return new Side(
                side.name(),
                side.result()
                        .withFindings(side.result().findings().stream()
                                .map(finding -> finding.withKeptAt(new KeptAt("bank.py", line)))
                                .toList()));
    }

    private static SnapshotBuilder leaks(long one, long other) {
        return SnapshotBuilder.snapshot().repeat(STEPS, (s, i) -> {
            s.alloc("batch", 40 * MB, at("train.py", 20), "main.py:5 main");
            if (one > 0) {
                s.alloc("loss" + i, one, at("train.py", 25), "main.py:5 main");
            }
            if (other > 0) {
                s.alloc("row" + i, other, "table.py:7 add", "main.py:6 main");
            }
            s.free("batch", at("train.py", 30), "main.py:5 main").step();
        });
    }

    /** What was moved to the host and is kept there is no fix; what leaks on the host alone is weighed by itself. */
    @Test
    void whatLeaksOnTheHostIsWeighedBesideTheDevice() {
        assertThat(onHost(leak(3 * MB, STEPS, 0), clean(), Verdict.NO_LEAK, 0, Verdict.LEAK, 5 * MB)
                        .outcome())
                .isEqualTo(Outcome.ANOTHER);
        assertThat(onHost(leak(3 * MB, STEPS, 0), clean(), Verdict.LEAK, 5 * MB, Verdict.LEAK, 5 * MB)
                        .outcome())
                .isEqualTo(Outcome.FIXED);
        Comparison host = onHost(clean(), clean(), Verdict.LEAK, 6 * MB, Verdict.LEAK, 2 * MB);
        assertThat(host.summary())
                .startsWith("reduced 3.0-fold: the host's memory leaks 2.00 MiB per second, before 6.00");
        assertThat(onHost(clean(), clean(), Verdict.LEAK, 6 * MB, Verdict.NO_LEAK, 0)
                        .outcome())
                .isEqualTo(Outcome.FIXED);
        assertThat(onHost(clean(), clean(), Verdict.LEAK, 6 * MB, Verdict.UNDETERMINED, 0)
                        .outcome())
                .isEqualTo(Outcome.UNDETERMINED);
    }

    @Test
    void whatLeaksOnTheHostAloneIsInShortAnswersAndFailsAGate() {
        AnalysisResult leaking =
                withHost(side("after.pickle", clean()), Verdict.LEAK, 5 * MB).result();
        assertThat(BriefReport.of(leaking, Given.of("after.pickle"))).contains("\"host\":\"process 7: ");
        GateReport gate = Gate.judge(leaking, null, new GateRules(_ -> false, List.of(), List.of()), LocalDate.EPOCH);
        assertThat(gate.isPassed()).isFalse();
        assertThat(gate.checks().getFirst().id()).isEqualTo("host");
    }

    private static Comparison onHost(
            SnapshotBuilder before, SnapshotBuilder after, Verdict was, long bytes, Verdict is, long now) {
        return Comparer.compare(
                withHost(side("before.pickle", before), was, bytes), withHost(side("after.pickle", after), is, now));
    }

    private static Side withHost(Side side, Verdict verdict, long growth) {
        HostMemory host = new HostMemory(
                200 * MB,
                List.of(),
                0,
                9,
                20,
                verdict,
                null,
                (double) growth,
                State.LIVE,
                "",
                null,
                null,
                null,
                List.of(),
                List.of());
        return new Side(side.name(), side.result().withProcesses(List.of(new JobProcess(7, host))));
    }

    @Test
    void aLongerRecordingOfTheSameLeakIsNoWorse() {
        Comparison longer = compare(leak(3 * MB, STEPS, 0), leak(3 * MB, 2 * STEPS, 0));
        assertThat(only(longer).change()).isEqualTo(Change.SAME);
        assertThat(longer.caveats()).singleElement().asString().contains("differ in length");
        assertThat(text(longer)).contains("the peak rose by 180 MiB", "so compare bytes per step");
    }

    /** Code that was added above a function moves its lines; fingerprints hold no lines. */
    @Test
    void linesThatMovedAreTheSameLines() {
        Comparison moved = compare(leak(3 * MB, STEPS, 0), leak(3 * MB, STEPS, 4));
        assertThat(only(moved).change()).isEqualTo(Change.SAME);
        List<SiteChange> sites = moved.devices().getFirst().sites();
        assertThat(sites).hasSize(2).allMatch(SiteChange::hasMoved).allMatch(site -> site.change() == 0);
        assertThat(text(moved)).startsWith("same: ").contains("before it was at train.py:25 (train)");
    }

    @Test
    void aProjectInAnotherFolderIsTheSameProject() {
        Comparison elsewhere = compare(
                leak("/home/a/project/train.py", 3 * MB, STEPS, 0), leak("/app/project/train.py", 3 * MB, STEPS, 0));
        assertThat(elsewhere.isSame()).isTrue();
        assertThat(elsewhere.devices().getFirst().sites()).hasSize(2);
    }

    /** A line that was added in the middle of a function, and halves what the next one holds. */
    @Test
    void linesBelowOneThatWasAddedAreMatchedInTheirOrder() {
        Comparison added = compare(
                SnapshotBuilder.snapshot()
                        .alloc("a", 30 * MB, "train.py:20 train")
                        .alloc("b", 70 * MB, "train.py:41 train")
                        .alloc("c", 9 * MB, "train.py:42 train"),
                SnapshotBuilder.snapshot()
                        .alloc("a", 30 * MB, "train.py:20 train")
                        .alloc("b", 40 * MB, "train.py:42 train")
                        .alloc("c", 9 * MB, "train.py:43 train"));
        assertThat(added.devices().getFirst().sites())
                .extracting(site -> site.use().site().frame().line(), SiteChange::change)
                .containsExactly(tuple(42, -30 * MB), tuple(20, 0L), tuple(43, 0L));
    }

    @Test
    void whatChangedIsToldByUse() {
        assertThat(text(compare(training(40 * MB), training(24 * MB))))
                .containsPattern("by use: changes \\(an estimate\\)\\n +-\\S+ MiB .* activations\\n");
    }

    private static SnapshotBuilder training(long activation) {
        SnapshotBuilder recording = SnapshotBuilder.snapshot();
        recording.repeat(
                4,
                (s, step) -> s.alloc("a" + step, activation, StepFrames.LAYER)
                        .alloc("b" + step, activation, StepFrames.LAYER)
                        .alloc("g" + step, 6 * MB, StepFrames.ENGINE)
                        .free("b" + step, StepFrames.ENGINE)
                        .free("a" + step, StepFrames.ENGINE)
                        .free("g" + step, StepFrames.ZERO));
        return recording;
    }

    @Test
    void linesThatHoldOtherAmountsHaveNotMoved() {
        Comparison other = compare(
                SnapshotBuilder.snapshot().alloc("a", 30 * MB, "train.py:41 train"),
                SnapshotBuilder.snapshot().alloc("a", 77 * MB, "train.py:43 train"));
        assertThat(other.devices().getFirst().sites())
                .extracting(SiteChange::change)
                .containsExactly(78 * MB, -30 * MB);
    }

    @Test
    void stepsThatMeanOtherThingsAreNotWeighed() {
        SnapshotBuilder epochs = SnapshotBuilder.snapshot();
        epochs.repeat(
                STEPS,
                (s, i) -> s.annotation("epoch", Stage.START)
                        .alloc("batch", 40 * MB, "train.py:20 train", "main.py:5 main")
                        .alloc("loss" + i, 5 * MB, "train.py:25 train", "main.py:5 main")
                        .free("batch", "train.py:30 train", "main.py:5 main")
                        .annotation("epoch", Stage.END));
        Comparison comparison = compare(epochs, leak(3 * MB, STEPS, 0));
        assertThat(only(comparison).change()).isEqualTo(Change.UNCLEAR);
        assertThat(only(comparison).basis()).isEqualTo(Basis.STEPS_DIFFER);
        assertThat(text(comparison))
                .contains(
                        "is still there, and steps mean something else",
                        "5.00 MiB -> 3.00 MiB per step",
                        "their steps differ")
                .contains("one range 'epoch' before, one profiler step after");
    }

    @Test
    void theOnlyDevicesAreComparedWhateverTheirNumbers() {
        Comparison comparison = compare(
                SnapshotBuilder.snapshot().devices(2).device(0).alloc("a", 30 * MB, "train.py:41 train"),
                SnapshotBuilder.snapshot().devices(2).device(1).alloc("a", 30 * MB, "train.py:41 train"));
        assertThat(comparison.devices())
                .singleElement()
                .matches(device -> device.sites().getFirst().change() == 0);
        assertThat(comparison.caveats())
                .anyMatch(caveat -> caveat.contains("device 0 before is compared with device 1"));
    }

    @Test
    void aDeviceOnOneSideIsSaidToBe() {
        Comparison comparison = compare(
                SnapshotBuilder.snapshot().devices(2).device(0).alloc("a", 30 * MB, "train.py:41 train"),
                SnapshotBuilder.snapshot()
                        .devices(2)
                        .device(0)
                        .alloc("a", 30 * MB, "train.py:41 train")
                        .device(1)
                        .alloc("b", 7 * MB, "train.py:42 train"));
        assertThat(comparison.devices()).hasSize(2);
        assertThat(comparison.caveats()).contains("device 1: it is present only after");
        assertThat(text(comparison)).contains("device 0", "device 1", "+7.00 MiB");
    }

    @Test
    void aRecordingBesideOtherFilesIsComparedWithOneAlone() throws IOException {
        byte[] recording = SnapshotBuilder.snapshot()
                .devices(2)
                .device(0)
                .alloc("a", 30 * MB, "train.py:41 train")
                .device(1)
                .alloc("b", 7 * MB, "train.py:42 train")
                .write(Dialect.PROTOCOL_4);
        Input log = Input.open(
                InputSource.of("job.log", new ByteArrayInputStream("step 1\n".getBytes(StandardCharsets.UTF_8))),
                Demand.ANYTHING);
        Snapshot snapshot = Snapshot.open(InputSource.of("job.pickle", new ByteArrayInputStream(recording)));
        Comparison comparison = Comparer.compare(
                new Side("folder", Analysis.run(List.of(log, snapshot), Analysis.Options.ALL)),
                new Side("job.pickle", Analysis.run(List.of(snapshot), Analysis.Options.ALL)));
        assertThat(comparison.devices())
                .hasSize(2)
                .allMatch(device -> device.before() != null && device.after() != null);
        assertThat(comparison.caveats()).noneMatch(caveat -> caveat.contains("present only"));
    }

    @Test
    void whatMakesTheTwoHardToCompareIsSaid() {
        Comparison comparison = compare(
                leak(3 * MB, STEPS, 0).setting("max_split_size", -1L).layout(Layout.V2_1),
                leak(3 * MB, STEPS, 0).setting("max_split_size", 64L));
        assertThat(comparison.caveats())
                .anyMatch(caveat -> caveat.startsWith("torch is "))
                .contains("only after has timestamps");
        assertThat(text(comparison)).contains("max_split_size: ", " -> 64");
    }

    @Test
    void otherFilesAreProbablyAnotherJob() {
        Comparison comparison = compare(
                SnapshotBuilder.snapshot().alloc("a", 30 * MB, "train.py:41 train"),
                SnapshotBuilder.snapshot().alloc("a", 30 * MB, "serve.py:7 answer"));
        assertThat(comparison.caveats())
                .anyMatch(caveat -> caveat.contains("the two sides have no line of code in common"));
    }

    @TestFactory
    Stream<DynamicTest> aRecordingDoesNotDifferFromItself() throws IOException {
        return results().stream()
                .map(side -> dynamicTest(side.name(), () -> {
                    Comparison comparison = Comparer.compare(side, side);
                    assertThat(comparison.isSame()).isTrue();
                    assertThat(text(comparison)).startsWith("same: ").doesNotContain("what changed most");
                    assertThat(comparison.caveats()).noneMatch(caveat -> caveat.contains("differ"));
                }));
    }

    /** Each with the one after: rows add up, the other way round says the opposite, nothing is wider than the terminal. */
    @TestFactory
    Stream<DynamicTest> anyTwoRecordingsCompareSoundly() throws IOException {
        List<Side> sides = results();
        List<DynamicTest> tests = new ArrayList<>();
        for (int i = 1; i < sides.size(); i++) {
            Side before = sides.get(i - 1);
            Side after = sides.get(i);
            tests.add(dynamicTest(before.name() + " to " + after.name(), () -> check(before, after)));
        }
        return tests.stream();
    }

    private static void check(Side before, Side after) {
        Comparison there = Comparer.compare(before, after);
        Comparison back = Comparer.compare(after, before);
        there.devices().forEach(ComparisonTest::assertAddsUp);
        assertThat(count(there, Change.NEW)).isEqualTo(count(back, Change.GONE));
        assertThat(count(there, Change.WORSE)).isEqualTo(count(back, Change.BETTER));
        assertThat(count(there, Change.SAME)).isEqualTo(count(back, Change.SAME));
        for (int columns : new int[] {40, 60, 80}) {
            assertThat(DiffReport.of(there, 10, new Style(columns, false, true)).lines())
                    .allMatch(line -> line.length() <= columns || line.matches("\\s*\\S*/\\S*"));
        }
        JsonNode json = json(there);
        assertThat(json.get("schema").asString()).isEqualTo("leakline.diff/1");
        assertThat(json.get("findings").size()).isEqualTo(there.findings().size());
    }

    private static void assertAddsUp(DeviceChange device) {
        long changes = device.sites().stream().mapToLong(SiteChange::change).sum();
        assertThat(changes + device.unlistedAfter() - device.unlistedBefore())
                .isEqualTo(device.peakAfter() - device.peakBefore());
    }

    private static long count(Comparison comparison, Change change) {
        return comparison.findings().stream()
                .filter(finding -> finding.change() == change)
                .count();
    }

    @Test
    void theJsonHasWhatTheTextHas() {
        JsonNode json = json(compare(leak(3 * MB, STEPS, 0), leak(5 * MB, STEPS, 0)));
        assertThat(json.propertyNames())
                .containsExactly(
                        "schema",
                        "before",
                        "after",
                        "same",
                        "outcome",
                        "summary",
                        "findings",
                        "devices",
                        "settings",
                        "caveats");
        assertThat(json.get("same").asBoolean()).isFalse();
        JsonNode finding = json.get("findings").get(0);
        assertThat(finding.get("change").asString()).isEqualTo("worse");
        assertThat(finding.get("basis").asString()).isEqualTo("rate");
        assertThat(finding.get("before").get("bytes_per_step").asDouble()).isEqualTo(3.0 * MB);
        assertThat(finding.get("after").get("bytes_per_step").asDouble()).isEqualTo(5.0 * MB);
        JsonNode site = json.get("devices").get(0).get("by_site").get(0);
        assertThat(site.get("change_bytes").asLong()).isEqualTo(STEPS * 2 * MB);
        assertThat(site.get("line_before").asInt()).isEqualTo(25);
    }

    private static List<Side> results() throws IOException {
        try (Stream<Path> files = Files.list(Repository.root().resolve("testkit/scenarios/recorded"))) {
            List<Path> recordings =
                    new ArrayList<>(files.filter(file -> file.toString().endsWith(SUFFIX))
                            .sorted()
                            .toList());
            if (System.getenv("LEAKLINE_DATA") != null) {
                recordings.addAll(OutsideData.files("leakbench/recorded", SUFFIX));
            }
            assertThat(recordings).isNotEmpty();
            List<Side> sides = new ArrayList<>();
            for (Path file : recordings) {
                sides.add(new Side(file.getFileName().toString(), Analysed.path(file)));
            }
            return sides;
        }
    }

    private static FindingChange only(Comparison comparison) {
        assertThat(comparison.findings()).hasSize(1);
        return comparison.findings().getFirst();
    }

    private static Comparison compare(SnapshotBuilder before, SnapshotBuilder after) {
        return Comparer.compare(side("before.pickle", before), side("after.pickle", after));
    }

    private static Side side(String name, SnapshotBuilder recording) {
        AnalysisResult result = Analysed.recording(recording);
        return new Side(name, result);
    }

    private static String text(Comparison comparison) {
        return DiffReport.of(comparison, 10, new Style(140, false, true));
    }

    private static JsonNode json(Comparison comparison) {
        StringWriter json = new StringWriter();
        Codec.write(DiffDocument.of(comparison, Integer.MAX_VALUE), json);
        return new JsonMapper().readTree(json.toString());
    }

    private static SnapshotBuilder leak(long bytes, int steps, int lower) {
        return leak("train.py", bytes, steps, lower);
    }

    /** A loss that is kept, in a function whose lines stand lower by so many. */
    private static SnapshotBuilder leak(String file, long bytes, int steps, int lower) {
        return SnapshotBuilder.snapshot()
                .repeat(
                        steps,
                        (s, i) -> s.alloc("batch", 40 * MB, at(file, 20 + lower), "main.py:5 main")
                                .alloc("loss" + i, bytes, at(file, 25 + lower), "main.py:5 main")
                                .free("batch", at(file, 30 + lower), "main.py:5 main")
                                .step());
    }

    /** The same loop with a loss that is freed. */
    private static SnapshotBuilder clean() {
        return SnapshotBuilder.snapshot()
                .repeat(
                        STEPS,
                        (s, i) -> s.alloc("batch", 40 * MB, at("train.py", 20), "main.py:5 main")
                                .alloc("loss" + i, 3 * MB, at("train.py", 25), "main.py:5 main")
                                .free("batch", at("train.py", 30), "main.py:5 main")
                                .free("loss" + i, at("train.py", 31), "main.py:5 main")
                                .step());
    }

    private static String at(String file, int line) {
        return file + ":" + line + " train";
    }
}
