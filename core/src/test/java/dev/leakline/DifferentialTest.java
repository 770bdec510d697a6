package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.codec.Codec;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.testkit.Thoroughness;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The JSON report against a plain Python script over {@code pickle.load}: the same peaks, the same ten largest sites. */
class DifferentialTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int TOP = 10;

    @TestFactory
    Stream<DynamicTest> corpus() throws IOException {
        return tests("corpus/snapshots", ".gz");
    }

    @TestFactory
    Stream<DynamicTest> leakbench() throws IOException {
        return tests("leakbench/recorded", ".pickle.gz");
    }

    @TestFactory
    Stream<DynamicTest> allocatorGolden() throws IOException {
        return tests("allocator-golden", ".pickle.gz");
    }

    private static Stream<DynamicTest> tests(String folder, String suffix) throws IOException {
        assumeTrue(hasPython(), "python3 is not on the PATH, and this test compares with it");
        return Thoroughness.of(OutsideData.files(folder, suffix)).stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)));
    }

    private static boolean hasPython() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> new File(folder, "python3").canExecute());
    }

    private static void check(Path file) throws Exception {
        JsonNode report = report(file);
        JsonNode oracle = oracle(file);
        List<List<String>> expected = oracle.get("devices")
                .valueStream()
                .map(DifferentialTest::figures)
                .toList();
        List<List<String>> found = report.get("devices")
                .valueStream()
                .filter(device -> device.get("device").asInt() >= 0)
                .map(DifferentialTest::figures)
                .toList();
        assertThat(found).isEqualTo(expected);
    }

    private static List<String> figures(JsonNode device) {
        JsonNode peak = device.get("peak");
        JsonNode sites = peak.has("by_site") ? peak.get("by_site") : device.get("by_site");
        Stream<String> totals = Stream.concat(
                Stream.of(
                                "device",
                                "events",
                                "start_bytes",
                                "start_requested_bytes",
                                "peak_requested_bytes",
                                "end_bytes",
                                "end_reserved_bytes")
                        .map(name -> name + " " + device.get(name)),
                Stream.of("bytes", "requested_bytes", "reserved_bytes", "event", "time_us")
                        .map(name -> "peak " + name + " " + peak.get(name)));
        Stream<String> largest = sites.valueStream().limit(TOP).map(DifferentialTest::site);
        return Stream.concat(totals, largest).toList();
    }

    private static String site(JsonNode site) {
        return Stream.of("kind", "file", "line", "function", "bytes", "requested_bytes", "blocks")
                .map(name -> site.get(name).toString())
                .reduce("site", (all, one) -> all + " " + one);
    }

    private static JsonNode report(Path file) throws IOException {
        StringWriter out = new StringWriter();
        Codec.write(
                Analysis.run(List.of(Snapshot.open(file)), Analysis.Options.ALL).shown(TOP, false), out);
        return JSON.readTree(out.toString());
    }

    /**
     * What addresses say that allocations hold: of each device, by the event of the allocation. The script takes them on trust; {@link ReplaysTest}
     * holds them against the allocator's own statistics.
     */
    private static Map<Integer, Map<Integer, Long>> exactSizes(SnapshotColumns columns) {
        Map<Integer, Map<Integer, Long>> devices = new HashMap<>();
        for (int device : LifetimeBuilder.devices(columns)) {
            Lifetimes lifetimes = Columns.refined(columns, device);
            Map<Integer, Long> sizes = new HashMap<>();
            for (int allocation = 0; allocation < lifetimes.count(); allocation++) {
                if (lifetimes.born(allocation) >= 0) {
                    sizes.put(lifetimes.born(allocation), lifetimes.held(allocation));
                }
            }
            devices.put(device, sizes);
        }
        return devices;
    }

    private static JsonNode oracle(Path file) throws Exception {
        Process python = new ProcessBuilder("python3", "src/test/python/oracle.py", file.toString(), "-")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream sizes = python.getOutputStream()) {
            sizes.write(JSON.writeValueAsBytes(exactSizes(Columns.of(file))));
        }
        byte[] printed = python.getInputStream().readAllBytes();
        assertThat(python.waitFor(Thoroughness.HANGS, TimeUnit.SECONDS)).isTrue();
        assertThat(python.exitValue()).isZero();
        return JSON.readTree(printed);
    }
}
