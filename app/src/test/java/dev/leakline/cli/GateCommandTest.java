package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.pickle.Dialect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.maven.plugins.surefire.report.ReportTestCase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** {@code leakline gate}: what passes, what fails, and what it says of that. */
final class GateCommandTest {
    private static final long MB = 1 << 20;
    private static final Pattern ID = Pattern.compile("id\\s+([0-9a-f]{6,}[\\w-]*)");

    @TempDir
    private Path folder;

    @BeforeEach
    void record() throws Exception {
        Files.write(folder.resolve("slow.pickle"), leak(3 * MB));
        Files.write(folder.resolve("fast.pickle"), leak(7 * MB));
        Files.write(
                folder.resolve("clean.pickle"),
                snapshot()
                        .repeat(
                                40,
                                (s, i) -> s.alloc("x", 20 * MB, "train.py:20 train")
                                        .free("x", "train.py:30 train"))
                        .write(Dialect.PROTOCOL_4));
    }

    private static byte[] leak(long bytes) {
        return snapshot()
                .repeat(
                        40,
                        (s, i) -> s.alloc("batch", 20 * MB, "train.py:20 train", "main.py:5 main")
                                .alloc("loss" + i, bytes, "src/train.py:25 train", "main.py:5 main")
                                .free("batch", "train.py:30 train", "main.py:5 main")
                                .step())
                .write(Dialect.PROTOCOL_4);
    }

    @Test
    void whatIsNewOrWorseFails() throws Exception {
        passes("gate", "clean.pickle");
        fails("3.00 MiB per step", "gate", "slow.pickle");
        passes("gate", "--fail-on", "leak", "clean.pickle", "--baseline", "slow.pickle");
        passes("gate", "slow.pickle", "--baseline", "slow.pickle");
        passes("gate", "slow.pickle", "--baseline", "fast.pickle");
        fails("the baseline has 3.00 MiB per step", "gate", "fast.pickle", "--baseline", "slow.pickle");
        fails("not in the baseline", "gate", "slow.pickle", "--baseline", "clean.pickle");
        Files.writeString(
                folder.resolve("base.json"),
                run("report", "--format", "json", "slow.pickle").out());
        passes("gate", "slow.pickle", "--baseline", "base.json");
        fails("7.00 MiB per step", "gate", "fast.pickle", "--baseline", "base.json");
    }

    @Test
    void budgetsHoldForAllAndForLines() throws Exception {
        passes("gate", "slow.pickle", "--budget", "growth=3MiB");
        fails("the budget is 2.00 MiB per step", "gate", "slow.pickle", "--budget", "growth=2MiB");
        passes("gate", "slow.pickle", "--budget", "growth=1KiB", "--budget", "growth@train.py:25=3MiB");
        passes("gate", "slow.pickle", "--budget", "growth=1KiB", "--budget", "growth@src/train.py=4MiB");
        fails("1.00 KiB per step", "gate", "slow.pickle", "--budget", "growth@rain.py=4MiB", "--budget", "growth=1KiB");
        fails("2.00 MiB per step", "gate", "slow.pickle", "--baseline", "slow.pickle", "--budget", "growth=2MiB");
        passes("gate", "clean.pickle", "--budget", "peak=20MiB");
        fails("the budget is 19.0 MiB", "gate", "clean.pickle", "--budget", "peak=19MiB");
        fails("at train.py:20 is 20.0 MiB", "gate", "clean.pickle", "--budget", "peak@train.py:20=1MiB");
        passes("gate", "clean.pickle", "--budget", "peak@other.py=1MiB");
        String[] grown = {"gate", "fast.pickle", "--baseline", "slow.pickle", "--budget", "growth=9MiB"};
        passes(with(grown, "--budget", "peak-increase=500%"));
        fails("the budget is 5.0% more", with(grown, "--budget", "peak-increase=5%"));
        fails("the budget is 10.0 MiB more", with(grown, "--budget", "peak-increase=10MiB"));
    }

    @Test
    void acceptedUntilADay() throws Exception {
        Matcher id = ID.matcher(run("gate", "slow.pickle").out());
        assertThat(id.find()).isTrue();
        configure("accept = [{id = \"" + id.group(1) + "\", until = 2999-12-31, why = \"ticket 7\"}]");
        assertThat(passes("gate", "slow.pickle").out().replaceAll("\\s+", " "))
                .contains("accepted until 2999-12-31: ticket 7", "passed: 1 check, 1 accepted");
        configure("accept = [{id = \"" + id.group(1) + "\", until = \"2020-01-01\", why = \"ticket 7\"}]");
        fails("it was accepted until 2020-01-01: ticket 7", "gate", "slow.pickle");
        configure("accept = [{id = \"gone\", until = 2999-12-31, why = \"x\"}]\nbudgets = [\"growth=3MiB\"]");
        assertThat(passes("gate", "slow.pickle").out()).contains("accepted id gone any more");
    }

    @Test
    void settingsThatAreWrongAreSaid() throws Exception {
        refuses("has no budget; it has budgets", "budget = []");
        refuses("there is no budget of 'peek'", "budgets = [\"peek=1GiB\"]");
        refuses("an entry of accept needs", "accept = [{id = \"a\", until = 2999-12-31}]");
        refuses("'soon' is no day", "accept = [{id = \"a\", until = \"soon\", why = \"x\"}]");
        refuses("fail-on is sometimes", "fail-on = \"sometimes\"");
        refuses("pyproject.toml: ", "fail-on = ");
        assertThat(run("gate", "slow.pickle", "--config", "none.toml").err()).contains("no such file");
        assertThat(run("gate", "slow.pickle", "--budget", "growth@a.py=5%").err())
                .contains("only peak-increase can be a percentage");
    }

    private void refuses(String why, String settings) throws Exception {
        configure(settings);
        Outcome outcome = run("gate", "slow.pickle");
        assertThat(outcome.err()).contains(why);
        assertThat(outcome.exit()).isEqualTo(2);
    }

    @Test
    void otherProgramsReadIt() throws Exception {
        String[] command = {"gate", "fast.pickle", "--baseline", "slow.pickle", "--budget", "peak=20MiB", "--format"};
        JsonNode json = new ObjectMapper().readTree(run(with(command, "json")).out());
        assertThat(json.get("schema").asString()).isEqualTo("leakline.gate/1");
        assertThat(json.get("passed").asBoolean()).isFalse();
        assertThat(json.at("/checks/0/change").asString()).isEqualTo("worse");
        JsonNode results = FormatsTest.sarif(run(with(command, "sarif")).out()).at("/runs/0/results");
        assertThat(results.size()).isEqualTo(2);
        assertThat(results.at("/0/baselineState").asString()).isEqualTo("updated");
        assertThat(results.at("/1/ruleId").asString()).isEqualTo("budget");
        List<ReportTestCase> cases =
                FormatsTest.cases(run(with(command, "junit")).out());
        assertThat(cases).hasSize(2).allMatch(ReportTestCase::hasFailure);
        Outcome markdown = run(with(command, "markdown"));
        assertThat(markdown.exit()).isEqualTo(1);
        assertThat(markdown.out())
                .startsWith("### Leakline failed: 2 of 2 checks\n")
                .contains("| failed | ");
    }

    @Test
    void whatCannotBeReadIsNoPass() throws Exception {
        assertThat(run("gate", "slow.pickle", "--baseline", "missing.json").exit())
                .isEqualTo(3);
        byte[] whole = Files.readAllBytes(folder.resolve("slow.pickle"));
        Files.write(folder.resolve("cut.pickle"), Arrays.copyOf(whole, whole.length * 9 / 10));
        assertThat(run("gate", "cut.pickle", "--baseline", "fast.pickle").exit())
                .isEqualTo(3);
    }

    private void configure(String settings) throws Exception {
        Files.writeString(folder.resolve("pyproject.toml"), "[tool.leakline.gate]\n" + settings + "\n");
    }

    private Outcome passes(String... arguments) throws Exception {
        Outcome outcome = run(arguments);
        assertThat(outcome.exit()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out()).startsWith("gate      passed: ");
        return outcome;
    }

    private void fails(String why, String... arguments) throws Exception {
        Outcome outcome = run(arguments);
        assertThat(outcome.exit()).as(outcome.out() + outcome.err()).isEqualTo(1);
        assertThat(outcome.out().replaceAll("\\s+", " "))
                .startsWith("gate failed: ")
                .contains(why);
    }

    private static String[] with(String[] arguments, String... more) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }
}
