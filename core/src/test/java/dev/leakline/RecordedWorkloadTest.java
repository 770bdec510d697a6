package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.AllocatorTrace.Event;
import dev.leakline.allocator.AllocatorSettings;
import dev.leakline.allocator.CachingAllocator;
import dev.leakline.allocator.MemoryVisitor;
import dev.leakline.allocator.SegmentPlace;
import dev.leakline.allocator.SimulatedDriver;
import dev.leakline.columns.Action;
import dev.leakline.columns.BlockColumns;
import dev.leakline.columns.BlockState;
import dev.leakline.columns.SegmentColumns;
import dev.leakline.columns.SnapshotColumns;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Recordings of torch 2.14.1 from the first event on: what the program did is read off the trace alone, settings off the snapshot; the model
 * then writes the same trace, address for address, and ends with the same segments and blocks.
 */
class RecordedWorkloadTest {
    @TestFactory
    Stream<DynamicTest> theModelFollowsARecordingAddressForAddress() throws IOException {
        return OutsideData.files("allocator-golden", ".pickle.gz").stream()
                .filter(file -> name(file).startsWith("workload_"))
                .map(file -> DynamicTest.dynamicTest(name(file), () -> check(file)));
    }

    private static void check(Path file) throws IOException {
        SnapshotColumns columns = AllocatorTrace.read(file);
        JsonNode extra = extra(file);
        AllocatorSettings settings = AllocatorSettings.of(columns.settings);
        if (!extra.get("fraction").isNull()) {
            settings =
                    settings.withPerProcessMemoryFraction(extra.get("fraction").asDouble());
        }
        Follower follower = new Follower(
                AllocatorTrace.recorded(file), settings, extra.get("total").asLong());
        follower.follow();
        AllocatorTrace.assertEqual(
                AllocatorTrace.sortedWithinCompletions(follower.events),
                AllocatorTrace.sortedWithinCompletions(follower.recorded));
        assertThat(held(follower.allocator)).isEqualTo(held(columns));
    }

    private static JsonNode extra(Path file) throws IOException {
        Path json = file.resolveSibling(name(file).replace(".pickle.gz", ".json.gz"));
        try (InputStream text = new GZIPInputStream(Files.newInputStream(json))) {
            return new JsonMapper().readTree(text).get("extra");
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    private static List<String> held(CachingAllocator allocator) {
        List<String> held = new ArrayList<>();
        allocator.visit(new MemoryVisitor() {
            @Override
            public void segment(SegmentPlace segment) {
                held.add(segment.toString());
            }

            @Override
            public void block(int handle, long address, long size, long requested, BlockState state) {
                held.add(address + " " + size + " " + state);
            }
        });
        return held;
    }

    private static List<String> held(SnapshotColumns columns) {
        List<String> held = new ArrayList<>();
        BlockColumns blocks = columns.blocks;
        for (int row = 0; row < columns.segments.size(); row++) {
            SegmentColumns.Row segment = columns.segments.row(row);
            held.add(new SegmentPlace(
                            segment.address(),
                            segment.totalSize(),
                            segment.stream(),
                            segment.pool(),
                            segment.isLarge(),
                            segment.isExpandable())
                    .toString());
            for (int block = segment.firstBlock(); block < segment.firstBlock() + segment.blockCount(); block++) {
                held.add(blocks.address(block) + " " + blocks.size(block) + " " + blocks.state(block));
            }
        }
        return held;
    }

    /** Does what a recording shows that the program did, whenever the model's trace has come to that event. */
    private static final class Follower extends AllocatorTrace {
        final List<Event> recorded;
        final CachingAllocator allocator;
        private final SimulatedDriver driver;
        private final Map<Long, Integer> handles = new HashMap<>();
        private final Map<Long, Integer> pending = new HashMap<>();

        Follower(List<Event> recorded, AllocatorSettings settings, long total) {
            this.recorded = recorded;
            this.driver = new SimulatedDriver(total, 0, recorded.getFirst().address());
            this.allocator = new CachingAllocator(settings, driver, this);
        }

        void follow() {
            for (int event = 0; event < recorded.size(); event = Math.max(events.size(), event + 1)) {
                step(event);
                assertThat(events.getLast())
                        .as("event %d", events.size() - 1)
                        .isEqualTo(recorded.get(events.size() - 1));
            }
        }

        private void step(int event) {
            Event next = recorded.get(event);
            switch (next.action()) {
                case FREE_REQUESTED -> allocator.freePending(handles.remove(next.address()));
                case FREE_COMPLETED -> allocator.complete(pending.remove(next.address()));
                default -> {
                    Event request = request(event);
                    if (request == null) {
                        allocator.emptyCache();
                    } else {
                        allocator.malloc(request.size(), request.stream(), 0);
                    }
                }
            }
        }

        /** The request that an event belongs to; null where memory went back that no request needed: the program emptied the cache. */
        private @Nullable Event request(int first) {
            long asked = 0;
            int event = first;
            while (event < recorded.size() && isOfDriver(recorded.get(event))) {
                asked +=
                        isRelease(recorded.get(event)) ? 0 : recorded.get(event).size();
                event++;
            }
            Event request = event < recorded.size() ? recorded.get(event) : null;
            return request == null || (isRelease(recorded.get(first)) && !needsRelease(request, asked))
                    ? null
                    : request;
        }

        private boolean needsRelease(Event request, long asked) {
            return !allocator.isCached(request.size(), request.stream(), 0)
                    && (asked > driver.freeBytes() || (asked > 0 && collects()));
        }

        private boolean collects() {
            double threshold = allocator.settings().garbageCollectionThreshold();
            return threshold > 0 && allocator.stats().reservedBytes() > threshold * allocator.limit();
        }

        private static boolean isOfDriver(Event event) {
            return isRelease(event) || event.action() == Action.SEGMENT_ALLOC || event.action() == Action.SEGMENT_MAP;
        }

        private static boolean isRelease(Event event) {
            return event.action() == Action.SEGMENT_FREE || event.action() == Action.SEGMENT_UNMAP;
        }

        @Override
        public void allocated(int block, long address, long requested, long stream, int pool) {
            super.allocated(block, address, requested, stream, pool);
            handles.put(address, block);
        }

        @Override
        public void freeRequested(int block, long address, long requested, long stream, int pool) {
            super.freeRequested(block, address, requested, stream, pool);
            pending.put(address, block);
        }

        @Override
        public void freeCompleted(int block, long address, long requested, long stream, int pool) {
            super.freeCompleted(block, address, requested, stream, pool);
            pending.remove(address);
        }
    }
}
