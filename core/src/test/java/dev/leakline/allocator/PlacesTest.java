package dev.leakline.allocator;

import static dev.leakline.primitive.ByteSize.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.allocator.AllocatorStats.Quantity;
import dev.leakline.allocator.AllocatorStats.Share;
import org.junit.jupiter.api.Test;

class PlacesTest {
    private static final long AT = TraceLog.BASE;

    private final TraceLog log = new TraceLog();
    private final CachingAllocator allocator = log.allocator("", 400 * MIB);

    @Test
    void aBlockIsCutOutOfTheMiddleOfAFreeOne() {
        allocator.free(allocator.malloc(5 * MIB, 0, 0));
        log.take();
        int block = allocator.allocateAt(AT + 7 * MIB, 3_000_000, 0);
        assertThat(allocator.size(block)).isEqualTo(3_000_320);
        assertThat(log.take()).containsExactly("alloc 7340032 3000000");
        assertThat(Layout.of(allocator))
                .containsExactly("20971520 large: 7340032 inactive, 3000320 allocated, 10631168 inactive");
        assertThat(allocator.stats().current(Quantity.INACTIVE_SPLIT, Share.ALL))
                .isEqualTo(2);
        assertThat(allocator.stats().current(Quantity.INACTIVE_SPLIT_BYTES, Share.ALL))
                .isEqualTo(7340032 + 10631168);
        allocator.free(block);
        assertThat(Layout.of(allocator)).containsExactly("20971520 large: 20971520 inactive");
        assertThat(allocator.stats().current(Quantity.INACTIVE_SPLIT, Share.ALL))
                .isZero();
        assertThat(allocator.stats().current(Quantity.INACTIVE_SPLIT_BYTES, Share.ALL))
                .isZero();
    }

    @Test
    void aSizeThatIsGivenIsKeptExactly() {
        allocator.free(allocator.malloc(12 * MIB, 0, 0));
        int block = allocator.allocateAt(AT, 11 * MIB, 11 * MIB + 512);
        assertThat(Layout.of(allocator)).containsExactly("12582912 large: 11534848 allocated, 1048064 inactive");
        allocator.free(block);
        assertThat(allocator.size(allocator.allocateAt(AT, 11 * MIB, 0)))
                .as("what the allocator would not cut")
                .isEqualTo(12 * MIB);
    }

    @Test
    void placesThatAreNotFreeAreRefusedAndNothingChanges() {
        int block = allocator.malloc(5 * MIB, 0, 0);
        log.take();
        assertThat(allocator.allocateAt(AT, 700, 0)).as("taken").isNegative();
        assertThat(allocator.allocateAt(AT + 19 * MIB, 2 * MIB, 0))
                .as("beyond the end")
                .isNegative();
        assertThat(allocator.allocateAt(AT + 4 * MIB, 2 * MIB, 0))
                .as("half taken")
                .isNegative();
        assertThat(allocator.allocateAt(AT + 200 * MIB, 700, 0)).as("nobody's").isNegative();
        assertThat(allocator.allocateAt(AT - 512, 700, 0)).as("before all").isNegative();
        assertThat(allocator.allocateAt(-512, 700, 0)).as("behind all").isNegative();
        assertThat(allocator.allocateAt(AT + 6 * MIB, -1, 0)).as("no size").isNegative();
        assertThat(allocator.allocateAt(AT + 6 * MIB, 700, -512)).as("no size").isNegative();
        assertThat(log.take()).isEmpty();
        assertThat(allocator.size(block)).isEqualTo(5 * MIB);
    }

    @Test
    void unmappedPagesAreRefused() {
        CachingAllocator expandable = log.allocator("expandable_segments:True", 400 * MIB);
        expandable.malloc(5 * MIB, 0, 0);
        assertThat(expandable.allocateAt(AT + 21 * MIB, 700, 0)).isNegative();
        assertThat(expandable.allocateAt(AT + 19 * MIB, MIB, 0)).isNotNegative();
    }
}
