package dev.leakline.picture;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Columns;
import dev.leakline.OutsideData;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.lifetime.MemoryMap;
import dev.leakline.result.DeviceResult.FailedRequest;
import dev.leakline.result.Finding;
import dev.leakline.result.Picture;
import dev.leakline.result.Picture.Allocations;
import dev.leakline.result.Picture.Owner;
import dev.leakline.result.Picture.Segment;
import dev.leakline.result.Picture.Stretch;
import dev.leakline.testkit.Thoroughness;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import dev.leakline.verdict.DeviceAnalysis;
import dev.leakline.verdict.DeviceAnalysis.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What a picture has of single moments is what following the recording by other means comes to. */
class PictureMomentsTest {
    private static final long MB = 1 << 20;
    private static final PictureLimits ROOMY = PictureLimits.share(1);
    /** Few blocks, so that moments are thinned. */
    private static final PictureLimits TIGHT = new PictureLimits(64, 4, 400, 100);

    // ---- against other calculations

    @TestFactory
    Stream<DynamicTest> everyMomentOfMadeUpRecordingsAddsUp() {
        return Stream.of(1, 2, 3, 4)
                .flatMap(seed -> Stream.of(ROOMY, TIGHT).map(limits -> {
                    SnapshotBuilder recording = seed % 2 == 0 ? churn(seed).expandableSegments() : churn(seed);
                    SnapshotColumns columns = Columns.of(run(recording, seed));
                    return DynamicTest.dynamicTest("seed " + seed + ", " + limits, () -> check(columns, limits));
                }));
    }

    @TestFactory
    Stream<DynamicTest> everyMomentOfTheRealAllocatorAddsUp() throws IOException {
        List<Path> files = new ArrayList<>(Thoroughness.of(OutsideData.files("allocator-golden", ".pickle.gz")));
        files.addAll(Thoroughness.of(OutsideData.files("leakbench/recorded", ".pickle.gz")));
        return files.stream()
                .flatMap(file -> Stream.of(ROOMY, new PictureLimits(64, 4, 6000, 2000))
                        .map(limits -> DynamicTest.dynamicTest(
                                file.getFileName() + ", " + limits, () -> check(Columns.of(file), limits))));
    }

    private static void check(SnapshotColumns columns, PictureLimits limits) {
        for (int device : LifetimeBuilder.devices(columns)) {
            Lifetimes lifetimes = Columns.refined(columns, device);
            Picture picture = picture(columns, device, limits);
            assertAddsUp(columns, lifetimes, picture, limits);
            for (int event : isFull(picture, limits) ? new int[0] : some(kept(picture))) {
                assertSegmentsAsMapped(columns, lifetimes, picture, event);
            }
        }
    }

    /** At each moment kept the blocks and the segments add up to what the curve says; to less where there are too many blocks. */
    private static void assertAddsUp(
            SnapshotColumns columns, Lifetimes lifetimes, Picture picture, PictureLimits limits) {
        boolean isEvery = picture.moments().events().size() == 0;
        boolean isFull = isFull(picture, limits);
        MemoryCurve curve = new MemoryCurve(columns, lifetimes);
        int[] kept = kept(picture);
        int stride = Math.max(kept.length / 200, 1);
        for (int moment = 0; moment < kept.length; moment += stride) {
            while (curve.event() < kept[moment] && curve.next()) {}
            int event = kept[moment];
            long live = live(picture, event);
            assertThat(live)
                    .as("live after %d", event)
                    .isBetween(isFull ? curve.held() / 10 : curve.held(), curve.held());
            assertThat(reserved(picture, event)).as("reserved after %d", event).isEqualTo(curve.reserved());
            if (!isEvery) {
                assertThat(picture.moments().live().get(moment)).isEqualTo(curve.held());
                assertThat(picture.moments().reserved().get(moment)).isEqualTo(curve.reserved());
            }
        }
    }

    /** Segments that do not expand, and what lives in each, are those that going back over the recording finds. */
    private static void assertSegmentsAsMapped(
            SnapshotColumns columns, Lifetimes lifetimes, Picture picture, int event) {
        List<String> mapped = MemoryMap.after(columns, lifetimes, event).segments().stream()
                .map(segment -> segment.size() + " with " + segment.count() + " on " + segment.stream())
                .toList();
        List<String> drawn = picture.segments().stream()
                .filter(segment -> isThere(segment, event) && !segment.isExpandable())
                .map(segment ->
                        segment.bytes() + " with " + tenants(picture, segment, event) + " on " + segment.stream())
                .toList();
        assertThat(drawn).as("segments after %d", event).isEqualTo(mapped);
    }

    /** Whether blocks had to be left out. */
    private static boolean isFull(Picture picture, PictureLimits limits) {
        return picture.allocations().born().size() >= limits.blocks();
    }

    private static int[] some(int[] kept) {
        return IntStream.range(0, Math.min(kept.length, 12))
                .map(i -> kept[(int) ((long) i * (kept.length - 1) / 11)])
                .toArray();
    }

    // ---- which moments

    @Test
    void everyEventOfAShortRecordingIsAMoment() {
        Picture picture = picture(Columns.of(run(snapshot(), 1)), 0, ROOMY);
        assertThat(picture.moments().events().size()).isZero();
    }

    @Test
    void theEndsThePeakAndFailuresAreAlwaysMoments() {
        SnapshotBuilder recording = run(snapshot(), 1).oom(900 * MB, 7 * MB, "train.py:9 train");
        recording.alloc("large", 500 * MB, "train.py:10 train").free("large");
        SnapshotColumns columns = Columns.of(run(recording, 2));
        Outcome outcome = outcome(columns, 0, TIGHT);
        List<Integer> named = new ArrayList<>(List.of(
                Lifetimes.BEFORE,
                outcome.device().events() - 1,
                outcome.device().peak().event()));
        outcome.device().outOfMemory().stream().map(FailedRequest::event).forEach(named::add);
        assertThat(named).hasSize(4);
        assertThat(kept(Objects.requireNonNull(outcome.picture())))
                .contains(named.stream().mapToInt(Integer::intValue).toArray())
                .isSorted()
                .hasSizeGreaterThan(8);
    }

    @Test
    void someMomentsAreEndsOfSteps() {
        SnapshotBuilder recording = snapshot();
        for (int i = 0; i < 300; i++) {
            for (int j = 0; j < 5; j++) {
                recording.alloc("a" + i + "/" + j, MB, "train.py:20 train").free("a" + i + "/" + j);
            }
            recording.alloc("kept" + i, 3 * MB, "train.py:25 train").step();
        }
        Picture picture = picture(Columns.of(recording), 0, TIGHT);
        int[] ends = IntStream.range(1, picture.steps().size())
                .map(step -> picture.steps().get(step) - 1)
                .toArray();
        assertThat(picture.moments().events().size()).isPositive();
        assertThat(IntStream.of(kept(picture))
                        .filter(event -> IntStream.of(ends).anyMatch(end -> end == event))
                        .count())
                .isGreaterThan(3);
    }

    @Test
    void aPeakOfMoreBlocksThanThereIsRoomForKeepsTheLargest() {
        SnapshotBuilder recording = snapshot();
        for (int i = 0; i < 900; i++) {
            recording.alloc("small" + i, 512, "train.py:20 train");
        }
        recording.alloc("large", 70 * MB, "train.py:25 train");
        Picture picture = picture(Columns.of(recording), 0, TIGHT);
        assertThat(picture.allocations().born().size()).isBetween(400, 410);
        assertThat(live(picture, picture.events() - 1)).isBetween(70 * MB, 70 * MB + 410 * 512);
        int last = picture.moments().live().size() - 1;
        assertThat(picture.moments().live().get(last)).isEqualTo(70 * MB + 900 * 512);
    }

    @Test
    void aroundThePeakEveryEventIsAMoment() {
        SnapshotBuilder recording = snapshot();
        for (int i = 0; i < 9000; i++) {
            recording
                    .alloc("a" + i, (i == 4000 ? 90 : 2) * MB, "train.py:20 train")
                    .free("a" + i);
        }
        Picture picture = picture(Columns.of(recording), 0, new PictureLimits(64, 4, 8000, 100));
        int peak = IntStream.range(0, picture.allocations().born().size())
                .filter(row -> picture.allocations().bytes().get(row) == 90 * MB)
                .map(picture.allocations().born()::get)
                .findFirst()
                .orElseThrow();
        assertThat(kept(picture))
                .contains(IntStream.range(peak - 1000, peak + 1000).toArray());
        assertThat(picture.omittedAllocations())
                .isPositive()
                .isEqualTo(9000 - picture.allocations().born().size());
    }

    @Test
    void withItsStretchesAPictureHasAllThatLivesAfterEveryEvent() {
        SnapshotColumns columns = Columns.of(longer());
        Picture picture = picture(columns, 0, new PictureLimits(64, 4, 8000, 100, true));
        List<Allocations> stretches = picture.stretches().stream()
                .sorted(Comparator.comparingInt(Stretch::from))
                .map(stretch -> stretch.allocations().get())
                .toList();
        assertThat(stretches).hasSizeGreaterThan(1).anyMatch(rows -> rows.born().size() > 100);
        MemoryCurve curve = new MemoryCurve(columns, LifetimeBuilder.build(columns, 0));
        while (curve.next()) {
            Allocations here = stretches.get(curve.event() >> 14);
            if (curve.event() % 16 == 0) {
                assertThat(live(picture.allocations(), curve.event()) + live(here, curve.event()))
                        .as("event %d", curve.event())
                        .isEqualTo(curve.held());
            }
        }
    }

    @Test
    void stretchesBeginWithThePeakAndStandEverCloser() {
        List<Stretch> stretches = picture(Columns.of(longer()), 0, new PictureLimits(64, 4, 8000, 100, true))
                .stretches();
        int events = picture(Columns.of(longer()), 0, ROOMY).events();
        assertThat(stretches).extracting(Stretch::from).doesNotHaveDuplicates();
        assertThat(stretches.stream().mapToInt(one -> one.to() - one.from()).sum())
                .isEqualTo(events);
        assertThat(stretches.getFirst().from()).isLessThanOrEqualTo(2 * 4000).isGreaterThan(2 * 4000 - (1 << 14));
    }

    @Test
    void aPictureThatHasEveryMomentHasNoStretches() {
        assertThat(picture(Columns.of(longer()), 0, ROOMY.detailed()).stretches())
                .isEmpty();
        assertThat(picture(Columns.of(longer()), 0, new PictureLimits(64, 4, 8000, 100))
                        .stretches())
                .isEmpty();
    }

    /** Nine thousand allocations one after the other, one of them large, each over the free of another. */
    private static SnapshotBuilder longer() {
        SnapshotBuilder recording = snapshot().alloc("kept", 30 * MB, "train.py:9 main");
        for (int i = 0; i < 9000; i++) {
            recording.alloc("a" + i, (i == 4000 ? 90 : 2 + i % 5) * MB, "train.py:20 train");
            if (i >= 3) {
                recording.free("a" + (i - 3));
            }
        }
        return recording;
    }

    private static long live(Allocations rows, int event) {
        return IntStream.range(0, rows.born().size())
                .filter(row ->
                        rows.born().get(row) <= event && event < rows.died().get(row))
                .mapToLong(rows.bytes()::get)
                .sum();
    }

    // ---- segments

    @Test
    void segmentsLiveFromTheDriverToTheDriver() {
        SnapshotBuilder recording =
                snapshot().alloc("a", 34 * MB).free("a").emptyCache().alloc("b", 44 * MB);
        Picture picture = picture(Columns.of(recording), 0, ROOMY);
        assertThat(picture.segments())
                .extracting(segment -> segment.bytes() / MB + " from " + segment.born() + " to " + segment.died())
                .containsExactlyInAnyOrder("34 from 0 to 4", "44 from 5 to " + Lifetimes.NEVER);
    }

    @Test
    void partsOfExpandableSegmentsComeAndGoByThemselves() {
        SnapshotBuilder recording = snapshot().expandableSegments();
        recording.alloc("a", 30 * MB).alloc("b", 50 * MB).free("b").emptyCache().alloc("c", 70 * MB);
        SnapshotColumns columns = Columns.of(recording);
        Picture picture = picture(columns, 0, ROOMY);
        assertThat(picture.segments()).isNotEmpty().allMatch(Segment::isExpandable);
        assertThat(picture.segments()).anyMatch(segment -> segment.died() != Lifetimes.NEVER);
        assertAddsUp(columns, Columns.refined(columns, 0), picture, ROOMY);
    }

    @Test
    void blocksWaitFromTheirReleaseUntilTheyAreFree() {
        SnapshotBuilder recording = snapshot()
                .alloc("a", 30 * MB)
                .alloc("waits", 22 * MB)
                .requestFree("waits")
                .alloc("b", 24 * MB)
                .complete("waits")
                .alloc("at the end", 26 * MB)
                .requestFree("at the end");
        Picture picture = picture(Columns.of(recording), 0, ROOMY);
        int[] waited = rows(picture, row -> picture.allocations().released().get(row) != Lifetimes.NEVER);
        assertThat(waited).hasSize(2);
        assertThat(picture.allocations().bytes().get(waited[0])).isEqualTo(22 * MB);
        assertThat(picture.allocations().released().get(waited[0])).isEqualTo(4);
        assertThat(picture.allocations().died().get(waited[0])).isEqualTo(7);
        assertThat(picture.allocations().bytes().get(waited[1])).isEqualTo(26 * MB);
        assertThat(picture.allocations().died().get(waited[1])).isEqualTo(Lifetimes.NEVER);
    }

    @Test
    void segmentsSayWhoseTheyAre() {
        SnapshotBuilder recording =
                snapshot().pool(7, 3).alloc("private", 30 * MB, "graph.py:3 capture").pool(0, 0).stream(9)
                        .alloc("a", 22 * MB, "train.py:41 train")
                        .alloc("b", 512, "train.py:42 train");
        Picture picture = picture(Columns.of(recording), 0, ROOMY);
        assertThat(picture.segments()).extracting(Segment::address).isSortedAccordingTo(Long::compareUnsigned);
        assertThat(picture.segments()).extracting(Segment::pool).containsOnly("7,3", null);
        assertThat(picture.segments()).extracting(Segment::stream).contains(9L);
        assertThat(picture.segments()).extracting(Segment::isLarge).contains(true, false);
    }

    @Test
    void theSmallestSegmentsAreLeftOutAndCounted() {
        SnapshotBuilder recording = snapshot();
        for (int i = 0; i < 8; i++) {
            recording.alloc("a" + i, (30 + 2 * i) * MB, "train.py:41 train");
        }
        Picture picture = picture(Columns.of(recording), 0, new PictureLimits(64, 4, 40, 3));
        assertThat(picture.omittedSegments()).isEqualTo(5);
        assertThat(picture.segments()).extracting(Segment::bytes).containsExactlyInAnyOrder(44 * MB, 42 * MB, 40 * MB);
    }

    // ---- whose blocks are

    @Test
    void ofALineThatServesTheLeakAndTheWorkOnlyWhatStaysIsTheLeaks() {
        SnapshotBuilder recording = snapshot();
        recording.repeat(
                60,
                (s, i) -> s.alloc("batch" + i, 40 * MB, "train.py:25 make", "main.py:5 main")
                        .alloc("loss" + i, 3 * MB, "train.py:25 make", "main.py:5 main")
                        .free("batch" + i, "main.py:6 main")
                        .step());
        Outcome outcome = outcome(Columns.of(recording), 0, ROOMY);
        Picture picture = Objects.requireNonNull(outcome.picture());
        assertThat(outcome.examinations()).anyMatch(one -> !one.culprits().isEmpty());
        int leaks = owner(picture, owner -> owner.part() != null && owner.part().kind() == Finding.Kind.LEAK);
        int rest = owner(picture, owner -> owner.part() == null && owner.site() != null);
        assertThat(sizes(picture, leaks)).hasSize(60).containsOnly(3 * MB);
        assertThat(sizes(picture, rest)).hasSize(60).containsOnly(40 * MB);
    }

    private static int owner(Picture picture, java.util.function.Predicate<Owner> matches) {
        return IntStream.range(0, picture.sites().size())
                .filter(site -> matches.test(picture.sites().get(site)))
                .findFirst()
                .orElseThrow();
    }

    private static List<Long> sizes(Picture picture, int site) {
        int[] rows = rows(picture, row -> picture.allocations().sites().get(row) == site);
        return IntStream.of(rows).mapToObj(picture.allocations().bytes()::get).toList();
    }

    // ---- readable forms

    private static int[] kept(Picture picture) {
        int count = picture.moments().events().size();
        return count == 0
                ? IntStream.range(-1, picture.events()).toArray()
                : IntStream.range(0, count).map(picture.moments().events()::get).toArray();
    }

    private static int[] rows(Picture picture, IntPredicate isWanted) {
        return IntStream.range(0, picture.allocations().born().size())
                .filter(isWanted)
                .toArray();
    }

    private static int[] liveRows(Picture picture, int event) {
        return rows(
                picture,
                row -> picture.allocations().born().get(row) <= event
                        && event < picture.allocations().died().get(row));
    }

    private static long live(Picture picture, int event) {
        return IntStream.of(liveRows(picture, event))
                .mapToLong(picture.allocations().bytes()::get)
                .sum();
    }

    private static boolean isThere(Segment segment, int event) {
        return segment.born() <= event && event < segment.died();
    }

    private static long reserved(Picture picture, int event) {
        return picture.segments().stream()
                .filter(segment -> isThere(segment, event))
                .mapToLong(Segment::bytes)
                .sum();
    }

    private static long tenants(Picture picture, Segment segment, int event) {
        return IntStream.of(liveRows(picture, event))
                .mapToLong(row -> picture.allocations().addresses().get(row) - segment.address())
                .filter(offset -> offset >= 0 && offset < segment.bytes())
                .count();
    }

    // ---- recordings

    private static SnapshotBuilder churn(int seed) {
        return snapshot().preexisting("weights", (5 + seed) * MB);
    }

    /** Allocates and frees at random, now and then gives memory back to the driver. */
    private static SnapshotBuilder run(SnapshotBuilder recording, int seed) {
        Random random = new Random(seed);
        List<String> live = new ArrayList<>();
        for (int i = 0; i < 1500; i++) {
            String key = "r" + seed + "/" + i;
            if (random.nextInt(200) == 0) {
                recording.emptyCache();
            } else if (live.size() > 40 || (!live.isEmpty() && random.nextInt(5) < 2)) {
                recording.free(live.remove(random.nextInt(live.size())));
            } else {
                recording.alloc(
                        key, 1L + random.nextInt((int) (8 * MB)), "train.py:" + random.nextInt(1, 60) + " train");
                live.add(key);
            }
        }
        return recording;
    }

    private static Picture picture(SnapshotColumns columns, int device, PictureLimits limits) {
        return Objects.requireNonNull(outcome(columns, device, limits).picture());
    }

    private static Outcome outcome(SnapshotColumns columns, int device, PictureLimits limits) {
        Lifetimes lifetimes = LifetimeBuilder.build(columns, device);
        return DeviceAnalysis.of(
                Evidence.of(0, columns, lifetimes, 0, Integer.MAX_VALUE, 0, null, _ -> false), limits, null);
    }
}
