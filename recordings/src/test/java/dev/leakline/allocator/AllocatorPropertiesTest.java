package dev.leakline.allocator;

import static dev.leakline.text.ByteSize.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.procedures.IntProcedure;
import dev.leakline.allocator.AllocatorStats.Quantity;
import dev.leakline.allocator.AllocatorStats.Share;
import dev.leakline.columns.BlockState;
import java.util.Random;
import java.util.function.IntConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds after any operations, under any settings. */
class AllocatorPropertiesTest {
    private static final long DEVICE = 600 * MIB;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "expandable_segments:True",
                "max_split_size_mb:32",
                "roundup_power2_divisions:4",
                "garbage_collection_threshold:0.3,per_process_memory_fraction:0.8",
                "expandable_segments:True,max_split_size_mb:40,large_segment_size_mb:32",
                "expandable_segments:True,garbage_collection_threshold:0.3,per_process_memory_fraction:0.8"
            })
    void blocksCoverTheirSegmentsAndFiguresAreTheSumsOverBlocks(String settings) {
        for (int seed = 0; seed < 12; seed++) {
            Random random = new Random(seed);
            SimulatedDriver driver = TraceLog.driver(DEVICE);
            CachingAllocator allocator = new CachingAllocator(AllocatorSettings.parse(settings), driver);
            Work work = new Work(allocator, random);
            for (int operation = 0; operation < 1500; operation++) {
                work.operate();
                if (operation % 50 == 0) {
                    new Audit(allocator).check(driver);
                }
            }
            work.endAll();
            new Audit(allocator).check(driver);
            assertThat(driver.freeBytes())
                    .as("settings '%s', seed %d", settings, seed)
                    .isEqualTo(DEVICE);
        }
    }

    /** Random operations. */
    private static final class Work {
        private final CachingAllocator allocator;
        private final Random random;
        private final IntArrayList live = new IntArrayList();
        private final IntArrayList pending = new IntArrayList();

        Work(CachingAllocator allocator, Random random) {
            this.allocator = allocator;
            this.random = random;
            allocator.setReadiness((stream, block) -> random.nextInt(3) == 0);
        }

        void operate() {
            pending.removeAll((int block) -> !allocator.isPending(block));
            switch (random.nextInt(20)) {
                case 0 -> allocator.recordStream(any(), random.nextInt(4));
                case 1 -> letGo(allocator::freePending);
                case 2, 3, 4, 5, 6, 7, 8 -> letGo(allocator::free);
                case 9 -> sometimes();
                default -> keep(allocator.malloc(size(), random.nextInt(3), random.nextInt(5) == 0 ? 2 : 0));
            }
        }

        void endAll() {
            live.forEach((IntProcedure) allocator::free);
            allocator.setReleasable(2);
            allocator.emptyCache();
        }

        private int any() {
            if (live.isEmpty()) {
                keep(allocator.malloc(700, 0, 0));
            }
            return live.get(random.nextInt(live.size()));
        }

        private void letGo(IntConsumer free) {
            int block = any();
            live.removeElement(block);
            free.accept(block);
            if (allocator.isPending(block)) {
                pending.add(block);
            }
        }

        private void sometimes() {
            if (random.nextInt(10) == 0) {
                allocator.emptyCache();
            } else if (!pending.isEmpty()) {
                allocator.complete(pending.removeAt(random.nextInt(pending.size())));
            }
        }

        private void keep(int block) {
            if (block >= 0) {
                live.add(block);
            }
        }

        private long size() {
            return (long) (400 * Math.pow(150_000, random.nextDouble()));
        }
    }

    /** Looks at every segment and block, and adds up. */
    private static final class Audit implements MemoryVisitor {
        private final CachingAllocator allocator;
        private long reserved;
        private long segments;
        private long allocated;
        private long active;
        private long requested;
        private long blocks;
        private long freeParts;
        private long freePartBytes;
        private SegmentPlace segment = new SegmentPlace(0, 0, 0, 0, false, true);
        private long end;
        private BlockState before = BlockState.ALLOCATED;

        Audit(CachingAllocator allocator) {
            this.allocator = allocator;
        }

        void check(SimulatedDriver driver) {
            allocator.visit(this);
            assertThat(end).as("end of the last segment").isEqualTo(segment.address() + segment.size());
            assertThat(DEVICE - driver.freeBytes()).isEqualTo(reserved);
            is(Quantity.RESERVED_BYTES, reserved);
            is(Quantity.SEGMENT, segments);
            is(Quantity.ALLOCATED_BYTES, allocated);
            is(Quantity.ACTIVE_BYTES, active);
            is(Quantity.REQUESTED_BYTES, requested);
            is(Quantity.ALLOCATION, blocks);
            is(Quantity.INACTIVE_SPLIT, freeParts);
            is(Quantity.INACTIVE_SPLIT_BYTES, freePartBytes);
        }

        private void is(Quantity quantity, long sum) {
            AllocatorStats stats = allocator.stats();
            assertThat(stats.current(quantity, Share.ALL)).as("%s", quantity).isEqualTo(sum);
            assertThat(stats.current(quantity, Share.SMALL_POOL) + stats.current(quantity, Share.LARGE_POOL))
                    .isEqualTo(sum);
            assertThat(stats.allocated(quantity, Share.ALL) - stats.freed(quantity, Share.ALL))
                    .isEqualTo(sum);
            assertThat(stats.peak(quantity, Share.ALL)).isGreaterThanOrEqualTo(sum);
        }

        @Override
        public void segment(SegmentPlace next) {
            assertThat(end).as("end of a segment").isEqualTo(segment.address() + segment.size());
            assertThat(next.address()).isGreaterThanOrEqualTo(end);
            segment = next;
            end = next.address();
            before = BlockState.ALLOCATED;
            reserved += next.size();
            segments += next.isExpandable() ? 0 : 1;
        }

        @Override
        public void block(int handle, long address, long size, long bytes, BlockState state) {
            assertThat(address).as("a block begins where the last one ended").isEqualTo(end);
            assertThat(size).isPositive();
            assertThat(before == BlockState.INACTIVE && state == BlockState.INACTIVE)
                    .as("two free neighbours")
                    .isFalse();
            end = address + size;
            before = state;
            count(handle, size, bytes, state);
        }

        private void count(int handle, long size, long bytes, BlockState state) {
            boolean isFree = state == BlockState.INACTIVE;
            blocks += state == BlockState.ALLOCATED ? 1 : 0;
            allocated += state == BlockState.ALLOCATED ? size : 0;
            active += isFree ? 0 : size;
            requested += bytes;
            boolean isPart = isFree && !segment.isExpandable() && size < segment.size();
            freeParts += isPart ? 1 : 0;
            freePartBytes += isPart ? size : 0;
            assertThat(isFree || allocator.requested(handle) <= size).isTrue();
            assertThat(allocator.isPending(handle)).isEqualTo(state == BlockState.PENDING_FREE);
        }
    }
}
