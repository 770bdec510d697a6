package dev.leakline.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.ZstdOutputStream;
import dev.leakline.Analysis;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.Ranks;
import dev.leakline.Snapshot;
import dev.leakline.Sources;
import dev.leakline.codec.Codec;
import dev.leakline.compare.Comparer;
import dev.leakline.lint.Configuration;
import dev.leakline.lint.Lint;
import dev.leakline.lint.output.LintJson;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Comparison.Side;
import dev.leakline.result.DiffDocument;
import dev.leakline.result.ProcessSummary;
import dev.leakline.testkit.Thoroughness;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The page in Chromium ({@code CHROMIUM} names it) against the JVM, and in the full ring in Firefox ({@code FIREFOX} names it) as well: what this
 * Java makes of files, the page has to make of them as well. It needs Node and {@code npm ci} in {@code report/src/main/web}.
 */
class PageTest {
    private static final Path PAGE = Path.of("target/leakline.html").toAbsolutePath();
    /** What people still send by mail, and base64 of what grows by half a megabyte would pass. */
    private static final long LARGEST = 2_500_000;

    private static final String CHROMIUM = browser("CHROMIUM", "/usr/bin/chromium");
    private static final String FIREFOX = browser("FIREFOX", "/usr/bin/firefox-esr");
    private static final Path EXAMPLES = Path.of("../examples");
    private static final Path SCENARIOS = Path.of("../testkit/scenarios");
    private static final List<Path> FUZZED =
            List.of(Path.of("../core/src/test/resources"), Path.of("../report/src/test/resources"));
    private static final Path SCRIPT =
            Path.of("../report/src/test/web/drop.mjs").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream list = new ByteArrayOutputStream();
    private final JsonGenerator cases =
            new JsonFactory().createGenerator(ObjectWriteContext.empty(), list).writeStartArray();
    private int count;

    @BeforeEach
    void assumeThatThePageAndABrowserAreHere() {
        assumeTrue(Files.exists(PAGE), "the page was not built (-Dweb.skip)");
        assumeTrue(
                !dev.leakline.Analysis.version().equals("development"),
                "the version stands in the jar, which mvn verify makes");
        assumeTrue(
                Files.isDirectory(Path.of("../report/src/main/web/node_modules/playwright-core")),
                "needs npm ci in report/src/main/web");
        assumeTrue(Files.isExecutable(Path.of(CHROMIUM)), "needs Chromium at " + CHROMIUM);
    }

    @Test
    void thePageSaysWhatTheJvmSays() throws Exception {
        assertThat(Files.size(PAGE)).isLessThan(LARGEST);
        Path recording = EXAMPLES.resolve("train_with_a_leak.pickle.gz");
        add(recording);
        add(EXAMPLES.resolve("train_with_a_leak.holders.gz"), recording);
        add(EXAMPLES.resolve("train_with_a_leak.holders.gz"));
        add(EXAMPLES.resolve("oom.log"));
        addAll(Thoroughness.of(Thoroughness.of(files(SCENARIOS.resolve("recorded"), ".pickle.gz"))));
        String data = System.getenv("LEAKLINE_DATA");
        if (data != null) {
            addAll(Thoroughness.of(Thoroughness.of(files(Path.of(data, "corpus"), ""))));
            addAll(Thoroughness.of(Thoroughness.of(files(Path.of(data, "evidencebench"), ""))));
        }
        add(zstd(recording));
        add(Files.writeString(folder.resolve("top.txt"), """
                NAME        CPU(cores)   MEMORY(bytes)
                trainer-0   3912m        18211Mi
                trainer-0   3912m        18942Mi
                trainer-0   3912m        19673Mi
                """));
        add(Files.writeString(
                folder.resolve("long.jsonl"), "{\"step\": 1, \"note\": \"" + "n ".repeat(20_000) + "\"}\n"));
        addWithSource(recording, EXAMPLES.resolve("train_with_a_leak.py"));
        addSources(EXAMPLES.resolve("train_with_a_leak.py"), EXAMPLES.resolve("model.py"));
        compare(recording, EXAMPLES.resolve("fit/train_too_large.pickle.gz"));
        compareRanks(files(EXAMPLES.resolve("ranks"), ".pickle.gz"));
        run();
    }

    /** The inputs of fuzz tests, a file that decompresses to a gibibyte, and one that ends early. */
    @Test
    void hostileFilesAreRefusedAsTheJvmRefusesThem() throws Exception {
        for (Path inputs : FUZZED) {
            addAll(Thoroughness.of(files(inputs, "")));
        }
        Path bomb = folder.resolve("bomb.pickle.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(bomb))) {
            out.write("{\"segments\": [".getBytes(StandardCharsets.UTF_8));
            byte[] blanks = " ".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < 1024; i++) {
                out.write(blanks);
            }
        }
        addBomb(bomb);
        byte[] whole = Files.readAllBytes(EXAMPLES.resolve("train_with_a_leak.pickle.gz"));
        add(Files.write(folder.resolve("cut.pickle.gz"), Arrays.copyOf(whole, whole.length / 2)));
        add(Files.writeString(
                folder.resolve("<img src=x onerror=alert(1)>.json"), "[{\"</script><script>alert(1)</script>\": 1}]"));
        run();
    }

    /** A file that is refused, unless this machine takes longer for that than the page waits for anything. */
    private void addBomb(Path file) throws IOException {
        begin(file);
        String name = file.getFileName().toString();
        try {
            Input _ = Input.open(InputSource.of(name, () -> Files.newInputStream(file)), Demand.EVIDENCE);
        } catch (IOException e) {
            cases.writeStringProperty("refused", e.getMessage());
        }
        cases.writeStringProperty("stopped", "leakline report " + name);
        cases.writeEndObject();
    }

    private static String browser(String variable, String usual) {
        String named = System.getenv(variable);
        return named == null ? usual : named;
    }

    private static List<Path> files(Path root, String end) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(
                            file -> Files.isRegularFile(file) && file.toString().endsWith(end))
                    .filter(file ->
                            !file.toString().endsWith(".py") && file.toFile().length() > 0)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    private void addAll(List<Path> files) throws IOException {
        for (Path file : files) {
            add(file);
        }
    }

    /** Adds a case of files in the order of their names, with what this Java makes of them. */
    private void add(Path... files) throws IOException {
        List<Input> inputs = new ArrayList<>();
        String refused = null;
        for (Path file : files) {
            try {
                inputs.add(Input.open(
                        InputSource.of(file.getFileName().toString(), () -> Files.newInputStream(file)),
                        Demand.EVIDENCE));
            } catch (IOException e) {
                refused = e.getMessage();
            }
        }
        add(inputs.isEmpty() ? null : json(judged(inputs)), refused, null, files);
    }

    private static Record judged(List<Input> inputs) {
        return inputs.stream().allMatch(HolderDump.class::isInstance)
                ? HolderDump.explain(inputs.stream().map(HolderDump.class::cast).toList())
                : Analysis.run(inputs, Analysis.Options.ALL).shown(Integer.MAX_VALUE, false);
    }

    /** The same recording, compressed by the library that this Java has. */
    private Path zstd(Path recording) throws IOException {
        Path file = folder.resolve("train_with_a_leak.pickle.zst");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(recording));
                OutputStream out = new ZstdOutputStream(Files.newOutputStream(file))) {
            in.transferTo(out);
        }
        return file;
    }

    /** The folder of a source is that of the page, here. */
    private void addWithSource(Path recording, Path source) throws IOException {
        Input input = Input.open(
                InputSource.of(recording.getFileName().toString(), () -> Files.newInputStream(recording)),
                Demand.EVIDENCE);
        Sources sources = Sources.of(List.of(source.getParent()));
        AnalysisResult result = Analysis.run(List.of(input), Analysis.Options.ALL.with(sources));
        String json = json(result.shown(Integer.MAX_VALUE, false));
        assertThat(json).contains(source.toString()).contains("patch");
        add(json.replace(source.getParent() + "/", "./"), null, null, recording, source);
    }

    private void addSources(Path... files) throws IOException {
        SortedMap<String, byte[]> sources = new TreeMap<>();
        for (Path file : files) {
            sources.put(file.getFileName().toString(), Files.readAllBytes(file));
        }
        StringWriter json = new StringWriter();
        LintJson.write(Lint.run(sources, Configuration.STANDARD), json);
        assertThat(json.toString()).contains("LK0");
        add(json.toString(), null, null, files);
    }

    private void compareRanks(List<Path> files) throws IOException {
        List<ProcessSummary> ranks = new ArrayList<>();
        for (Path file : files) {
            String name = file.getFileName().toString();
            ranks.add(Ranks.summarize(
                    (Snapshot) Input.open(InputSource.of(name, () -> Files.newInputStream(file)), Demand.EVIDENCE),
                    name));
        }
        add(
                json(Ranks.compare(Ranks.job(ranks, List.of()), 0)),
                null,
                "As ranks of one job",
                files.toArray(Path[]::new));
    }

    private void compare(Path before, Path after) throws IOException {
        List<Side> sides = new ArrayList<>();
        for (Path file : List.of(before, after)) {
            String name = file.getFileName().toString();
            AnalysisResult result = Analysis.run(
                    List.of(Input.open(InputSource.of(name, () -> Files.newInputStream(file)), Demand.EVIDENCE)),
                    Analysis.Options.ALL);
            sides.add(new Side(name, result));
        }
        // The page takes files in the order of their names.
        add(
                json(DiffDocument.of(Comparer.compare(sides.getLast(), sides.getFirst()), Integer.MAX_VALUE)),
                null,
                "Compare the two",
                before,
                after);
    }

    private static String json(Record result) {
        StringWriter json = new StringWriter();
        Codec.write(result, json);
        return json.toString();
    }

    private void add(@Nullable String expected, @Nullable String refused, @Nullable String button, Path... files)
            throws IOException {
        begin(files);
        if (button != null) {
            cases.writeStringProperty("button", button);
        }
        if (expected != null) {
            String json = count + ".expected";
            Files.writeString(folder.resolve(json), expected);
            cases.writeStringProperty("json", json);
        }
        if (refused != null) {
            cases.writeStringProperty("refused", refused);
        }
        cases.writeEndObject();
    }

    private void begin(Path... files) {
        cases.writeStartObject();
        cases.writeStringProperty("name", count++ + " " + files[0].getFileName());
        cases.writeArrayPropertyStart("files");
        for (Path file : files) {
            cases.writeString(file.toAbsolutePath().toString());
        }
        cases.writeEndArray();
    }

    private void run() throws IOException, InterruptedException {
        cases.writeEndArray();
        cases.close();
        Files.write(folder.resolve("cases.json"), list.toByteArray());
        run(Map.of("CHROMIUM", CHROMIUM));
        if (Thoroughness.of(0, 1) > 0 && Files.isExecutable(Path.of(FIREFOX))) {
            run(Map.of("FIREFOX", FIREFOX));
        }
    }

    private void run(Map<String, String> browser) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("node", SCRIPT.toString(), PAGE.toString(), folder.toString())
                .redirectErrorStream(true);
        builder.environment().remove("FIREFOX");
        builder.environment().putAll(browser);
        Process node = builder.start();
        node.getOutputStream().close();
        String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor()).as(said).isZero();
        assertThat(said.lines().filter(line -> line.startsWith("ok"))).as(said).hasSize(count + 1);
    }
}
