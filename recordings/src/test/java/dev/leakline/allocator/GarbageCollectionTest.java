package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GarbageCollectionTest {
    private static final String SETTINGS = "garbage_collection_threshold:0.5,per_process_memory_fraction:0.9";

    private final TraceLog log = new TraceLog();

    @Test
    void segmentsThatWentUnusedTheLongestGoBackBeforeANewOneComes() {
        CachingAllocator allocator = log.allocator(SETTINGS, 200 * MIB);
        int oldest = allocator.malloc(30 * MIB, 0, 0);
        int newest = allocator.malloc(40 * MIB, 0, 0);
        int kept = allocator.malloc(26 * MIB, 0, 0);
        allocator.free(oldest);
        allocator.free(kept);
        kept = allocator.malloc(26 * MIB, 0, 0);
        allocator.free(newest);
        log.take();
        allocator.malloc(50 * MIB, 0, 0);
        assertThat(log.take())
                .containsExactly(
                        "segment_free 0 31457280", "segment_alloc 100663296 52428800", "alloc 100663296 52428800");
        assertThat(allocator.size(kept)).isEqualTo(26 * MIB);
    }

    @Test
    void belowTheThresholdNothingIsCollected() {
        CachingAllocator allocator = log.allocator(SETTINGS, 200 * MIB);
        allocator.free(allocator.malloc(90 * MIB, 0, 0));
        log.take();
        allocator.malloc(91 * MIB, 0, 0);
        assertThat(log.take())
                .containsExactly(
                        "segment_free 0 94371840", "segment_alloc 94371840 96468992", "alloc 94371840 95420416");
        CachingAllocator larger = log.allocator(SETTINGS, 201 * MIB);
        larger.free(larger.malloc(90 * MIB, 0, 0));
        log.take();
        larger.malloc(89 * MIB, 7, 0);
        assertThat(log.take()).first().isEqualTo("segment_alloc 94371840 94371840");
    }

    @Test
    void withoutALimitTheThresholdMeansNothing() {
        CachingAllocator allocator = log.allocator("garbage_collection_threshold:0.1", 200 * MIB);
        allocator.free(allocator.malloc(90 * MIB, 0, 0));
        log.take();
        allocator.malloc(91 * MIB, 0, 0);
        assertThat(log.take()).first().isEqualTo("segment_alloc 94371840 96468992");
    }

    @Test
    void smallAndPrivatePoolsAreLeftAlone() {
        CachingAllocator allocator =
                log.allocator("garbage_collection_threshold:0.01,per_process_memory_fraction:0.9", 200 * MIB);
        allocator.free(allocator.malloc(700, 0, 0));
        allocator.free(allocator.malloc(30 * MIB, 0, 2));
        log.take();
        allocator.malloc(40 * MIB, 0, 0);
        assertThat(log.take()).first().isEqualTo("segment_alloc 33554432 41943040");
    }
}
