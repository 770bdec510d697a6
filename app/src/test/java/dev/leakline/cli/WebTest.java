package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Illustrated;
import dev.leakline.Figures;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.codec.Codec;
import dev.leakline.columns.ProfiledCall;
import dev.leakline.columns.ProfiledCall.Sample;
import dev.leakline.compare.Comparer;
import dev.leakline.profile.MemoryAnalyzer;
import dev.leakline.report.diff.DiffPage;
import dev.leakline.report.html.HtmlReport;
import dev.leakline.report.html.HtmlReport.Bundle;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Comparison;
import dev.leakline.result.DiffDocument;
import dev.leakline.result.InputFile;
import dev.leakline.testkit.Thoroughness;
import dev.leakline.testkit.holders.HolderDumpBuilder;
import dev.leakline.testkit.holders.Item;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a browser, and the front end's own tests. They need Node, {@code npm ci} in {@code report/src/main/web} and, for the page,
 * Chromium ({@code CHROMIUM} names it).
 */
@Order(3)
class WebTest {
    private static final long MB = 1 << 20;
    private static final Path WEB =
            Path.of("../report/src/main/web").toAbsolutePath().normalize();
    private static final Path SCENARIOS = Path.of("../testkit/scenarios");

    @TempDir
    private Path folder;

    @Test
    void theFrontEndIsTypedAndItsTestsPass() throws Exception {
        assumeInstalled("typescript");
        assertThat(run(WEB, "npm", "run", "--silent", "check")).isEmpty();
        assertThat(run(WEB, "npm", "--silent", "test")).contains("# fail 0");
    }

    /** A leak, a cycle, a failed request, a clean run, two devices, who holds a leak and a cycle, hostile names, and where there are any recordings of others. */
    @Test
    void thePageShowsWhatTheJsonReportSaysInChromium() throws Exception {
        assumeInstalled("playwright-core");
        assumeTrue(Files.isExecutable(Path.of(chromium())), "needs Chromium at " + chromium());
        page("leak", input(Path.of("../examples/train_with_a_leak.pickle.gz")));
        page("messages", input(Path.of("../examples/oom.log")));
        // With holders the last one has all that it has without.
        List<String> recorded = List.of("oom_pinned_by_statistics", "clean_gan", "second_gpu", "hooked_probe");
        for (String name : recorded.subList(0, Thoroughness.of(3, 4))) {
            page(name, input(SCENARIOS.resolve("recorded/" + name + ".pickle.gz")));
        }
        for (String name : List.of("hooked_probe", "callback_keeps_outputs")) {
            Path pair = SCENARIOS.resolve("holders/" + name);
            page(name + "_held", input(Path.of(pair + ".pickle.gz")), input(Path.of(pair + ".holders.gz")));
        }
        page("hostile", hostile());
        longer();
        comparison(
                "compared",
                Path.of("../examples/train_with_a_leak.pickle.gz"),
                SCENARIOS.resolve("recorded/clean_gan.pickle.gz"));
        page("functions", new Illustrated(functions(), List.of()));
        page("figures", Figures.result());
        page("hostile_figures", Figures.hostile());
        for (Path file : corpus()) {
            page(file.getFileName().toString().replaceAll("\\W.*", ""), input(file));
        }
        String said =
                run(folder, "node", WEB.resolve("../../test/web/browser.mjs").toString(), folder.toString());
        assertThat(said.lines()).isNotEmpty().allMatch(line -> line.startsWith("ok"));
    }

    private static Input input(Path file) throws IOException {
        return Input.open(InputSource.of(file), Demand.EVIDENCE);
    }

    private void page(String name, Input... inputs) throws IOException {
        page(name, Analysis.illustrate(List.of(inputs), Analysis.Options.ALL));
    }

    private void page(String name, AnalysisResult result) throws IOException {
        page(name, new Illustrated(result, List.of()));
    }

    private void page(String name, Illustrated illustrated) throws IOException {
        try (OutputStream page = Files.newOutputStream(folder.resolve(name + ".html"))) {
            HtmlReport.write(illustrated.result(), illustrated.pictures(), Bundle.shipped(), Long.MAX_VALUE, page);
        }
        try (Writer json = Files.newBufferedWriter(folder.resolve(name + ".json"))) {
            Codec.write(illustrated.result().shown(Integer.MAX_VALUE, true), json);
        }
    }

    private void comparison(String name, Path... files) throws IOException {
        List<Comparison.Side> sides = new ArrayList<>();
        for (Path file : files) {
            sides.add(new Comparison.Side(
                    file.getFileName().toString(), Analysis.run(List.of(input(file)), Analysis.Options.ALL)));
        }
        Comparison comparison = Comparer.compare(sides.getFirst(), sides.getLast());
        try (Writer page = Files.newBufferedWriter(folder.resolve(name + ".html"));
                Writer json = Files.newBufferedWriter(folder.resolve(name + ".json"))) {
            DiffPage.write(comparison, DiffPage.LINES, page);
            Codec.write(DiffDocument.of(comparison, DiffPage.LINES), json);
        }
    }

    /** Twenty calls of a function whose name would be script, each of which keeps 5 MiB. */
    private static AnalysisResult functions() {
        List<ProfiledCall> calls = IntStream.range(0, 20)
                .mapToObj(call -> new ProfiledCall(
                        "</script><script>alert(1)</script>",
                        0.1,
                        sample(call, 100 + 5 * call),
                        sample(call + 0.5, 105 + 5 * call),
                        sample(call + 0.5, 200 + 5 * call),
                        5 * MB,
                        0,
                        0,
                        0,
                        1))
                .toList();
        MemoryAnalyzer analyzer = new MemoryAnalyzer();
        return new AnalysisResult(
                        Analysis.version(),
                        List.of(new InputFile("results.json", "function profile", 4_000, "", null)),
                        Verdict.LEAK,
                        "Memory grows by 5.00 MiB per round of calls",
                        analyzer.findings(calls),
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of())
                .withFunctions(analyzer.analyze(calls));
    }

    private static Sample sample(double seconds, long mebibytes) {
        long bytes = mebibytes * MB;
        return new Sample(1.79e9 + seconds, bytes, bytes, bytes, bytes, bytes, 0, 0, 0, null);
    }

    /** Events for five zoom levels, too many for a page to have all blocks but in detail, and beside it the recording, for them to be added up. */
    private void longer() throws IOException {
        byte[] recording = snapshot().repeat(52_000, (s, i) -> step(s, i % 23)).write(Dialect.JSON);
        Files.write(folder.resolve("long.snapshot.json"), recording);
        Illustrated illustrated =
                Analysis.illustrateInDetail(List.of(read("long.json", recording)), Analysis.Options.ALL);
        assertThat(illustrated.pictures().getFirst().stretches()).isNotEmpty();
        page("long", illustrated);
    }

    private static void step(SnapshotBuilder recording, int size) {
        recording
                .alloc("x", (2 + 2 * size) * MB, "train.py:10 forward", "train.py:90 main")
                .alloc("y", (50 - 2 * size) * MB, "train.py:11 forward", "train.py:90 main")
                .free("x", "train.py:91 main")
                .free("y", "train.py:91 main");
    }

    /** Names that would be script, also those of objects in a cycle, and one that no screen can hold. */
    private static Input[] hostile() throws IOException {
        String script = "</script><script>alert(1)</script>";
        HolderDumpBuilder dump = new HolderDumpBuilder();
        Item ring = dump.object(script);
        ring.attribute("x".repeat(3000), dump.object(script.repeat(30)).attribute(script, ring));
        SnapshotBuilder recording = snapshot()
                .repeat(
                        40,
                        (s, i) -> s.alloc("kept" + i, 3 * MB, script + ".py:7 " + script, "main.py:3 main")
                                .alloc("gone" + i, 5 * MB, "x".repeat(100_000) + ".py:9 f", "main.py:4 main")
                                .free("gone" + i, "main.py:4 main"));
        for (int i = 0; i < 40; i++) {
            ring.item(i, dump.view(script, dump.storage(3 * MB, recording.addressOf("kept" + i) >> 4, -1)));
        }
        return new Input[] {
            read("hostile.pickle", recording.write(Dialect.PROTOCOL_4)), read(script + ".holders", dump.write())
        };
    }

    private static Input read(String name, byte[] file) throws IOException {
        return Input.open(InputSource.of(name, new ByteArrayInputStream(file)), Demand.EVIDENCE);
    }

    private static List<Path> corpus() throws IOException {
        String data = System.getenv("LEAKLINE_DATA");
        Path files = data == null ? null : Path.of(data, "corpus/snapshots");
        if (files == null || !Files.isDirectory(files)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(files)) {
            return Stream.concat(all.sorted().skip(20).limit(Thoroughness.of(0, 1)), Stream.of(expandable(data)))
                    .filter(Files::exists)
                    .toList();
        }
    }

    /** The real allocator with segments that expand, streams, and several failed requests. */
    private static Path expandable(String data) {
        return Path.of(data, "allocator-golden/golden_tight_expandable_streams.pickle.gz");
    }

    private static String chromium() {
        String named = System.getenv("CHROMIUM");
        return named == null ? "/usr/bin/chromium" : named;
    }

    private static void assumeInstalled(String library) {
        assumeTrue(
                Files.isDirectory(WEB.resolve("node_modules").resolve(library)), "needs npm ci in report/src/main/web");
    }

    /** What a command prints; it must end well. */
    private static String run(Path where, String... command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(Arrays.asList(command));
        Process process = new ProcessBuilder(words)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(String.join(" ", words) + "\n" + said).isZero();
        return said;
    }
}
