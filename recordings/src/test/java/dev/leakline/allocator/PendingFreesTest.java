package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PendingFreesTest {
    private final TraceLog log = new TraceLog();
    private final CachingAllocator allocator = log.allocator("", 1000 * MIB);

    @Test
    void aBlockThatAnotherStreamUsedIsFreeOnlyWhenARequestFindsItsEventReady() {
        Set<Long> busy = new HashSet<>(Set.of(7L));
        allocator.setReadiness((stream, block) -> !busy.contains(stream));
        int block = allocator.malloc(700, 0, 0);
        allocator.recordStream(block, 7);
        allocator.free(block);
        assertThat(allocator.isPending(block)).isTrue();
        log.take();
        allocator.malloc(600, 0, 0);
        assertThat(log.take()).containsExactly("alloc 1024 600");
        busy.clear();
        assertThat(log.take()).as("nothing completes by itself").isEmpty();
        allocator.malloc(800, 0, 0);
        assertThat(log.take()).containsExactly("free_completed 0 700", "alloc 0 800");
    }

    @Test
    void theOwnStreamNeedsNoWaiting() {
        int block = allocator.malloc(700, 5, 0);
        allocator.recordStream(block, 5);
        log.take();
        allocator.free(block);
        assertThat(log.take()).containsExactly("free_requested 0 700", "free_completed 0 700");
    }

    @Test
    void allStreamsThatUsedABlockAreWaitedFor() {
        Set<Long> busy = new HashSet<>(Set.of(8L));
        allocator.setReadiness((stream, block) -> !busy.contains(stream));
        int block = allocator.malloc(700, 0, 0);
        allocator.recordStream(block, 7);
        allocator.recordStream(block, 8);
        allocator.recordStream(block, 8);
        allocator.free(block);
        allocator.malloc(1, 0, 0);
        assertThat(allocator.isPending(block)).isTrue();
        busy.clear();
        log.take();
        allocator.malloc(1, 0, 0);
        assertThat(log.take()).first().isEqualTo("free_completed 0 700");
    }

    /** Events of a stream complete in order, so nobody asks for the second before the first has completed. */
    @Test
    void anEventThatIsNotReadyHoldsUpThoseBehindIt() {
        int first = allocator.malloc(700, 0, 0);
        int second = allocator.malloc(1700, 0, 0);
        allocator.setReadiness((stream, block) -> block != first);
        for (int block : new int[] {first, second}) {
            allocator.recordStream(block, 7);
            allocator.free(block);
        }
        allocator.malloc(1, 0, 0);
        assertThat(allocator.isPending(second)).isTrue();
        allocator.setReadiness(EventReadiness.ALWAYS);
        log.take();
        allocator.malloc(1, 0, 0);
        assertThat(log.take()).startsWith("free_completed 0 700", "free_completed 1024 1700");
    }

    @Test
    void emptyingTheCacheWaitsForAllPendingFrees() {
        allocator.setReadiness((stream, block) -> false);
        int waiting = allocator.malloc(700, 0, 0);
        int held = allocator.malloc(1700, 0, 0);
        allocator.recordStream(waiting, 7);
        allocator.free(waiting);
        allocator.freePending(held);
        log.take();
        allocator.emptyCache();
        assertThat(log.take())
                .containsExactly("free_completed 0 700", "free_completed 1024 1700", "segment_free 0 2097152");
    }

    @Test
    void aRecordingCompletesFreesWhenItSays() {
        int block = allocator.malloc(700, 0, 0);
        allocator.recordStream(block, 7);
        allocator.freePending(block);
        allocator.malloc(1, 0, 0);
        assertThat(allocator.isPending(block)).isTrue();
        log.take();
        allocator.complete(block);
        assertThat(log.take()).containsExactly("free_completed 0 700");
    }

    @Test
    void aBlockThatWaitsForEventsMayBeCompletedBeforeThem() {
        allocator.setReadiness((stream, block) -> false);
        int block = allocator.malloc(700, 0, 0);
        allocator.recordStream(block, 7);
        allocator.free(block);
        allocator.complete(block);
        allocator.setReadiness(EventReadiness.ALWAYS);
        log.take();
        allocator.malloc(900, 0, 0);
        assertThat(log.take()).containsExactly("alloc 0 900");
    }
}
