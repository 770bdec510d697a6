package dev.leakline.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fixes keep comments and formatting, and what they made gives no finding. */
final class FixerTest {
    private static final String BAD = """
            import torch


            def run(net, pages, opt):
                kept = []
                for page in pages:
                    cost = net(page).mean()
                    opt.zero_grad()
                    cost.backward(retain_graph=True)   # again?
                    opt.step()
                    kept.append( cost )  # for the plot
                return kept


            def guess(net, pages):
                for page in pages:
                    yield net(page).argmax(-1).tolist()
            """;

    private static final String GOOD = """
            import torch


            def run(net, pages, opt):
                kept = []
                for page in pages:
                    cost = net(page).mean()
                    opt.zero_grad()
                    cost.backward()   # again?
                    opt.step()
                    kept.append( cost.detach().cpu() )  # for the plot
                return kept


            @torch.no_grad()
            def guess(net, pages):
                for page in pages:
                    yield net(page).argmax(-1).tolist()
            """;

    @Test
    void aPatchSaysWhereNothingEndsTheLastLine() {
        String text = BAD.substring(0, BAD.indexOf("\n    return kept")) + "  # \u00FC";
        assertThat(Fixer.patch("my train.py", text, Linted.findings(text).subList(0, 1)))
                .startsWith("--- a/my train.py\t\n+++ b/my train.py\t\n@@ ")
                .contains("-        kept.append( cost )  # for the plot  # \u00FC\n\\ No newline at end of file\n")
                .endsWith(
                        "+        kept.append( cost.detach().cpu() )  # for the plot  # \u00FC\n\\ No newline at end of file\n");
    }

    @Test
    void weightsAreCopiedPartByPart() {
        String text = """
                import copy
                best = []
                def fit(model, epochs):
                    for epoch in epochs:
                        best.append(copy.deepcopy(model.state_dict()))
                """;
        assertThat(Fixer.apply(text, Linted.findings(text)))
                .contains("lambda part: part.detach().cpu(), copy.deepcopy(model.state_dict())))\n");
    }

    @Test
    void editsOnlyWhatIsWrong() {
        assertThat(Fixer.apply(BAD, Linted.findings(BAD))).isEqualTo(GOOD);
        assertThat(Linted.of(GOOD)).isEmpty();
    }

    private static void fail(String file, IOException failure) {
        throw new AssertionError(file, failure);
    }

    @Test
    void aFileThatCannotBeWrittenIsToldAndTheOthersAreWritten(@TempDir Path folder) throws IOException {
        Path first = Files.writeString(folder.resolve("a.py"), BAD);
        Path gone = Files.writeString(folder.resolve("m.py"), BAD);
        Path last = Files.writeString(folder.resolve("z.py"), BAD);
        List<LintFinding> findings =
                Lint.run(List.of(folder), Configuration.STANDARD, null).findings();
        Files.delete(gone);
        List<String> failed = new ArrayList<>();

        assertThat(Fixer.diff(findings, (file, _) -> failed.add(file))).contains("a.py", "z.py");
        assertThat(Fixer.write(findings, (file, _) -> failed.add(file))).isEqualTo(findings.size() * 2 / 3);
        assertThat(failed).containsExactly(gone.toString(), gone.toString());
        assertThat(first).content().isEqualTo(GOOD);
        assertThat(last).content().isEqualTo(GOOD);
        assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void writesFilesAndPatches(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("x.py"), BAD.replace("\n", "\r\n"));
        List<LintFinding> findings =
                Lint.run(List.of(folder), Configuration.STANDARD, null).findings();
        assertThat(findings).isNotEmpty();
        assertThat(Fixer.diff(findings, FixerTest::fail))
                .contains("-        cost.backward(retain_graph=True)   # again?", "+@torch.no_grad()");
        assertThat(Fixer.write(findings, FixerTest::fail)).isEqualTo(findings.size());
        assertThat(file).content().isEqualTo(GOOD.replace("\n", "\r\n"));
    }
}
