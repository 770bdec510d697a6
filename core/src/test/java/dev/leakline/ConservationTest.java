package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.SnapshotColumns.Trace;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Recordings of the real allocator: no event is lost or doubled, and what lives at the end is what the segments say. */
class ConservationTest {
    @TestFactory
    Stream<DynamicTest> allocatorGolden() throws IOException {
        return tests(OutsideData.files("allocator-golden", ".pickle.gz"));
    }

    @TestFactory
    Stream<DynamicTest> leakbench() throws IOException {
        return tests(OutsideData.files("leakbench/recorded", ".pickle.gz"));
    }

    @TestFactory
    Stream<DynamicTest> ourOwn() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/snapshots"))) {
            return tests(files.sorted().toList());
        }
    }

    private static Stream<DynamicTest> tests(List<Path> files) {
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(Snapshot.open(file))));
    }

    private static void check(Snapshot snapshot) {
        SnapshotColumns columns = snapshot.columns();
        assertThat(snapshot.incomplete()).isNull();
        assertThat(columns.counters.counts()).isEmpty();
        assertThat(columns.traces.stream().mapToInt(Trace::count).sum()).isEqualTo(columns.events.size());
        assertThat(columns.blocks.size()).isPositive();
        for (int device : LifetimeBuilder.devices(columns)) {
            checkDevice(columns, LifetimeBuilder.build(columns, device));
        }
    }

    private static void checkDevice(SnapshotColumns columns, Lifetimes lifetimes) {
        MemoryCurve curve = new MemoryCurve(columns, lifetimes);
        while (curve.next()) {
            assertThat(curve.held()).isLessThanOrEqualTo(curve.reserved());
        }
        long active = 0;
        long total = 0;
        for (int segment = 0; segment < columns.segments.size(); segment++) {
            SegmentColumns.Row row = columns.segments.row(segment);
            active += row.device() == lifetimes.device() ? row.activeSize() : 0;
            total += row.device() == lifetimes.device() ? row.totalSize() : 0;
        }
        assertThat(curve.held()).isEqualTo(active);
        assertThat(curve.reserved()).isEqualTo(total);
        assertThat(lifetimes.lostFrees()).isZero();
        assertThat(lifetimes.liveWithoutBlock()).isZero();
    }
}
