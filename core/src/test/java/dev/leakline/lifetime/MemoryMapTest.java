package dev.leakline.lifetime;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Columns;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.MemoryMap.Segment;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryMapTest {
    private static final long MB = 1 << 20;

    @Test
    void segment_knowsWhatLivesInItAndItsHoles() {
        SnapshotBuilder recording = snapshot().alloc("room", 60 * MB).free("room");
        recording.alloc("a", 7 * MB).alloc("b", 11 * MB).alloc("c", 5 * MB).free("b");
        Segment segment = only(map(recording, last(recording)));
        assertThat(segment.size()).isEqualTo(60 * MB);
        assertThat(segment.count()).isEqualTo(2);
        assertThat(segment.free()).isEqualTo(48 * MB);
        assertThat(segment.holes()).isEqualTo(2);
        assertThat(segment.largestHole()).isEqualTo(37 * MB);
    }

    @Test
    void map_goesBackBeforeWhatTheDriverGaveAndGotLater() {
        SnapshotBuilder recording =
                snapshot().alloc("a", 34 * MB).free("a").emptyCache().alloc("b", 44 * MB);
        assertThat(sizes(map(recording, Lifetimes.BEFORE))).isEmpty();
        assertThat(sizes(map(recording, 1))).containsExactly(34 * MB);
        assertThat(only(map(recording, 1)).free()).isZero();
        assertThat(only(map(recording, 3)).free()).isEqualTo(34 * MB);
        assertThat(sizes(map(recording, 4))).isEmpty();
        assertThat(sizes(map(recording, last(recording)))).containsExactly(44 * MB);
    }

    @Test
    void allocations_fromBeforeTheRecordingLieWhereTheirBlocksOrFreesSay() {
        SnapshotBuilder recording = snapshot().preexisting("kept", 13 * MB).preexisting("freed", 17 * MB);
        recording.alloc("a", 700).free("freed");
        MemoryMap map = map(recording, 0);
        assertThat(map.segments()).extracting(Segment::count).containsOnly(0, 1).contains(1, 1);
        assertThat(map.segments().stream()
                        .filter(segment -> segment.count() == 1)
                        .mapToLong(Segment::size))
                .contains(13 * MB + MB, 17 * MB + MB);
    }

    @Test
    void rest_thatTheAllocatorDidNotCutOffIsNoHole() {
        SnapshotBuilder recording = snapshot()
                .alloc("room", 60 * MB)
                .free("room")
                .alloc("a", 59 * MB + 512)
                .free("a");
        MemoryMap map = map(recording, 4);
        assertThat(map.rests()).isEqualTo(MB - 512);
        assertThat(only(map).free()).isZero();
        assertThat(only(map).holes()).isZero();
    }

    @Test
    void segments_thatExpandAreNotInIt() {
        SnapshotBuilder recording = snapshot().expandableSegments().alloc("a", 34 * MB);
        assertThat(map(recording, last(recording)).segments()).isEmpty();
    }

    @Test
    void segments_ofOtherDevicesAreNotInIt() {
        SnapshotBuilder recording =
                snapshot().device(1).alloc("a", 34 * MB).device(0).alloc("b", 44 * MB);
        assertThat(sizes(map(recording, last(recording)))).containsExactly(44 * MB);
    }

    private static MemoryMap map(SnapshotBuilder recording, int event) {
        SnapshotColumns columns = Columns.of(recording);
        return MemoryMap.after(columns, LifetimeBuilder.build(columns, 0), event);
    }

    private static int last(SnapshotBuilder recording) {
        return LifetimeBuilder.build(Columns.of(recording), 0).events().count() - 1;
    }

    private static Segment only(MemoryMap map) {
        assertThat(map.segments()).hasSize(1);
        return map.segments().iterator().next();
    }

    private static List<Long> sizes(MemoryMap map) {
        return map.segments().stream().map(Segment::size).toList();
    }
}
