package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.Analysis.Options;
import dev.leakline.HolderDump;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.Ranks;
import dev.leakline.Snapshot;
import dev.leakline.Sources;
import dev.leakline.Window;
import dev.leakline.cli.common.JobFiles;
import dev.leakline.cli.common.ReportOptions;
import dev.leakline.report.ExplainText;
import dev.leakline.report.FitText;
import dev.leakline.report.Given;
import dev.leakline.report.HoldersText;
import dev.leakline.report.RanksText;
import dev.leakline.report.ScreenText;
import dev.leakline.report.TextReport;
import dev.leakline.report.WhatIfText;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Holders;
import dev.leakline.result.JobSummary;
import dev.leakline.text.ByteSize;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Keeps README and docs true: they show what the program prints. */
class ReadmeTest {
    private static final String SAMPLES = "examples/*.gz";
    private static final String LOG = "examples/oom.log";
    private static final String RANKS = "examples/ranks/iteration_12";
    private static final String FAILED = "testkit/scenarios/recorded/oom_pinned_by_statistics.pickle.gz";
    private static final String TOO_LARGE = "examples/fit/train_too_large.pickle.gz";
    private static final String HELD = "testkit/scenarios/holders/graphs_retained.holders.gz";
    private static final int TERMINAL = 80;

    @Test
    void theLogIsExplainedAsTheReadmeShows() throws IOException {
        String readme = Files.readString(Path.of("../README.md"));
        assertThat(readme).contains("\nleakline explain " + LOG);
        try (InputStream log = Files.newInputStream(Path.of("..", LOG))) {
            Input input = Input.open(InputSource.of(LOG, log), Demand.ANYTHING);
            String text = ExplainText.of(
                    Analysis.run(List.of(input), Analysis.Options.ALL),
                    Given.of(LOG),
                    new Style(TERMINAL, false, true));
            assertThat(readme).contains("```text\n" + text + "```");
        }
    }

    @Test
    void theSampleIsReportedAsThePageAndTheReadmeShow() throws IOException {
        Path root = Path.of("..");
        String page = Files.readString(root.resolve("docs/report.md"));
        String readme = Files.readString(root.resolve("README.md"));
        List<Input> inputs = List.of(input(root, "holders"), input(root, "pickle"));
        AnalysisResult result =
                Analysis.run(inputs, Analysis.Options.ALL.with(Sources.of(List.of(root.resolve("examples")))));
        Style style = new Style(TERMINAL, false, true);
        String screen = ScreenText.of(
                result,
                Given.of("examples/train_with_a_leak.holders.gz", "examples/train_with_a_leak.pickle.gz"),
                style);
        assertThat(page)
                .contains("./leakline report --source examples " + SAMPLES)
                .contains("```text\n" + screen + "```");
        assertThat(readme)
                .contains("\nleakline report --source examples " + SAMPLES)
                .contains("```text\n" + screen + "```");
        String all = TextReport.of(result, new TextReport.Options(ReportOptions.LINES, false, false), style);
        assertThat(page)
                .contains("./leakline report --full --source examples " + SAMPLES)
                .contains("```text\n" + all + "```");
    }

    private static Input input(Path root, String kind) throws IOException {
        String name = SAMPLES.replace("*", "train_with_a_leak." + kind);
        try (InputStream sample = Files.newInputStream(root.resolve(name))) {
            return Input.open(InputSource.of(name, sample), Demand.EVIDENCE);
        }
    }

    @Test
    void theRanksAreComparedAsThePageShows() throws IOException {
        String page = Files.readString(Path.of("../docs/ranks.md"));
        assertThat(page)
                .contains("./leakline ranks " + RANKS)
                .contains("./leakline ranks --html ranks.html --device-memory 24GiB " + RANKS);
        JobSummary job = JobFiles.of(List.of("../" + RANKS)).read();
        String text = RanksText.of(Ranks.compare(job, 0), new Style(TERMINAL, false, true));
        assertThat(page).contains("```text\n" + text + "```");
    }

    @Test
    void theReplayIsShownAsThePageShows() throws IOException {
        Path root = Path.of("..");
        String page = Files.readString(root.resolve("docs/fit.md"));
        assertThat(page).contains("./leakline whatif " + FAILED);
        String text = WhatIfText.of(
                Analysis.whatIf(List.of(snapshot(root, FAILED)), 0, List.of()), "", new Style(TERMINAL, false, true));
        assertThat(page).contains("```text\n" + text + "```");
    }

    @Test
    void whetherTheSampleFitsIsShownAsThePageShows() throws IOException {
        Path root = Path.of("..");
        String page = Files.readString(root.resolve("docs/fit.md"));
        assertThat(page).contains("./leakline fit --device-memory 8GiB " + TOO_LARGE);
        Options device = new Options(OptionalInt.empty(), Window.ALL, 8 * ByteSize.GIB, Options.ALL.functions());
        AnalysisResult result = Analysis.run(List.of(snapshot(root, TOO_LARGE)), device);
        assertThat(page).contains("```text\n" + FitText.of(result, new Style(TERMINAL, false, true)) + "```");
    }

    private static Snapshot snapshot(Path root, String name) throws IOException {
        try (InputStream recording = Files.newInputStream(root.resolve(name))) {
            return Snapshot.open(InputSource.of(name, recording));
        }
    }

    @Test
    void theOwnersAreShownAsThePageShows() throws IOException {
        Path root = Path.of("..");
        String page = Files.readString(root.resolve("docs/holders.md"));
        assertThat(page).contains("./leakline holders " + HELD);
        try (InputStream dump = Files.newInputStream(root.resolve(HELD))) {
            Holders holders = HolderDump.explain(List.of(HolderDump.read(HELD, dump)));
            assertThat(page)
                    .contains("```text\n"
                            + HoldersText.of(holders, HolderReport.DEFAULT_TOP, new Style(TERMINAL, false, true))
                            + "```");
        }
    }
}
