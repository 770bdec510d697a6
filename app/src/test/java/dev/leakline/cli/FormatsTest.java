package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.pickle.Dialect;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.maven.plugin.surefire.log.api.NullConsoleLogger;
import org.apache.maven.plugins.surefire.report.ReportTestCase;
import org.apache.maven.plugins.surefire.report.ReportTestSuite;
import org.apache.maven.plugins.surefire.report.TestSuiteXmlParser;
import org.commonmark.ext.gfm.tables.TableBody;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The forms of a report that other programs show, each opened by a reader of its own; names in the recording try to be markup. */
final class FormatsTest {
    private static final long MB = 1 << 20;
    /** A file and a function that would be a formula, a tag, a link, a mention and the end of a cell. */
    private static final String NASTY = "=x|`a`<img src=x>@you[b](javascript:c).py:25 *f*&\"g\"";

    @TempDir
    private Path folder;

    @BeforeEach
    void record() throws IOException {
        Files.write(folder.resolve("nasty.pickle"), leak(NASTY));
        Files.write(folder.resolve("plain.pickle"), leak("src/train.py:3 train"));
        Files.write(
                folder.resolve("clean.pickle"),
                snapshot()
                        .repeat(40, (s, i) -> s.alloc("x", 3 * MB, "a.py:1 f").free("x", "a.py:2 f"))
                        .write(Dialect.PROTOCOL_4));
    }

    static byte[] leak(String line) {
        return snapshot()
                .repeat(
                        40,
                        (s, i) -> s.alloc("batch", 20 * MB, "train.py:20 train", "main.py:5 main")
                                .alloc("loss" + i, 3 * MB, line, "main.py:5 main")
                                .free("batch", "train.py:30 train", "main.py:5 main")
                                .step())
                .write(Dialect.PROTOCOL_4);
    }

    @Test
    void markdownIsAHeadlineATableAndNoMarkupOfTheRecording() throws Exception {
        String comment = report("markdown", "nasty.pickle");
        assertThat(comment).startsWith("### Leakline: leak\n").contains("3.00 MiB per step");
        Node page = Parser.builder()
                .extensions(List.of(TablesExtension.create()))
                .build()
                .parse(comment);
        List<Node> nodes = nodes(page, new ArrayList<>());
        assertThat(nodes).noneMatch(Link.class::isInstance);
        assertThat(nodes.stream().filter(HtmlInline.class::isInstance).map(node -> ((HtmlInline) node).getLiteral()))
                .containsOnly("<code>", "</code>", "<sub>", "</sub>");
        assertThat(nodes.stream().filter(HtmlBlock.class::isInstance).map(node -> ((HtmlBlock) node).getLiteral()))
                .allMatch(html -> html.matches("<details><summary>[\\w :.]+</summary>|</details>"));
        Node row = Objects.requireNonNull(nodes.stream()
                .filter(TableBody.class::isInstance)
                .findFirst()
                .orElseThrow()
                .getFirstChild());
        assertThat(nodes(row, new ArrayList<>()).stream().filter(TableCell.class::isInstance))
                .hasSize(5);
        assertThat(comment.replaceAll("<code>.*?</code>", "")).doesNotContain("@you", "\t");
    }

    @Test
    void aPatchIsAFencedBlock() throws Exception {
        Path source = Files.createDirectories(folder.resolve("src"));
        Files.writeString(source.resolve("train.py"), """
                def train(model, batches, kept):
                    for batch in batches:
                        kept.append(model(batch).mean())
                """);
        String comment = report("markdown", "plain.pickle", "--source", ".");
        assertThat(nodes(Parser.builder().build().parse(comment), new ArrayList<>()).stream()
                        .filter(FencedCodeBlock.class::isInstance)
                        .map(node -> ((FencedCodeBlock) node).getLiteral()))
                .hasSize(1)
                .allMatch(patch -> patch.contains("\n+        kept.append("));
        JsonNode result = sarif(report("sarif", "plain.pickle", "--source", "."))
                .get("runs")
                .get(0)
                .get("results")
                .get(0);
        assertThat(result.at("/locations/0/physicalLocation/artifactLocation/uri")
                        .asString())
                .isEqualTo("src/train.py");
        assertThat(result.at("/locations/0/physicalLocation/region/startLine").asInt())
                .isEqualTo(3);
        assertThat(result.at("/partialFingerprints/leaklineFinding~1v1").asString())
                .hasSizeGreaterThan(5);
    }

    @Test
    void sarifKeepsToItsSchema() throws Exception {
        assertThat(sarif(report("sarif", "nasty.pickle")).at("/runs/0/results").size())
                .isEqualTo(1);
        assertThat(sarif(report("sarif", "clean.pickle")).at("/runs/0/results").size())
                .isZero();
        Files.writeString(folder.resolve("bad.py"), "kept = []\nfor b in d:\n    loss = m(b)\n    kept.append(loss)\n");
        sarif(run("lint", "--format", "sarif", "bad.py").out());
    }

    static JsonNode sarif(String text) throws IOException {
        try (InputStream schema = Objects.requireNonNull(
                FormatsTest.class.getResourceAsStream("/schema/sarif-schema-2.1.0.json"), "no schema of SARIF")) {
            assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                            .getSchema(schema)
                            .validate(text, InputFormat.JSON))
                    .as("breaches of SARIF's schema")
                    .isEmpty();
        }
        return new ObjectMapper().readTree(text);
    }

    @Test
    void junitHasACaseForEachFindingOrTheVerdict() throws Exception {
        ReportTestCase leak = onlyCase(report("junit", "nasty.pickle"));
        assertThat(leak.hasFailure()).isTrue();
        assertThat(leak.getFullClassName()).isEqualTo("leakline.leak");
        assertThat(leak.getFailureMessage()).contains("<img src=x>");
        ReportTestCase clean = onlyCase(report("junit", "clean.pickle"));
        assertThat(clean.isSuccessful()).isTrue();
        assertThat(clean.getName()).isEqualTo("no_leak");
    }

    static List<ReportTestCase> cases(String xml) throws Exception {
        try (InputStreamReader reader = new InputStreamReader(
                new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8)) {
            List<ReportTestSuite> suites = new TestSuiteXmlParser(new NullConsoleLogger()).parse(reader);
            return suites.stream()
                    .flatMap(suite -> suite.getTestCases().stream())
                    .toList();
        }
    }

    private static ReportTestCase onlyCase(String xml) throws Exception {
        assertThat(cases(xml)).hasSize(1);
        return cases(xml).getFirst();
    }

    /** Python's own reader, as pandas has it too. */
    @Test
    void csvHasARowForEachFindingAndNoFormula() throws Exception {
        Files.writeString(folder.resolve("x.csv"), report("csv", "nasty.pickle"));
        Process python = new ProcessBuilder(
                        "python3",
                        "-c",
                        "import csv; rows = list(csv.DictReader(open('x.csv', newline='')));"
                                + " print(len(rows), rows[0]['line'], rows[0]['bytes_per_step'], rows[0]['file'][:4])")
                .directory(folder.toFile())
                .start();
        assertThat(new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("1 25 3145728.0 '=x|\n");
        assertThat(python.waitFor()).isZero();
    }

    @Test
    void aFormThatACommandLacksIsWrongUsage() throws Exception {
        assertThat(run("diff", "--format", "csv", "a", "b").err()).contains("expected one of [TEXT, JSON, BRIEF]");
    }

    private String report(String format, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("report", "--format", format));
        command.addAll(List.of(arguments));
        Outcome outcome = run(command.toArray(String[]::new));
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exit()).isZero();
        return outcome.out();
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }

    private static List<Node> nodes(Node node, List<Node> all) {
        all.add(node);
        for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
            nodes(child, all);
        }
        return all;
    }
}
