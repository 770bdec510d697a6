package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.leakline.allocator.AllocatorSettings;
import dev.leakline.allocator.Replays;
import dev.leakline.columns.SnapshotColumns;
import dev.leakline.lifetime.LifetimeBuilder;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.read.Formats;
import dev.leakline.result.DeviceResult;
import dev.leakline.result.WhatIf.Credibility;
import dev.leakline.result.WhatIf.Trial;
import dev.leakline.source.Content;
import dev.leakline.source.ReadLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Recordings of the real allocator, replayed under the settings that they were made under: the model goes to the driver at the same requests,
 * for the same sizes.
 */
final class ReplaysTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TestFactory
    Stream<DynamicTest> programsAreReplayedAsTheyWereRecorded() throws IOException {
        return programs().map(file -> test(file, JSON.readTree(beside(file, ".json"))));
    }

    private static Stream<Path> programs() throws IOException {
        try (Stream<Path> files = Files.list(Repository.root().resolve("testkit/allocator/recorded"))) {
            List<Path> recordings = files.filter(file -> file.toString().endsWith(".pickle.gz"))
                    .sorted()
                    .toList();
            assertThat(recordings).hasSizeGreaterThan(20);
            return recordings.stream();
        }
    }

    @TestFactory
    Stream<DynamicTest> peaksAreThoseOfTheAllocatorsOwnStatistics() throws IOException {
        return programs().map(file -> peakTest(file, JSON.readTree(beside(file, ".json"))));
    }

    /** Some of these the model replays otherwise than they were; what blocks held is known all the same. */
    @TestFactory
    Stream<DynamicTest> peaksOfOperationLogsAreThoseOfTheAllocatorsOwnStatistics() throws IOException {
        return outside("golden_").map(file -> peakTest(file, JSON.readTree(text(file))));
    }

    private static DynamicTest peakTest(Path recording, JsonNode about) {
        return DynamicTest.dynamicTest(recording.getFileName().toString(), () -> {
            DeviceResult device = Analysis.run(List.of(Snapshot.open(recording)), Analysis.Options.ALL)
                    .devices()
                    .getFirst();
            assertThat(device.peak().bytes())
                    .isEqualTo(about.get("stats").get("active_bytes.all.peak").asLong());
        });
    }

    @TestFactory
    Stream<DynamicTest> workloadsAreReplayedAsTheyWereRecorded() throws IOException {
        return outside("workload_")
                .map(file -> test(file, JSON.readTree(text(file)).get("extra")));
    }

    @TestFactory
    Stream<DynamicTest> operationLogsAreReplayedAsTheyWereRecorded() throws IOException {
        return outside("golden_").map(file -> test(file, JSON.readTree(text(file))));
    }

    private static Stream<Path> outside(String kind) throws IOException {
        return OutsideData.files("allocator-golden", ".pickle.gz").stream()
                .filter(file -> file.getFileName().toString().startsWith(kind));
    }

    /** Recordings of other people's jobs on real GPUs, torch 1.13 to 2.11; most begin with memory in use. */
    @TestFactory
    Stream<DynamicTest> jobsAreReplayedAsTheyWereRecorded() throws IOException {
        return OutsideData.files("corpus/snapshots", ".pickle.gz").stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> {
                    SnapshotColumns columns = read(file);
                    for (int device : LifetimeBuilder.devices(columns)) {
                        Lifetimes lifetimes = LifetimeBuilder.build(columns, device);
                        assertAgrees(new Replays(columns, lifetimes, 0).credibility());
                    }
                }));
    }

    /** What PyTorch reserved when the programs were run again under other settings, against what replays of one recording said. */
    @TestFactory
    Stream<DynamicTest> otherSettingsReserveWhatReplaysSay() throws IOException {
        Path folder = Repository.root().resolve("testkit/allocator/recorded");
        JsonNode measured = JSON.readTree(folder.resolve("whatif.json"));
        assertThat(measured.size()).isGreaterThan(40);
        return measured.valueStream().map(again -> {
            int program = again.get("program").asInt();
            String conf = again.get("settings").asString();
            return DynamicTest.dynamicTest("program " + program + " under " + conf, () -> {
                SnapshotColumns columns = read(folder.resolve("program_" + program + ".pickle.gz"));
                Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
                Trial outcome = new Replays(columns, lifetimes, 0)
                        .compare(0, List.of(AllocatorSettings.parse(conf)))
                        .others()
                        .getFirst();
                assertThat((double) outcome.peakReservedBytes())
                        .isCloseTo(again.get("peak_reserved_bytes").asDouble(), withinPercentage(1));
            });
        });
    }

    private static DynamicTest test(Path recording, JsonNode about) {
        return DynamicTest.dynamicTest(recording.getFileName().toString(), () -> {
            SnapshotColumns columns = read(recording);
            Lifetimes lifetimes = LifetimeBuilder.build(columns, 0);
            AllocatorSettings settings = AllocatorSettings.of(columns.settings)
                    .withPerProcessMemoryFraction(about.path("fraction").asDouble(1));
            long total = about.get("total").asLong();
            Credibility credibility = new Replays(columns, lifetimes, total, settings).credibility();
            assertThat(credibility.recordedDriverEvents()).isPositive();
            assertAgrees(credibility);
        });
    }

    private static void assertAgrees(Credibility credibility) {
        assertThat(List.of(credibility.predictedDriverEvents(), credibility.matchingDriverEvents()))
                .containsOnly(credibility.recordedDriverEvents());
    }

    private static SnapshotColumns read(Path recording) throws IOException {
        return ((Content.Recording) new Formats(ReadLimits.DEFAULT, _ -> {}).read(() -> Formats.open(recording), false))
                .columns();
    }

    private static Path beside(Path recording, String suffix) {
        String name = recording.getFileName().toString().replace(".pickle.gz", suffix);
        return recording.resolveSibling(name);
    }

    private static InputStream text(Path recording) {
        try {
            return new GZIPInputStream(Files.newInputStream(beside(recording, ".json.gz")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
