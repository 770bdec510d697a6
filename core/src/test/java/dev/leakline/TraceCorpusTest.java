package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.columns.Action;
import dev.leakline.columns.FrameTable;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.columns.SnapshotColumns.Trace;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.lifetime.MemoryCurve;
import dev.leakline.lifetime.PeakFinder;
import dev.leakline.lifetime.PeakFinder.Found;
import dev.leakline.testkit.Thoroughness;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Traces of the profiler against a plain Python script over {@code json.load}: events, sums, peaks, and in which call each byte came. */
class TraceCorpusTest {
    private static final JsonMapper JSON = new JsonMapper();
    /** How the script names the calls that an event is in none of. */
    private static final String NOWHERE = "";
    /** One whose sums show more than its events, and one without any. */
    private static final List<String> NOT_COMPARED = List.of("other_thread.json.gz", "no_memory.json.gz");

    @TestFactory
    Stream<DynamicTest> corpus() throws IOException {
        return tests(Thoroughness.of(OutsideData.files("corpus/traces", ".gz")));
    }

    @TestFactory
    Stream<DynamicTest> ourOwn() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/traces"))) {
            return tests(files.filter(file -> file.toString().endsWith(".json.gz"))
                    .filter(file -> NOT_COMPARED.stream().noneMatch(file::endsWith))
                    .sorted()
                    .toList());
        }
    }

    private static Stream<DynamicTest> tests(List<Path> files) {
        boolean hasPython = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> new File(folder, "python3").canExecute());
        assumeTrue(hasPython, "python3 is not on the PATH, and this test compares with it");
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)));
    }

    private static void check(Path file) throws Exception {
        Snapshot snapshot = Snapshot.open(file);
        assertThat(snapshot.incomplete()).isNull();
        assertThat(snapshot.columns().counters.counts()).isEmpty();
        List<Map<String, Object>> expected = oracle(file)
                .get("devices")
                .valueStream()
                .map(TraceCorpusTest::expected)
                .toList();
        List<Map<String, Object>> found = LifetimeBuilder.devices(snapshot.columns()).stream()
                .map(device -> found(snapshot.columns(), device))
                .toList();
        assertThat(found).isEqualTo(expected);
    }

    private static Map<String, Object> expected(JsonNode device) {
        Map<String, Object> figures = new TreeMap<>();
        device.properties().forEach(entry -> {
            boolean isNumber = entry.getValue().isNumber();
            figures.put(entry.getKey(), isNumber ? entry.getValue().asLong() : sums(entry.getValue()));
        });
        return figures;
    }

    private static Map<String, Long> sums(JsonNode sums) {
        Map<String, Long> sorted = new TreeMap<>();
        sums.properties()
                .forEach(entry -> sorted.put(entry.getKey(), entry.getValue().asLong()));
        return sorted;
    }

    private static Map<String, Object> found(SnapshotColumns columns, int device) {
        Lifetimes lifetimes = LifetimeBuilder.build(columns, device);
        int events = lifetimes.events().count();
        PeakFinder finder = new PeakFinder(events, 0, events);
        MemoryCurve curve = new MemoryCurve(columns, lifetimes);
        curve.follow(List.of(finder));
        Found found = finder.found(curve);
        return new TreeMap<>(Map.of(
                "device", (long) device,
                "events", (long) events,
                "allocations", allocations(columns, device),
                "start", found.start().held(),
                "peak", found.peak().held(),
                "peak_event", (long) found.peak().event(),
                "end", found.end().held(),
                "end_reserved", found.end().reserved(),
                "by_range", byRange(columns, device)));
    }

    private static long allocations(SnapshotColumns columns, int device) {
        Trace trace = trace(columns, device);
        long count = 0;
        for (int event = trace.first(); event < trace.first() + trace.count(); event++) {
            count += columns.events.action(event) == Action.ALLOC ? 1 : 0;
        }
        return count;
    }

    private static Map<String, Long> byRange(SnapshotColumns columns, int device) {
        Trace trace = trace(columns, device);
        Map<String, Long> sums = new TreeMap<>();
        for (int event = trace.first(); event < trace.first() + trace.count(); event++) {
            if (columns.events.action(event) == Action.ALLOC) {
                sums.merge(innermost(columns, columns.events.stack(event)), columns.events.size(event), Long::sum);
            }
        }
        return sums;
    }

    private static String innermost(SnapshotColumns columns, int stack) {
        FrameTable frames = columns.frames;
        for (int depth = 0; depth < columns.stacks.depth(stack); depth++) {
            int frame = columns.stacks.frame(stack, depth);
            if (!frames.function(frame).startsWith("record_function: ")) {
                return frames.file(frame).isEmpty()
                        ? frames.function(frame)
                        : frames.file(frame) + "(" + frames.line(frame) + "): " + frames.function(frame);
            }
        }
        return NOWHERE;
    }

    private static Trace trace(SnapshotColumns columns, int device) {
        return columns.traces.stream()
                .filter(trace -> trace.device() == device)
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode oracle(Path file) throws Exception {
        Process python = new ProcessBuilder("python3", "src/test/python/trace_oracle.py", file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        byte[] printed = python.getInputStream().readAllBytes();
        assertThat(python.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)).isTrue();
        assertThat(python.exitValue()).isZero();
        return JSON.readTree(printed);
    }
}
