package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.Sources;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding.Advice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code report --source}: where a rule of lint matches the line that leaks, the advice is a patch of the user's file. */
class SourcePatchTest {
    private static final Path RECORDED =
            Path.of("../core/src/test/resources/causes").toAbsolutePath();

    @TempDir
    private Path folder;

    private Path sources;

    @BeforeEach
    void makeFolder() throws IOException {
        sources = Files.createDirectories(folder.resolve("sources"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "outs_list | outs.append(y) | outs.append(y.detach().cpu()) | Keep a detached copy",
                "retain | losses.append(loss) | losses.append(loss.detach().cpu()) | Keep a detached copy",
                "layer_maps | self.maps.append(w.detach()) | self.maps.append(w.detach().cpu()) | Move kept tensors",
                "qkv_kept | self.trace.append((q, k, v)) | self.trace.append((q.detach().cpu(), k.detach().cpu(), v.detach().cpu())) | Move",
                "errors | failures.append(error) | failures.append(error.with_traceback(None)) | Keep the exception's text",
                "callback_cycle | self.finish = lambda total: total * self.rows | self.finish = lambda total, rows=self.rows: total * rows | Use weakref.ref"
            })
    void theFirstAdviceChangesTheVeryLine(String name, String before, String after, String action) throws IOException {
        String text = Files.readString(copied(name));
        List<Advice> advice = report(name).findings().getFirst().advice();
        Advice first = advice.getFirst();
        assertThat(first.action()).startsWith(action);
        assertThat(first.before() + first.after()).isEmpty();
        assertThat(first.patch()).startsWith("--- a/" + name + ".py\n+++ b/" + name + ".py\n@@ ");
        assertThat(applied(name, Objects.requireNonNull(first.patch())))
                .isEqualTo(text.replace(before + "\n", after + "\n"));
        assertThat(advice).filteredOn(other -> other.before().equals(before)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"hidden_state | h = h.detach()", "tensor_hook | history.append(grad.clone().detach().cpu())"})
    void whereNoRuleOfLintMatchesTheLineOfTheSourceIsPatched(String name, String after) throws IOException {
        copied(name);
        Advice first = report(name).findings().getFirst().advice().getFirst();
        assertThat(applied(name, Objects.requireNonNull(first.patch()))).contains("  " + after + "\n");
    }

    @Test
    void whatIsPrintedCanBeGivenToGit() throws Exception {
        Path program = copied("outs_list");
        String recording = RECORDED.resolve("outs_list.pickle.gz").toString();
        Program leakline = new Program(folder);
        String text = leakline.run("report", "--full", "--source", "sources", "--html", "page.html", recording)
                .out();
        Files.writeString(folder.resolve("report.txt"), text);
        assertThat(text).doesNotContain("- outs.append(y)\n       +");
        git("apply", folder.resolve("report.txt").toString());
        assertThat(Files.readString(program)).contains("        outs.append(y.detach().cpu())\n");
        assertThat(leakline.run("report", "--full", "page.html").out()).isEqualTo(text);
    }

    @Test
    void aFileThatLintIgnoresIsPatchedByWhatTheReportReads() throws IOException {
        Path program = copied("outs_list");
        Files.writeString(program, Files.readString(program) + "# leakline: ignore-file\n");
        assertThat(report("outs_list").findings().getFirst().advice().getFirst().patch())
                .contains("+        outs.append(y.detach().cpu())\n");
    }

    /** To move them to the host would leave objects as they are, and have a cache grow there. */
    @Test
    void aCacheOfObjectsIsShownALimitThatSomebodyHasToChoose() throws IOException {
        Files.writeString(
                copied("threads_kept"),
                "\n\ndef thread(assistant, number):\n    return assistant.threads[number]\n",
                StandardOpenOption.APPEND);
        Advice first = report("threads_kept").findings().getFirst().advice().getFirst();
        assertThat(first.patch()).isNull();
        assertThat(first.after())
                .contains("while len(self.threads) > LIMIT:\n    self.threads.pop(next(iter(self.threads)))");
    }

    @Test
    void theLeaksOfAFolderOfRanksArePatchedToo() throws Exception {
        copied("outs_list");
        Path job = Files.createDirectory(folder.resolve("job"));
        for (int rank = 0; rank < 2; rank++) {
            Files.copy(RECORDED.resolve("outs_list.pickle.gz"), job.resolve("rank" + rank + ".pickle.gz"));
        }
        assertThat(new Program(folder)
                        .run("report", "--full", "job", "--source", "sources")
                        .out())
                .contains("all ranks: a result is kept", "> 22          y = net(x)")
                .contains("+        outs.append(y.detach().cpu())\n");
    }

    @Test
    void nothingOutsideTheFolderIsPatched() throws IOException {
        Path elsewhere = Files.copy(RECORDED.resolve("outs_list.py"), folder.resolve("outs_list.py"));
        Files.createSymbolicLink(sources.resolve("outs_list.py"), elsewhere);
        assertThat(report("outs_list").findings().getFirst().advice()).allMatch(advice -> advice.patch() == null);
    }

    private Path copied(String name) throws IOException {
        return Files.copy(RECORDED.resolve(name + ".py"), sources.resolve(name + ".py"));
    }

    private AnalysisResult report(String name) throws IOException {
        return Sources.of(List.of(sources)).attach(analysed(name));
    }

    private static AnalysisResult analysed(String name) throws IOException {
        Input input = Input.open(InputSource.of(RECORDED.resolve(name + ".pickle.gz")), Demand.EVIDENCE);
        return Analysis.run(List.of(input), Analysis.Options.ALL);
    }

    private String applied(String name, String patch) throws IOException {
        git("apply", Files.writeString(folder.resolve("a.patch"), patch).toString());
        return Files.readString(sources.resolve(name + ".py"));
    }

    private void git(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("git", "-C", sources.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
    }
}
