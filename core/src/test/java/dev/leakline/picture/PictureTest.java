package dev.leakline.picture;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Columns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.primitive.Ints;
import dev.leakline.primitive.Longs;
import dev.leakline.result.Frame;
import dev.leakline.result.Picture;
import dev.leakline.result.Picture.Level;
import dev.leakline.result.Picture.Owner;
import dev.leakline.result.Picture.Range;
import dev.leakline.result.Site;
import dev.leakline.result.StepSummary;
import dev.leakline.testkit.snapshot.Layout;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import dev.leakline.testkit.snapshot.event.Stage;
import dev.leakline.verdict.DeviceAnalysis;
import dev.leakline.verdict.DeviceAnalysis.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What a picture shows is what was recorded, however much it is thinned. */
class PictureTest {
    private static final long MB = 1 << 20;
    private static final PictureLimits SMALL = new PictureLimits(64, 4, 40, 3);
    private static final PictureLimits ROOMY = PictureLimits.share(1);

    // ---- how memory went

    @TestFactory
    Stream<DynamicTest> levelsAddUpAndAgree() {
        return Stream.of(1, 2, 3)
                .flatMap(seed -> Stream.of(SMALL, new PictureLimits(600, 40, 5, 5), ROOMY)
                        .map(limits -> DynamicTest.dynamicTest(
                                "seed " + seed + ", " + limits,
                                () -> assertSound(outcome(churn(seed, 5000), limits)))));
    }

    @Test
    void anEventIsABucketWhereThereAreFew() {
        Picture picture = picture(
                snapshot()
                        .preexisting("weights", 5 * MB)
                        .alloc("a", 30 * MB, "train.py:41 train")
                        .alloc("b", 22 * MB, "train.py:52 train")
                        .free("a"),
                ROOMY);
        Level finest = picture.levels().getLast();
        assertThat(picture.levels()).hasSize(1);
        assertThat(finest.firstEvents().size()).isEqualTo(picture.events() + 1);
        assertThat(sum(finest.live(), finest.live().size() - 1)).isEqualTo((5 + 22) * MB);
        assertThat(labels(picture)).containsExactly("41", "52", "before_recording", "other");
        assertThat(column(finest.bySite().get(0))).contains(30 * MB).endsWith(0L);
        assertThat(column(finest.bySite().get(1))).startsWith(0L).endsWith(22 * MB);
        assertThat(column(finest.bySite().get(2))).containsOnly(5 * MB);
        assertThat(column(finest.bySite().get(3))).containsOnly(0L);
    }

    @Test
    void whatWasThereBeforeTheFirstEventCounts() {
        Picture picture = picture(
                snapshot().preexisting("weights", 50 * MB).free("weights").alloc("a", 3 * MB, "train.py:41 train"),
                ROOMY);
        assertThat(picture.levels().getLast().live().get(0)).isEqualTo(50 * MB);
        assertThat(picture.levels().getLast().least().get(0)).isEqualTo(50 * MB);
        assertThat(picture.allocations().born()).isEqualTo(Ints.of(-1, born(picture, 1)));
    }

    @Test
    void aRecordingWithoutEventsIsOneMoment() {
        Outcome outcome = outcome(snapshot().preexisting("weights", 5 * MB), ROOMY);
        Level level = picture(outcome).levels().getFirst();
        assertThat(level.firstEvents()).isEqualTo(Ints.of(0, 0));
        assertThat(level.live()).isEqualTo(Longs.of(5 * MB));
        assertThat(level.highest()).isEqualTo(Ints.of(-1));
        assertSound(outcome);
    }

    @Test
    void timesCountFromTheFirstEventAndAreLeftOutWhereThereAreNone() {
        SnapshotBuilder recording =
                snapshot().alloc("a", MB, "a.py:1 f").afterMicros(990).free("a");
        Picture picture = picture(recording, ROOMY);
        int rows = picture.clock().events().size();
        assertThat(picture.clock().events().get(0)).isZero();
        assertThat(picture.clock().events().get(rows - 1)).isEqualTo(picture.events() - 1);
        assertThat(picture.clock().micros().get(0)).isZero();
        assertThat(picture.clock().micros().get(rows - 1)).isGreaterThanOrEqualTo(990);
        Picture old = picture(recording.layout(Layout.V2_1), ROOMY);
        assertThat(old.clock().events().size()).isZero();
        assertThat(old.startMicros()).isZero();
    }

    // ---- whose memory it was

    @Test
    void sitesThatNeverHadMuchShareTheLastNumber() {
        SnapshotBuilder recording = snapshot();
        for (int line = 1; line <= 9; line++) {
            recording.alloc("a" + line, 20 * MB * line, "train.py:" + line + " train");
        }
        Picture picture = picture(recording, SMALL);
        assertThat(labels(picture)).containsExactly("9", "8", "7", "other");
        assertThat(column(picture.levels().getLast().bySite().getLast())).endsWith((1 + 2 + 3 + 4 + 5 + 6) * 20 * MB);
        assertThat(frames(picture, picture.sites().getFirst().stack())).containsExactly("train.py:9");
    }

    // ---- steps and ranges

    @Test
    void stepsAreWhereTheAnalysisFoundThem() {
        Outcome outcome = outcome(steps(40), ROOMY);
        Ints steps = picture(outcome).steps();
        assertThat(steps.size()).isEqualTo(outcome.device().steps().count() + 1);
        assertThat(ints(steps)).isSorted();
    }

    @Test
    void whereNothingRepeatsThereAreNoSteps() {
        SnapshotBuilder recording = snapshot();
        for (int i = 0; i < 2000; i++) {
            recording.alloc("a" + i, MB, "train.py:" + (i + 1) + " train");
        }
        Outcome outcome = outcome(recording, ROOMY);
        assertThat(outcome.device().steps().kind()).isEqualTo(StepSummary.Kind.TIME);
        assertThat(picture(outcome).steps().size()).isZero();
    }

    @Test
    void theLongestRangesAreKeptWithTheEventsInThem() {
        SnapshotBuilder recording = snapshot().annotation("epoch", Stage.START).alloc("a", MB, "a.py:1 f");
        for (int i = 0; i < 3000; i++) {
            recording
                    .annotation("step", Stage.START)
                    .alloc("b" + i, MB, "a.py:2 f")
                    .annotation("step", Stage.END)
                    .free("b" + i)
                    .annotation("nothing", Stage.START)
                    .annotation("nothing", Stage.END);
        }
        Picture picture = picture(recording.annotation("never began", Stage.END), ROOMY);
        List<Range> ranges = picture.annotations();
        assertThat(ranges).hasSize(2000);
        assertThat(ranges.getFirst()).isEqualTo(new Range("epoch", 0, picture.events() - 1));
        assertThat(ranges.stream().map(Range::name).distinct()).containsExactly("epoch", "step");
        assertThat(ranges).allMatch(range -> range.from() <= range.to());
    }

    // ---- by call

    @Test
    void callsGoThroughAllFramesFromTheOutermostIn() {
        String module = "/x/site-packages/torch/nn/modules/linear.py:125 forward";
        Picture picture = picture(
                snapshot()
                        .preexisting("weights", 5 * MB)
                        .alloc("a", 30 * MB, module, "model.py:8 forward", "main.py:5 main")
                        .alloc("b", 22 * MB, module, "model.py:9 forward", "main.py:5 main")
                        .alloc("c", 40 * MB, "main.py:6 main")
                        .free("c"),
                ROOMY);
        assertThat(paths(picture, live(picture, picture.events() - 2)))
                .containsExactly(
                        "/(allocated before the recording) 5",
                        "/main.py:5/model.py:8/linear.py:125 30",
                        "/main.py:5/model.py:9/linear.py:125 22",
                        "/main.py:6 40");
        assertThat(paths(picture, live(picture, picture.events() - 1))).doesNotContain("/main.py:6 40");
        assertThat(picture.calls().kinds()).isEqualTo(Ints.of(5, 0, 0, 0, 2, 0, 2, 5));
    }

    // ---- hostile files

    @Test
    void namesAndStacksAreCut() {
        String[] deep = IntStream.range(0, 3000)
                .mapToObj(i -> "deep.py:" + (i + 1) + " f")
                .toArray(String[]::new);
        Picture picture = picture(
                snapshot()
                        .alloc("a", 30 * MB, "train.py:1 " + "x".repeat(100_000))
                        .alloc("b", 22 * MB, deep),
                ROOMY);
        assertThat(picture.frames()).allMatch(frame -> frame.function().length() <= 1000);
        assertThat(picture.calls().frames().size()).isLessThan(600);
    }

    @Test
    void framesBeyondTheLimitShareOne() {
        SnapshotBuilder recording = snapshot();
        for (int i = 0; i < 120; i++) {
            int first = i * 300;
            recording.alloc(
                    "a" + i,
                    512,
                    IntStream.range(first, first + 300)
                            .mapToObj(line -> "many.py:" + (line + 1) + " f")
                            .toArray(String[]::new));
        }
        Picture picture = picture(recording, ROOMY);
        assertThat(picture.frames().size()).isBetween(32_000, (1 << 15) + 5);
        assertThat(picture.frames()).extracting(Frame::function).contains("(more frames than can be shown)");
    }

    @Test
    void manyDevicesShareThePage() {
        assertThat(PictureLimits.share(0)).isEqualTo(PictureLimits.share(2));
        assertThat(PictureLimits.share(8)).isEqualTo(new PictureLimits(2048, 10, 25_000, 2500));
        assertThat(PictureLimits.share(100_000)).isEqualTo(new PictureLimits(128, 8, 500, 50));
    }

    // ---- checks

    private static void assertSound(Outcome outcome) {
        Picture picture = picture(outcome);
        List<Level> levels = picture.levels();
        levels.forEach(level -> assertAddsUp(level, picture.events()));
        for (int i = 1; i < levels.size(); i++) {
            assertFolded(levels.get(i - 1), levels.get(i));
        }
        assertThat(Arrays.stream(column(levels.getLast().live())).max().orElseThrow())
                .isEqualTo(outcome.device().peak().bytes());
        assertThat(levels.getLast().bySite()).hasSameSizeAs(picture.sites());
    }

    private static void assertAddsUp(Level level, int events) {
        assertThat(level.firstEvents().get(0)).isZero();
        assertThat(level.firstEvents().get(level.live().size())).isEqualTo(events);
        for (int bucket = 0; bucket < level.live().size(); bucket++) {
            int row = bucket;
            long sum = level.bySite().stream().mapToLong(site -> site.get(row)).sum();
            assertThat(sum).isEqualTo(level.live().get(bucket));
            assertThat(level.least().get(bucket)).isLessThanOrEqualTo(sum);
            assertThat(level.highest().get(bucket))
                    .isBetween(
                            bucket == 0 ? -1 : level.firstEvents().get(bucket),
                            level.firstEvents().get(bucket + 1) - 1);
        }
    }

    private static void assertFolded(Level coarse, Level fine) {
        assertThat(coarse.live().size()).isEqualTo((fine.live().size() + 3) / 4);
        for (int bucket = 0; bucket < coarse.live().size(); bucket++) {
            int[] folded = IntStream.range(
                            bucket * 4, Math.min(bucket * 4 + 4, fine.live().size()))
                    .toArray();
            assertThat(coarse.firstEvents().get(bucket))
                    .isEqualTo(fine.firstEvents().get(folded[0]));
            assertThat(coarse.live().get(bucket))
                    .isEqualTo(Arrays.stream(folded)
                            .mapToLong(fine.live()::get)
                            .max()
                            .orElseThrow());
            assertThat(coarse.least().get(bucket))
                    .isEqualTo(Arrays.stream(folded)
                            .mapToLong(fine.least()::get)
                            .min()
                            .orElseThrow());
            assertThat(coarse.reserved().get(bucket))
                    .isEqualTo(Arrays.stream(folded)
                            .mapToLong(fine.reserved()::get)
                            .max()
                            .orElseThrow());
        }
    }

    // ---- recordings

    /** Steps that take a batch and keep a loss. */
    private static SnapshotBuilder steps(int count) {
        SnapshotBuilder recording = snapshot();
        for (int i = 0; i < count; i++) {
            recording.alloc("batch" + i, 40 * MB, "train.py:20 train", "main.py:5 main");
            recording.alloc("loss" + i, 3 * MB, "train.py:25 train", "main.py:5 main");
            recording.free("batch" + i, "train.py:30 train", "main.py:5 main").step();
        }
        return recording;
    }

    private static SnapshotBuilder churn(int seed, int events) {
        Random random = new Random(seed);
        SnapshotBuilder recording = snapshot().preexisting("weights", 5 * MB);
        List<String> live = new ArrayList<>(List.of("weights"));
        for (int i = 0; i < events; i++) {
            if (live.size() > 40 || (!live.isEmpty() && random.nextInt(5) < 2)) {
                recording.free(live.remove(random.nextInt(live.size())));
            } else {
                recording.alloc("a" + i, 1 + random.nextInt((int) MB), "train.py:" + random.nextInt(1, 60) + " train");
                live.add("a" + i);
            }
        }
        return recording;
    }

    private static Picture picture(SnapshotBuilder recording, PictureLimits limits) {
        return picture(outcome(recording, limits));
    }

    private static Picture picture(Outcome outcome) {
        return Objects.requireNonNull(outcome.picture());
    }

    private static Outcome outcome(SnapshotBuilder recording, PictureLimits limits) {
        SnapshotColumns columns = Columns.of(recording);
        return DeviceAnalysis.of(
                Evidence.of(0, columns, LifetimeBuilder.build(columns, 0), 0, Integer.MAX_VALUE, 0, null, _ -> false),
                limits,
                null);
    }

    // ---- readable forms

    private static int born(Picture picture, int row) {
        return picture.allocations().born().get(row);
    }

    private static long sum(Longs column, int row) {
        return column.get(row);
    }

    private static long[] column(Longs column) {
        return IntStream.range(0, column.size()).mapToLong(column::get).toArray();
    }

    private static int[] ints(Ints column) {
        return IntStream.range(0, column.size()).map(column::get).toArray();
    }

    /** Sites by their line, or by their kind where they have none. */
    private static List<String> labels(Picture picture) {
        return picture.sites().stream().map(PictureTest::label).toList();
    }

    private static String label(Owner owner) {
        Site site = owner.site();
        if (site == null) {
            return "other";
        }
        return site.isLine()
                ? String.valueOf(site.frame().line())
                : site.kind().name().toLowerCase(java.util.Locale.ROOT);
    }

    private static List<String> frames(Picture picture, Ints stack) {
        return Arrays.stream(ints(stack))
                .mapToObj(frame -> frame(picture, frame))
                .toList();
    }

    private static String frame(Picture picture, int number) {
        Frame frame = picture.frames().get(number);
        return frame.file().isEmpty() ? frame.function() : frame.fileName() + ":" + frame.line();
    }

    private static IntStream rows(Picture picture) {
        return IntStream.range(0, picture.allocations().born().size());
    }

    private static int[] live(Picture picture, int event) {
        return rows(picture)
                .filter(row -> picture.allocations().born().get(row) <= event)
                .filter(row -> event < picture.allocations().died().get(row))
                .toArray();
    }

    /** The way from the root to what made each of some allocations, and their bytes in MiB. */
    private static List<String> paths(Picture picture, int[] allocations) {
        return Arrays.stream(allocations)
                .mapToObj(row -> path(picture, picture.allocations().calls().get(row)) + " "
                        + picture.allocations().bytes().get(row) / MB)
                .toList();
    }

    private static String path(Picture picture, int call) {
        return call == 0
                ? ""
                : path(picture, picture.calls().parents().get(call)) + "/"
                        + frame(picture, picture.calls().frames().get(call));
    }
}
