package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leakline.known.Cause;
import dev.leakline.lint.LintResult.Unreadable;
import dev.leakline.lint.output.LintJson;
import dev.leakline.lint.output.LintText;
import dev.leakline.lint.output.Sarif;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Files as they come, and the forms of the result. */
final class LintTest {
    private static final String BAD = """
            def run(net, pages, opt):
                kept = []
                for page in pages:
                    cost = net(page).mean()
                    cost.backward()
                    kept.append(cost)
            """;

    @TempDir
    Path folder;

    private LintResult lint() {
        return Lint.run(List.of(folder), Configuration.STANDARD, null);
    }

    @Test
    void whatIsNoPythonIsListedAndTheRestIsJudged() throws IOException {
        Files.writeString(folder.resolve("good.py"), BAD);
        Files.writeString(folder.resolve("marked.py"), "\uFEFF" + BAD);
        Files.write(
                folder.resolve("latin.py"),
                ("# -*- coding: latin-1 -*-\n# \u00FC\n" + BAD).getBytes(StandardCharsets.ISO_8859_1));
        Files.write(folder.resolve("gbk.py"), ("# coding: gbk\n# \u4E2D\n" + BAD).getBytes(Charset.forName("GBK")));
        Files.writeString(folder.resolve("tail.py"), BAD + "\ndef broken(:\n    pass\n");
        Files.writeString(folder.resolve("two.py"), "print 'x'\n");
        Files.writeString(folder.resolve("nul.py"), "x = 1\0\n");
        Files.writeString(folder.resolve("tabs.py"), "def f(x):\n\tif x:\n        return 1\n\treturn 2\n");
        Files.write(folder.resolve("bytes.py"), new byte[] {(byte) 0xFF, (byte) 0xFE, 0, 1, 2});
        Files.writeString(folder.resolve("deep.py"), "x = " + "(".repeat(5000) + ")".repeat(5000) + "\n");
        Files.writeString(folder.resolve("empty.py"), "");
        LintResult result = lint();
        assertThat(result.findings().stream().map(f -> Path.of(f.file()).getFileName() + ":" + f.line()))
                .contains("good.py:6", "marked.py:6", "latin.py:8", "gbk.py:8", "tail.py:6");
        assertThat(result.errors().stream()
                        .map(Unreadable::file)
                        .map(f -> Path.of(f).getFileName().toString()))
                .contains("tail.py", "two.py", "nul.py", "tabs.py", "bytes.py")
                .doesNotContain("good.py", "marked.py", "latin.py", "gbk.py", "empty.py");
    }

    @Test
    void installedPackagesAreOnlyJudgedWhereTheyAreNamed() throws IOException {
        Path installed = Files.createDirectories(folder.resolve("env/lib/site-packages/net"));
        Files.writeString(installed.resolve("bad.py"), BAD);
        assertThat(lint().files()).isZero();
        assertThat(Lint.run(List.of(installed.getParent()), Configuration.STANDARD, null)
                        .findings())
                .hasSize(1);
        assertThat(Lint.isSkipped("env/site-packages/net/bad.py")).isTrue();
        assertThat(Lint.isSkipped("net/bad.py")).isFalse();
    }

    @Test
    void everyCauseOfARuleIsOneOfReports() {
        List<String> known = Stream.of(Cause.class.getFields())
                .map(LintTest::cause)
                .map(Cause::id)
                .toList();
        assertThat(Rule.all()).allSatisfy(rule -> assertThat(known).containsAll(rule.causes()));
        assertThat(Rule.of("LK001").explanation()).contains("Cause in reports: autograd_graph_kept");
    }

    private static Cause cause(Field constant) {
        try {
            return (Cause) constant.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void notebooksAreTheirCodeCells() throws IOException {
        String source = new ObjectMapper().writeValueAsString("%matplotlib inline\n" + BAD);
        Files.writeString(
                folder.resolve("x.ipynb"),
                "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [\"text\"]}, {\"cell_type\": \"code\", \"metadata\": {}, \"source\": "
                        + source + "}], \"nbformat\": 4}");
        LintResult result = lint();
        assertThat(result.errors()).isEmpty();
        assertThat(result.findings())
                .singleElement()
                .satisfies(f -> assertThat(f.message()).startsWith("cell 1, line 7: "));
    }

    @Test
    void jsonAndSarifSayTheSame() throws IOException {
        Files.writeString(folder.resolve("x.py"), BAD);
        LintResult result = lint();
        StringWriter json = new StringWriter();
        LintJson.write(result, json);
        JsonNode finding =
                new ObjectMapper().readTree(json.toString()).get("findings").get(0);
        assertThat(finding.get("rule").asString()).isEqualTo("LK001");
        assertThat(finding.get("fix").get(0).get("text").asString()).isEqualTo("cost.detach().cpu()");
        StringWriter sarif = new StringWriter();
        Sarif.write(result, "1", sarif);
        JsonNode run = new ObjectMapper().readTree(sarif.toString()).get("runs").get(0);
        JsonNode same = run.get("results").get(0);
        assertThat(same.get("ruleId").asString()).isEqualTo("LK001");
        assertThat(run.get("tool")
                        .get("driver")
                        .get("rules")
                        .get(same.get("ruleIndex").asInt())
                        .get("id")
                        .asString())
                .isEqualTo("LK001");
        assertThat(LintText.of(result)).first().asString().contains("x.py:6:9: LK001 [+] cost is kept");
    }

    @Test
    void pyprojectSaysWhatIsLookedFor() {
        String text = "[tool.leakline.lint]\nignore = [\"LK001\"]\nexclude = ['old']\n[tool.other]\nselect = 1\n";
        Configuration configuration = Configuration.parse(text, "pyproject.toml");
        assertThat(configuration.isOn("LK001")).isFalse();
        assertThat(configuration.isOn("LK002")).isTrue();
        assertThat(configuration.exclude()).containsExactly("old");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Configuration.parse("[tool.leakline.lint]\nselect = [\"XX1\"]\n", "pyproject.toml"));
    }

    @Test
    void rulesAreNamedInAnyCaseAndUnknownOnesAreErrors() {
        assertThat(Configuration.STANDARD.with(List.of("lk001"), List.of()).isOn("LK001"))
                .isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Configuration.STANDARD.with(List.of("LK999"), List.of()))
                .withMessageContainingAll("--select", "LK999", "LK001, LK002");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Configuration.STANDARD.with(List.of(), List.of("X")))
                .withMessageContaining("--ignore");
        assertThat(Rule.of("lk015").id()).isEqualTo("LK015");
        assertThat(Linted.of(BAD.replace("append(cost)", "append(cost)  # leakline: ignore[lk001]")))
                .isEmpty();
    }

    @Test
    void tellsWhichFilesChanged() throws IOException {
        Path file = folder.resolve("x.py");
        Files.writeString(file, BAD);
        Files.writeString(folder.resolve("y.py"), BAD);
        Files.writeString(folder.resolve("z.txt"), BAD);
        ChangedFiles files = new ChangedFiles(List.of(folder), Configuration.STANDARD);
        assertThat(files.next()).hasSize(2);
        assertThat(files.next()).isEmpty();
        Files.writeString(file, BAD + "#");
        assertThat(files.next()).containsExactly(file);
        Files.delete(file);
        assertThat(files.next()).isEmpty();
        Files.writeString(file, BAD);
        assertThat(files.next()).containsExactly(file);
    }

    @Test
    void anEmptyFolderIsNoCleanOne() {
        assertThat(LintText.of(lint())).singleElement().asString().startsWith("No file was checked");
    }

    @Test
    void everyRuleHasReasons() {
        assertThat(Rule.all()).hasSize(15).allSatisfy(rule -> {
            assertThat(rule.costs()).isNotBlank();
            assertThat(rule.why()).isNotBlank();
            assertThat(rule.fix()).isNotBlank();
            assertThat(rule.exempt()).isNotBlank();
            assertThat(rule.link()).startsWith("https://");
        });
    }
}
