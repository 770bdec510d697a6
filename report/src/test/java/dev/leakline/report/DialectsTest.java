package dev.leakline.report;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.github.luben.zstd.Zstd;
import dev.leakline.read.Formats;
import dev.leakline.read.snapshot.Canonical;
import dev.leakline.result.AnalysisResult;
import dev.leakline.source.Content;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.TorchVersion;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.Layout;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import dev.leakline.testkit.snapshot.Wrapping;
import dev.leakline.testkit.snapshot.event.Stage;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** One recording, however it is written and wrapped, gives the same columns and the same report. */
class DialectsTest {
    private static final long MB = 1 << 20;

    private static final Map<Layout, String> VERSIONS = new EnumMap<>(Map.of(
            Layout.V1_13, "1.13 or earlier",
            Layout.V2_0, "2.0 to 2.1",
            Layout.V2_1, "2.0 to 2.1",
            Layout.V2_2, "2.2",
            Layout.V2_4, "2.3 to 2.4",
            Layout.V2_6, "2.5 to 2.7",
            Layout.V2_8, "2.8 to 2.9",
            Layout.V2_10, "2.10 to 2.11",
            Layout.V2_12, "2.12 to 2.13",
            Layout.V2_14, "2.14 or later"));

    private static final Map<String, UnaryOperator<byte[]>> WRAPPINGS = Map.of(
            "plain",
            file -> file,
            "gzip",
            Wrapping::gzip,
            "zstd",
            Zstd::compress,
            "gzip twice",
            file -> Wrapping.gzip(Wrapping.gzip(file)));

    private static final Map<String, UnaryOperator<byte[]>> WRAPPINGS_OF_PICKLES = Map.of(
            "padded", file -> Arrays.copyOf(file, file.length + 3),
            "page", Wrapping::memoryVizPage,
            "page, gzip", file -> Wrapping.gzip(Wrapping.memoryVizPage(file)));

    @TestFactory
    Stream<DynamicTest> everyDialectAndWrappingSaysTheSame() throws Exception {
        List<String> expected = Canonical.of(recording().write(Dialect.PROTOCOL_2));
        String report = report(recording().write(Dialect.PROTOCOL_2));
        return Arrays.stream(Dialect.values())
                .flatMap(dialect -> wrapped(dialect)
                        .map(file -> dynamicTest(file.getKey(), () -> {
                            assertThat(Canonical.of(file.getValue())).isEqualTo(expected);
                            assertThat(report(file.getValue())).isEqualTo(report);
                        })));
    }

    @TestFactory
    Stream<DynamicTest> everyLayoutOpensAndTellsItsVersion() {
        return Arrays.stream(Layout.values())
                .flatMap(layout -> Arrays.stream(Dialect.values())
                        .map(dialect -> dynamicTest(layout + " " + dialect, () -> checkLayout(layout, dialect))));
    }

    @Test
    void aSnapshotWithoutEventsTellsLessOfItsVersion() throws Exception {
        byte[] old = snapshot().layout(Layout.V2_2).preexisting("w", 7 * MB).write(Dialect.PROTOCOL_4);
        byte[] recent = snapshot().layout(Layout.V2_12).preexisting("w", 7 * MB).write(Dialect.PROTOCOL_4);
        assertThat(TorchVersion.of(read(old).columns())).isEqualTo("2.0 to 2.2");
        assertThat(TorchVersion.of(read(recent).columns())).isEqualTo("2.5 to 2.13");
    }

    @Test
    void theFormatSaysHowTheFileWasWritten() throws Exception {
        assertThat(read(recording().write(Dialect.PROTOCOL_0)).format()).isEqualTo("pickle protocol 0");
        assertThat(read(recording().write(Dialect.CPP)).format()).isEqualTo("pickle protocol 2");
        assertThat(read(Wrapping.gzip(recording().write(Dialect.JSON))).format())
                .isEqualTo("JSON, gzip");
        assertThat(read(Zstd.compress(Wrapping.memoryVizPage(recording().write(Dialect.PROTOCOL_5))))
                        .format())
                .isEqualTo("pickle protocol 5 in a memory_viz page, zstd");
    }

    private static Stream<Map.Entry<String, byte[]>> wrapped(Dialect dialect) {
        byte[] file = recording().write(dialect);
        Stream<Map.Entry<String, UnaryOperator<byte[]>>> wrappings = dialect == Dialect.JSON
                ? WRAPPINGS.entrySet().stream()
                : Stream.concat(WRAPPINGS.entrySet().stream(), WRAPPINGS_OF_PICKLES.entrySet().stream());
        return wrappings.map(wrapping -> Map.entry(
                dialect + ", " + wrapping.getKey(), wrapping.getValue().apply(file)));
    }

    private static void checkLayout(Layout layout, Dialect dialect) throws Exception {
        Content.Recording file = read(recording().layout(layout).write(dialect));
        assertThat(file.truncation()).isNull();
        assertThat(file.columns().counters.counts()).isEmpty();
        assertThat(TorchVersion.of(file.columns())).isEqualTo(VERSIONS.get(layout));
        assertThat(file.columns().blocks.size()).isPositive();
        assertThat(Canonical.of(file.columns())).contains(block(layout));
    }

    /** The last allocation's block: requested sizes are known from 2.0 on. */
    private static String block(Layout layout) {
        long requested = layout == Layout.V1_13 ? 13 * MB + 512 : 13 * MB + 77;
        return "block " + recording().addressOf("cache") + " " + (13 * MB + 512) + " " + requested
                + " ALLOCATED [cache.py:88 keep < main.py:7 main]";
    }

    private static Content.Recording read(byte[] file) throws Exception {
        return (Content.Recording) new Formats(ReadLimits.DEFAULT, _ -> {}).read(new ByteArrayInputStream(file));
    }

    /** The report but for what it says of the file itself. */
    private static String report(byte[] file) throws ReadException {
        AnalysisResult result = WholeWay.analyse(file);
        return WholeWay.report(new AnalysisResult(
                result.toolVersion(),
                List.of(),
                result.verdict(),
                result.reason(),
                result.findings(),
                result.acquittals(),
                result.checks(),
                result.devices(),
                result.settings()));
    }

    /** Something of everything that a snapshot can hold. */
    private static SnapshotBuilder recording() {
        SnapshotBuilder recording = snapshot()
                .preexisting("weights", 37 * MB + 5)
                .preexisting("buffers", 700, "init.py:3 load")
                .repeat(
                        40,
                        (s, i) -> s.alloc("loss" + i, 3 * MB + i, "loss.py:9 loss", "main.py:7 main")
                                .step())
                .repeat(30, (s, i) -> s.free("loss" + i, "train.py:52 \u00fcbung\n"))
                .compileContext("0/1")
                .metadata("phase \u2018two\u2019")
                .alloc("cache", 13 * MB + 77, "cache.py:88 keep", "main.py:7 main")
                .annotation("evaluate", Stage.START)
                .alloc("native", 300, "??:0 at::empty_cuda")
                .annotation("evaluate", Stage.END)
                .requestFree("loss39", "main.py:12 main")
                .hostAlloc("pinned", 70_000, "data.py:5 pin")
                .annotate("cache", "a note", "main.py:13 main")
                .setting("max_split_size", 200 * MB)
                .setting("garbage_collection_threshold", 0.75);
        return recording.device(1).stream(0x7f00_1234_5600L)
                .pool(3, 1)
                .alloc("other", 41 * MB, "other.py:1 f")
                .oom(900 * MB, 77 * MB, "other.py:2 g")
                .snapshotEvent();
    }
}
