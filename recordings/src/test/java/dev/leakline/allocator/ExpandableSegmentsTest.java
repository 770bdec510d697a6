package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.allocator.AllocatorStats.Quantity;
import dev.leakline.allocator.AllocatorStats.Share;
import org.junit.jupiter.api.Test;

class ExpandableSegmentsTest {
    private final TraceLog log = new TraceLog();
    private final CachingAllocator allocator = log.allocator("expandable_segments:True", 400 * MIB);

    @Test
    void pagesAreMappedAsTheyAreNeeded() {
        allocator.malloc(5 * MIB, 0, 0);
        assertThat(log.take()).containsExactly("segment_map 0 20971520", "alloc 0 5242880");
        allocator.malloc(25 * MIB, 0, 0);
        assertThat(log.take()).containsExactly("segment_map 20971520 20971520", "alloc 5242880 26214400");
        assertThat(Layout.of(allocator))
                .containsExactly("41943040 large: 5242880 allocated, 26214400 allocated, 10485760 inactive");
    }

    @Test
    void smallRequestsHaveARangeOfTheirOwnWithSmallPages() {
        allocator.malloc(5 * MIB, 0, 0);
        allocator.malloc(700, 0, 0);
        long range = 460 * MIB; // 400 MiB and an eighth, rounded up to pages of 20 MiB
        assertThat(log.take()).contains("segment_map " + range + " 2097152", "alloc " + range + " 700");
    }

    @Test
    void emptyingTheCacheUnmapsWholePagesAndKeepsTheRest() {
        int first = allocator.malloc(5 * MIB, 0, 0);
        int second = allocator.malloc(50 * MIB, 0, 0);
        int third = allocator.malloc(5 * MIB, 0, 0);
        allocator.free(second);
        log.take();
        allocator.emptyCache();
        assertThat(log.take()).containsExactly("segment_unmap 20971520 20971520");
        assertThat(Layout.of(allocator))
                .containsExactly(
                        "20971520 large: 5242880 allocated, 15728640 inactive",
                        "20971520 large: 15728640 inactive, 5242880 allocated");
        allocator.malloc(40 * MIB, 0, 0);
        assertThat(log.take())
                .as("the hole is filled again")
                .containsExactly("segment_map 20971520 20971520", "alloc 5242880 41943040");
        allocator.free(first);
        allocator.free(third);
    }

    @Test
    void aRangeOfWhichNothingIsLeftIsReleased() {
        allocator.free(allocator.malloc(5 * MIB, 0, 0));
        log.take();
        allocator.emptyCache();
        assertThat(log.take()).containsExactly("segment_unmap 0 20971520");
        assertThat(allocator.stats().reservedBytes()).isZero();
        allocator.malloc(6 * MIB, 0, 0);
        assertThat(log.take()).as("a new range").first().isEqualTo("segment_map " + 460 * MIB + " 20971520");
    }

    @Test
    void whatWasMappedBeforeMemoryRanOutStaysMapped() {
        int first = allocator.malloc(190 * MIB, 0, 0);
        int second = allocator.malloc(150 * MIB, 0, 0);
        int third = allocator.malloc(10 * MIB, 0, 0);
        allocator.free(second);
        allocator.emptyCache();
        int fourth = allocator.malloc(110 * MIB, 0, 0);
        log.take();
        assertThat(allocator.malloc(120 * MIB, 0, 0)).isEqualTo(CachingAllocator.OUT_OF_MEMORY);
        assertThat(log.take()).last().asString().startsWith("oom ");
        assertThat(allocator.stats().retries()).isEqualTo(1);
        for (int block : new int[] {first, third, fourth}) {
            allocator.free(block);
        }
        allocator.emptyCache();
        assertThat(allocator.stats().reservedBytes()).isZero();
    }

    @Test
    void theyAreNoSegmentsOfTheStatisticsAndHaveNoSplitBlocks() {
        allocator.malloc(5 * MIB, 0, 0);
        AllocatorStats stats = allocator.stats();
        assertThat(stats.current(Quantity.SEGMENT, Share.ALL)).isZero();
        assertThat(stats.current(Quantity.INACTIVE_SPLIT, Share.ALL)).isZero();
        assertThat(stats.reservedBytes()).isEqualTo(20 * MIB);
        assertThat(stats.driverAllocations()).isEqualTo(1);
    }

    @Test
    void largeBlocksAreCutToTheLast512Bytes() {
        int block = allocator.malloc(20 * MIB - 512, 0, 0);
        assertThat(allocator.size(block)).isEqualTo(20 * MIB - 512);
    }

    /** The limit is tested against the size that would be requested of cudaMalloc, although fewer pages would do. */
    @Test
    void aLimitCountsWholeSegmentsEvenWhereAPageWouldDo() {
        CachingAllocator limited = log.allocator("expandable_segments:True,per_process_memory_fraction:0.1", 400 * MIB);
        limited.malloc(15 * MIB, 0, 0);
        limited.malloc(12 * MIB, 0, 0);
        assertThat(limited.stats().reservedBytes()).isEqualTo(40 * MIB);
        log.take();
        assertThat(limited.malloc(14 * MIB, 0, 0)).isEqualTo(CachingAllocator.OUT_OF_MEMORY);
        assertThat(log.take()).containsExactly("oom " + 360 * MIB + " 14680064");
    }

    @Test
    void aRequestThatIsLargerThanTheDeviceIsNotMet() {
        CachingAllocator empty = log.allocator("expandable_segments:True", 0);
        assertThat(empty.malloc(2 * MIB, 0, 0)).isEqualTo(CachingAllocator.OUT_OF_MEMORY);
        assertThat(allocator.malloc(4000 * MIB, 0, 0)).isEqualTo(CachingAllocator.OUT_OF_MEMORY);
    }
}
