package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.allocator.AllocatorStats.Quantity;
import dev.leakline.allocator.AllocatorStats.Share;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CachingAllocatorTest {
    private static final long DEVICE = 1000 * MIB;

    private final TraceLog log = new TraceLog();

    /** Sizes that the real allocator of torch 2.14.1 gave out of an empty cache. */
    @ParameterizedTest
    @CsvSource({
        "1, '2097152 small: 512 allocated, 2096640 inactive'",
        "511, '2097152 small: 512 allocated, 2096640 inactive'",
        "512, '2097152 small: 512 allocated, 2096640 inactive'",
        "513, '2097152 small: 1024 allocated, 2096128 inactive'",
        "1048575, '2097152 small: 1048576 allocated, 1048576 inactive'",
        "1048576, '2097152 small: 1048576 allocated, 1048576 inactive'",
        "1048577, '20971520 large: 1049088 allocated, 19922432 inactive'",
        "2097152, '20971520 large: 2097152 allocated, 18874368 inactive'",
        "10485248, '20971520 large: 10485248 allocated, 10486272 inactive'",
        "10485759, '10485760 large: 10485760 allocated'",
        "10485760, '10485760 large: 10485760 allocated'",
        "10485761, '12582912 large: 10486272 allocated, 2096640 inactive'",
        "22020099, '23068672 large: 23068672 allocated'",
        "104869945, '106954752 large: 104870400 allocated, 2084352 inactive'"
    })
    void aRequestGetsASegmentOfItsSizeClass(long requested, String layout) {
        CachingAllocator allocator = log.allocator("", DEVICE);
        allocator.malloc(requested, 0, 0);
        assertThat(Layout.of(allocator)).containsExactly(layout);
    }

    @Test
    void aSegmentComesFromTheDriverBeforeItsFirstBlock() {
        CachingAllocator allocator = log.allocator("", DEVICE);
        allocator.malloc(700, 0, 0);
        assertThat(log.take()).containsExactly("segment_alloc 0 2097152", "alloc 0 700");
        allocator.malloc(1537, 0, 0);
        assertThat(log.take()).containsExactly("alloc 1024 1537");
    }

    @Test
    void theSmallestBlockThatIsLargeEnoughIsTakenAndOfEqualOnesTheLowest() {
        CachingAllocator allocator = log.allocator("", DEVICE);
        int[] blocks = new int[6];
        long[] sizes = {3072, 512, 2048, 512, 2048, 512};
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = allocator.malloc(sizes[i], 0, 0);
        }
        allocator.free(blocks[4]);
        allocator.free(blocks[0]);
        allocator.free(blocks[2]);
        log.take();
        allocator.malloc(1600, 0, 0);
        assertThat(log.take()).containsExactly("alloc 3584 1600");
    }

    @Test
    void aFreedBlockJoinsItsFreeNeighbours() {
        CachingAllocator allocator = log.allocator("", DEVICE);
        int first = allocator.malloc(1024, 0, 0);
        int second = allocator.malloc(2048, 0, 0);
        int third = allocator.malloc(4096, 0, 0);
        allocator.free(first);
        allocator.free(third);
        assertThat(Layout.of(allocator))
                .containsExactly("2097152 small: 1024 inactive, 2048 allocated, 2094080 inactive");
        allocator.free(second);
        assertThat(Layout.of(allocator)).containsExactly("2097152 small: 2097152 inactive");
    }

    @Test
    void streamsAndPoolsShareNothing() {
        CachingAllocator allocator = log.allocator("", DEVICE);
        allocator.free(allocator.malloc(5 * MIB, 0, 0));
        allocator.malloc(5 * MIB, 77, 0);
        allocator.malloc(5 * MIB, 0, 3);
        assertThat(log.take())
                .filteredOn(line -> line.startsWith("segment_alloc"))
                .containsExactly(
                        "segment_alloc 0 20971520",
                        "segment_alloc 20971520 20971520",
                        "segment_alloc 41943040 20971520");
    }

    @Test
    void aLargeBlockIsCutOnlyWhereMoreThanAMebibyteIsLeft() {
        CachingAllocator allocator = log.allocator("", DEVICE);
        int exact = allocator.malloc(31 * MIB, 0, 0);
        assertThat(allocator.size(exact)).isEqualTo(32 * MIB);
        int cut = allocator.malloc(31 * MIB - 512, 0, 0);
        assertThat(allocator.size(cut)).isEqualTo(31 * MIB - 512);
    }

    @Test
    void oversizeBlocksAreNeitherCutNorGivenToSmallerRequests() {
        CachingAllocator allocator = log.allocator("max_split_size_mb:40", DEVICE);
        int oversize = allocator.malloc(48 * MIB, 0, 0);
        allocator.free(oversize);
        log.take();
        allocator.malloc(39 * MIB, 0, 0);
        assertThat(log.take()).as("39 MiB of 48").first().isEqualTo("segment_alloc 50331648 41943040");
        int again = allocator.malloc(41 * MIB, 0, 0);
        assertThat(log.take()).as("41 MiB of 48").containsExactly("alloc 0 42991616");
        assertThat(allocator.size(again)).isEqualTo(48 * MIB);
    }

    @Test
    void anOversizeBlockMayExceedItsRequestByTheRoundingOnly() {
        CachingAllocator usual = log.allocator("max_split_size_mb:40", DEVICE);
        usual.free(usual.malloc(62 * MIB, 0, 0));
        assertThat(usual.address(usual.malloc(42 * MIB, 0, 0))).isEqualTo(TraceLog.BASE + 62 * MIB);
        CachingAllocator wide = log.allocator("max_split_size_mb:40,max_non_split_rounding_mb:21", DEVICE);
        wide.free(wide.malloc(62 * MIB, 0, 0));
        assertThat(wide.address(wide.malloc(42 * MIB, 0, 0))).isEqualTo(TraceLog.BASE);
    }

    @Test
    void beforeARequestFailsAllCachedSegmentsGoBackLargeOnesFirst() {
        CachingAllocator allocator = log.allocator("", 100 * MIB);
        int kept = allocator.malloc(30 * MIB, 0, 0);
        int small = allocator.malloc(3000, 0, 0);
        int large = allocator.malloc(40 * MIB, 0, 0);
        allocator.free(small);
        allocator.free(large);
        log.take();
        assertThat(allocator.malloc(80 * MIB, 0, 0)).isEqualTo(CachingAllocator.OUT_OF_MEMORY);
        assertThat(log.take())
                .containsExactly(
                        "segment_free 33554432 41943040", "segment_free 31457280 2097152", "oom 73400320 83886080");
        assertThat(allocator.stats().retries()).isEqualTo(1);
        assertThat(allocator.stats().failures()).isEqualTo(1);
        assertThat(allocator.malloc(70 * MIB, 0, 0)).isNotEqualTo(CachingAllocator.OUT_OF_MEMORY);
        assertThat(allocator.size(kept)).isEqualTo(30 * MIB);
    }

    @Test
    void withAMaximumSplitSizeJustEnoughOversizeBlocksGoBackBeforeEverythingDoes() {
        CachingAllocator allocator = log.allocator("max_split_size_mb:32", 200 * MIB);
        int[] blocks = {
            allocator.malloc(40 * MIB, 0, 0), allocator.malloc(50 * MIB, 0, 0), allocator.malloc(60 * MIB, 0, 0)
        };
        int small = allocator.malloc(20 * MIB, 0, 0);
        for (int block : blocks) {
            allocator.free(block);
        }
        allocator.free(small);
        log.take();
        allocator.malloc(100 * MIB, 0, 0);
        assertThat(log.take())
                .containsExactly(
                        "segment_free 94371840 62914560",
                        "segment_free 41943040 52428800",
                        "segment_alloc 178257920 104857600",
                        "alloc 178257920 104857600");
        assertThat(allocator.stats().retries()).isZero();
    }

    @Test
    void theMemoryFractionLimitsWhatIsHeldNotWhatTheDeviceHas() {
        CachingAllocator allocator = log.allocator("per_process_memory_fraction:0.5", 101 * MIB);
        assertThat(allocator.limit()).isEqualTo((long) (0.5 * 101 * MIB));
        allocator.malloc(30 * MIB, 0, 0);
        log.take();
        assertThat(allocator.malloc(15 * MIB, 0, 0)).isNotNegative();
        assertThat(allocator.malloc(5 * MIB, 0, 0)).isEqualTo(CachingAllocator.OUT_OF_MEMORY);
        assertThat(log.take()).last().isEqualTo("oom " + (101 - 30 - 16) * MIB + " 5242880");
    }

    @Test
    void requestsThatNoDeviceCouldServeFailWithoutAnEvent() {
        CachingAllocator allocator = log.allocator("", DEVICE);
        assertThat(allocator.malloc(1L << 60, 0, 0)).isEqualTo(CachingAllocator.OUT_OF_MEMORY);
        assertThat(allocator.malloc(-1, 0, 0)).isEqualTo(CachingAllocator.OUT_OF_MEMORY);
        assertThat(log.take()).isEmpty();
    }

    @Test
    void blocksThatAreNotHeldCannotBeFreed() {
        CachingAllocator allocator = log.allocator("", DEVICE);
        int block = allocator.malloc(700, 0, 0);
        allocator.free(block);
        assertThatThrownBy(() -> allocator.free(block)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> allocator.free(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> allocator.free(9000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> allocator.recordStream(block, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> allocator.complete(block)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void emptyingTheCacheLeavesPrivatePoolsAloneUntilNobodyUsesThem() {
        CachingAllocator allocator = log.allocator("", DEVICE);
        allocator.free(allocator.malloc(12 * MIB, 0, 4));
        allocator.free(allocator.malloc(700, 0, 4));
        log.take();
        allocator.emptyCache();
        assertThat(log.take()).isEmpty();
        allocator.setReleasable(4);
        allocator.emptyCache();
        assertThat(log.take()).containsExactly("segment_free 12582912 2097152", "segment_free 0 12582912");
    }

    @Test
    void allocatedBytesFallWhenAFreeIsRequestedActiveOnesWhenItHasCompleted() {
        CachingAllocator allocator = log.allocator("", DEVICE);
        int block = allocator.malloc(3000, 0, 0);
        allocator.freePending(block);
        AllocatorStats stats = allocator.stats();
        assertThat(stats.allocatedBytes()).isZero();
        assertThat(stats.current(Quantity.ACTIVE_BYTES, Share.SMALL_POOL)).isEqualTo(3072);
        assertThat(stats.current(Quantity.REQUESTED_BYTES, Share.ALL)).isEqualTo(3000);
        allocator.complete(block);
        assertThat(stats.current(Quantity.ACTIVE_BYTES, Share.ALL)).isZero();
        assertThat(stats.peak(Quantity.ACTIVE_BYTES, Share.ALL)).isEqualTo(3072);
        assertThat(stats.current(Quantity.ACTIVE_BYTES, Share.LARGE_POOL)).isZero();
    }
}
