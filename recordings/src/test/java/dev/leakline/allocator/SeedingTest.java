package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.allocator.AllocatorStats.Quantity;
import dev.leakline.allocator.AllocatorStats.Share;
import dev.leakline.columns.BlockState;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeedingTest {
    private static final long AT = TraceLog.BASE;

    private final TraceLog log = new TraceLog();

    @Test
    void anAdoptedStateIsGoneOnWith() {
        CachingAllocator allocator = log.allocator("", 400 * MIB);
        Seeding seeding = allocator.seed();
        assertThat(seeding.segments(List.of(segment(30 * MIB, 2 * MIB, false), segment(0, 20 * MIB, true))))
                .isZero();
        int live = seeding.block(AT + 3 * MIB, 5 * MIB, 5 * MIB - 100, BlockState.ALLOCATED);
        int pending = seeding.block(AT + 30 * MIB, 1024, 700, BlockState.PENDING_FREE);
        assertThat(seeding.block(AT + 31 * MIB, 512, 0, BlockState.INACTIVE)).isNegative();
        assertThat(Layout.of(allocator))
                .containsExactly(
                        "20971520 large: 3145728 inactive, 5242880 allocated, 12582912 inactive",
                        "2097152 small: 1024 pending_free, 2096128 inactive");
        assertThat(log.take()).isEmpty();
        allocator.complete(pending);
        allocator.malloc(3 * MIB, 0, 0);
        allocator.free(live);
        allocator.malloc(60 * MIB, 0, 0);
        assertThat(log.take())
                .containsExactly(
                        "free_completed 31457280 700",
                        "alloc 0 3145728",
                        "free_requested 3145728 5242780",
                        "free_completed 3145728 5242780",
                        "segment_alloc 33554432 62914560",
                        "alloc 33554432 62914560");
    }

    @Test
    void itsFiguresCountAndItsMemoryIsTakenFromTheDevice() {
        CachingAllocator allocator = log.allocator("", 40 * MIB);
        Seeding seeding = allocator.seed();
        seeding.segments(List.of(segment(0, 20 * MIB, true)));
        seeding.block(AT, 5 * MIB, 5 * MIB - 100, BlockState.ALLOCATED);
        AllocatorStats stats = allocator.stats();
        assertThat(stats.reservedBytes()).isEqualTo(20 * MIB);
        assertThat(stats.allocatedBytes()).isEqualTo(5 * MIB);
        assertThat(stats.current(Quantity.REQUESTED_BYTES, Share.LARGE_POOL)).isEqualTo(5 * MIB - 100);
        assertThat(stats.current(Quantity.INACTIVE_SPLIT_BYTES, Share.ALL)).isEqualTo(15 * MIB);
        assertThat(allocator.malloc(21 * MIB, 0, 0)).isEqualTo(CachingAllocator.OUT_OF_MEMORY);
        assertThat(log.take()).containsExactly("oom " + 20 * MIB + " 22020096");
    }

    @Test
    void runsOfPagesOfOneStreamBecomeOneRange() {
        CachingAllocator allocator = log.allocator("expandable_segments:True", 400 * MIB);
        Seeding seeding = allocator.seed();
        seeding.segments(List.of(run(60 * MIB, 20 * MIB), run(0, 20 * MIB)));
        seeding.block(AT, 20 * MIB, 20 * MIB, BlockState.ALLOCATED);
        seeding.block(AT + 60 * MIB, 20 * MIB, 20 * MIB, BlockState.ALLOCATED);
        allocator.malloc(30 * MIB, 0, 0);
        assertThat(log.take()).containsExactly("segment_map 20971520 41943040", "alloc 20971520 31457280");
        assertThat(Layout.of(allocator)).hasSize(1);
        assertThat(allocator.stats().reservedBytes()).isEqualTo(80 * MIB);
    }

    @Test
    void aRangeEndsBeforeTheNextSegmentOfSomebodyElse() {
        CachingAllocator allocator = log.allocator("expandable_segments:True", 400 * MIB);
        Seeding seeding = allocator.seed();
        seeding.segments(List.of(run(0, 20 * MIB), segment(50 * MIB, 2 * MIB, false)));
        seeding.block(AT, 20 * MIB, 20 * MIB, BlockState.ALLOCATED);
        allocator.malloc(20 * MIB, 0, 0);
        assertThat(log.take()).first().isEqualTo("segment_map 20971520 20971520");
        allocator.malloc(20 * MIB, 0, 0);
        assertThat(log.take()).first().isEqualTo("segment_map " + 52 * MIB + " 20971520");
    }

    @Test
    void segmentsThatOverlapAreLeftOutAndCounted() {
        CachingAllocator allocator = log.allocator("", 400 * MIB);
        assertThat(allocator
                        .seed()
                        .segments(List.of(
                                segment(0, 20 * MIB, true),
                                segment(10 * MIB, 20 * MIB, true),
                                segment(40 * MIB, 0, true),
                                new SegmentPlace(-MIB, 2 * MIB, 0, 0, true, false))))
                .isEqualTo(3);
        assertThat(Layout.of(allocator)).containsExactly("20971520 large: 20971520 inactive");
        assertThat(allocator.seed().block(AT + 19 * MIB, 2 * MIB, 2 * MIB, BlockState.ALLOCATED))
                .isNegative();
    }

    private static SegmentPlace segment(long offset, long size, boolean isLarge) {
        return new SegmentPlace(AT + offset, size, 0, 0, isLarge, false);
    }

    private static SegmentPlace run(long offset, long size) {
        return new SegmentPlace(AT + offset, size, 0, 0, true, true);
    }
}
