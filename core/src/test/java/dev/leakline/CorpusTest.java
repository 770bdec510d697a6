package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.Action;
import dev.leakline.columns.BlockState;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.SnapshotColumns.Trace;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real snapshots of strangers, torch 1.13 to 2.11: what is read of each equals the figures that came with it. */
class CorpusTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TestFactory
    Stream<DynamicTest> everyFigureOfEverySnapshot() throws IOException {
        Path expectations = OutsideData.path("corpus/expected.jsonl");
        return Files.readAllLines(expectations).stream().map(JSON::readTree).map(expected -> {
            String file = expected.get("file").asString();
            return DynamicTest.dynamicTest(file, () -> check(expectations.resolveSibling(file), expected));
        });
    }

    private static void check(Path file, JsonNode expected) throws IOException {
        Snapshot snapshot = Snapshot.open(file);
        SnapshotColumns columns = snapshot.columns();
        assertThat(snapshot.incomplete()).isNull();
        assertThat(columns.counters.counts()).isEmpty();
        SoftAssertions softly = new SoftAssertions();
        softly.assertThat(figures(columns)).isEqualTo(expectedFigures(expected));
        for (JsonNode device : expected.get("per_device")) {
            checkDevice(softly, columns, device);
        }
        softly.assertAll();
    }

    private static Map<String, Object> figures(SnapshotColumns columns) {
        return new TreeMap<>(Map.of(
                "events", columns.traces.stream().map(Trace::count).toList().toString(),
                "actions", actions(columns).toString(),
                "segments", columns.segments.size(),
                "blocks", columns.blocks.size(),
                "states", states(columns).toString(),
                "stacks", columns.stacks.size() - 1,
                "frames", columns.frames.size()));
    }

    private static Map<String, Object> expectedFigures(JsonNode expected) {
        return new TreeMap<>(Map.of(
                "events",
                        expected.get("events_per_device")
                                .valueStream()
                                .map(JsonNode::asInt)
                                .toList()
                                .toString(),
                "actions", sorted(expected.get("actions")).toString(),
                "segments", expected.get("n_segments").asInt(),
                "blocks", expected.get("n_blocks").asInt(),
                "states", sorted(expected.get("block_states")).toString(),
                "stacks", expected.get("distinct_stacks").asInt(),
                "frames", expected.get("distinct_frames").asInt()));
    }

    private static Map<String, Integer> sorted(JsonNode counts) {
        Map<String, Integer> sorted = new TreeMap<>();
        counts.properties()
                .forEach(entry -> sorted.put(entry.getKey(), entry.getValue().asInt()));
        return sorted;
    }

    private static Map<String, Integer> actions(SnapshotColumns columns) {
        Map<String, Integer> counts = new TreeMap<>();
        for (int event = 0; event < columns.events.size(); event++) {
            Action action = columns.events.action(event);
            counts.merge(action.name().toLowerCase(Locale.ROOT), 1, Integer::sum);
        }
        return counts;
    }

    private static Map<String, Integer> states(SnapshotColumns columns) {
        Map<BlockState, String> names = Map.of(
                BlockState.ALLOCATED, "active_allocated",
                BlockState.PENDING_FREE, "active_pending_free",
                BlockState.INACTIVE, "inactive");
        Map<String, Integer> counts = new TreeMap<>();
        for (int block = 0; block < columns.blocks.size(); block++) {
            counts.merge(String.valueOf(names.get(columns.blocks.state(block))), 1, Integer::sum);
        }
        return counts;
    }

    private static void checkDevice(SoftAssertions softly, SnapshotColumns columns, JsonNode expected) {
        Lifetimes lifetimes =
                LifetimeBuilder.build(columns, expected.get("device").asInt());
        MemoryCurve curve = new MemoryCurve(columns, lifetimes);
        long start = curve.requested();
        long peak = start;
        while (curve.next()) {
            peak = Math.max(peak, curve.requested());
        }
        String device = "device " + lifetimes.device() + " ";
        softly.assertThat(lifetimes.events().count())
                .as(device + "events")
                .isEqualTo(expected.get("events").asInt());
        softly.assertThat(start)
                .as(device + "start")
                .isEqualTo(expected.get("start_live_requested").asLong());
        softly.assertThat(peak)
                .as(device + "peak")
                .isEqualTo(expected.get("peak_live_requested").asLong());
        softly.assertThat(curve.held())
                .as(device + "end")
                .isEqualTo(expected.get("blk_live").asLong());
        softly.assertThat(curve.reserved())
                .as(device + "reserved")
                .isEqualTo(expected.get("reserved").asLong());
        softly.assertThat(lifetimes.unknownFrees())
                .as(device + "unknown frees")
                .isEqualTo(expected.get("frees_of_unknown").asInt());
        softly.assertThat(lifetimes.unknownFreeBytes())
                .as(device + "unknown free bytes")
                .isEqualTo(expected.get("unknown_free_bytes").asLong());
        softly.assertThat(tracedPeak(lifetimes))
                .as(device + "peak of what the trace allocates")
                .isEqualTo(expected.get("peak_traced_live").asLong());
        softly.assertThat(lifetimes.lostFrees())
                .as(device + "lost frees")
                .isEqualTo(expected.get("double_alloc").asInt());
    }

    private static long tracedPeak(Lifetimes lifetimes) {
        long live = 0;
        long peak = 0;
        for (int event = 0; event < lifetimes.events().count(); event++) {
            int allocation = lifetimes.allocation(event);
            if (allocation != Lifetimes.NONE && lifetimes.born(allocation) != Lifetimes.BEFORE) {
                live += lifetimes.born(allocation) == event ? lifetimes.requested(allocation) : 0;
                live -= lifetimes.died(allocation) == event ? lifetimes.requested(allocation) : 0;
                peak = Math.max(peak, live);
            }
        }
        return peak;
    }
}
