package dev.leakline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Action for GitHub, as far as it runs without GitHub: its steps of shell, beside a program that says what it was given. */
class ActionTest {
    /** The scripts of the steps, which are indented by eight. */
    private static final Pattern RUN = Pattern.compile("(?m)^      run: \\|\\n((?:        .*\\n)+)");

    private static final Pattern INPUT = Pattern.compile("(?m)^  (\\w+):\\n    description: ");
    private static final String SAYS = "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit EXIT\n";

    @TempDir
    private Path folder;

    @Test
    void everyInputIsUsed() throws IOException {
        String action = action();
        assertThat(INPUT.matcher(action.substring(0, action.indexOf("\noutputs:")))
                        .results()
                        .map(input -> input.group(1)))
                .hasSize(8)
                .allSatisfy(input -> assertThat(action).contains("inputs." + input));
        assertThat(action).contains("using: composite").doesNotContain("\t");
    }

    @ParameterizedTest
    @CsvSource({"0, 0, found=false", "1, 0, found=true", "2, 2, ''"})
    void findingsAreToldFromErrors(int program, int step, String told) throws Exception {
        Path output = Files.createFile(folder.resolve("output"));
        assertThat(step(
                        0,
                        program,
                        Map.of(
                                "PATHS",
                                "src my*",
                                "SINCE",
                                "",
                                "SARIF",
                                "x.sarif",
                                "GITHUB_OUTPUT",
                                output.toString())))
                .isEqualTo(step);
        assertThat(Files.readString(output).strip()).isEqualTo(told);
        assertThat(Files.readString(folder.resolve("x.sarif"))).isEqualTo("<lint><--format><sarif><--><src><my*>");
    }

    @Test
    void theFindingsOfAChangeFailTheJob() throws Exception {
        assertThat(step(4, 1, Map.of("PATHS", ".", "SINCE", "a b; exit 0"))).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("out"))).isEqualTo("<lint><--since=a b; exit 0><--><.>");
    }

    @ParameterizedTest
    @CsvSource({"0, 0, passed=true", "1, 0, passed=false", "3, 3, ''"})
    void aRecordingIsHeldAgainstItsBaseline(int program, int step, String told) throws Exception {
        Path output = Files.createFile(folder.resolve("output"));
        Path summary = Files.createFile(folder.resolve("summary"));
        Map<String, String> environment = Map.of(
                "RECORDING",
                "my job.pickle",
                "BASELINE",
                "main.json",
                "GITHUB_STEP_SUMMARY",
                summary.toString(),
                "GITHUB_OUTPUT",
                output.toString());
        assertThat(step(1, program, environment)).isEqualTo(step);
        assertThat(Files.readString(output).strip()).isEqualTo(told);
        assertThat(Files.readString(folder.resolve("leakline-gate.md")))
                .isEqualTo("<gate><--format><markdown><--baseline=main.json><--><my job.pickle>");
        if (step == 0) {
            assertThat(summary).hasSameTextualContentAs(folder.resolve("leakline-gate.md"));
            assertThat(Files.readString(folder.resolve("leakline-gate.sarif"))).contains("<--format><sarif>");
        }
    }

    @Test
    void aRecordingThatFailsFailsTheJob() throws Exception {
        assertThat(step(3, 1, Map.of("RECORDING", "a.pickle", "BASELINE", ""))).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("out"))).isEqualTo("<gate><--><a.pickle>");
    }

    private int step(int which, int exit, Map<String, String> environment) throws Exception {
        List<String> scripts =
                RUN.matcher(action()).results().map(ActionTest::script).toList();
        Path program = Files.writeString(folder.resolve("leakline"), SAYS.replace("EXIT", String.valueOf(exit)));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        ProcessBuilder bash = new ProcessBuilder("bash", "-eo", "pipefail", "-c", scripts.get(which))
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile());
        bash.environment().putAll(environment);
        bash.environment().put("GITHUB_ACTION_PATH", folder.toString());
        return bash.start().waitFor();
    }

    private static String script(MatchResult run) {
        return run.group(1).replaceAll("(?m)^        ", "");
    }

    private static String action() throws IOException {
        return Files.readString(Path.of("../action.yml"), UTF_8);
    }
}
