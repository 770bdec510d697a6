package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.Snapshot;
import dev.leakline.Sources;
import dev.leakline.report.Style;
import dev.leakline.report.TextReport;
import dev.leakline.report.WhatIfText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keeps the README true: it shows what the program prints. */
class ReadmeTest {
    private static final String SAMPLE = "examples/train_with_a_leak.pickle.gz";
    private static final String FAILED = "testkit/scenarios/recorded/oom_pinned_by_statistics.pickle.gz";
    private static final int TERMINAL = 80;
    private static final int DEFAULT_TOP = 15;

    @Test
    void theSampleIsReportedAsTheReadmeShows() throws IOException {
        Path root = Path.of("..");
        String readme = Files.readString(root.resolve("README.md"));
        assertThat(readme).contains("./leakline report --source examples " + SAMPLE);
        try (InputStream sample = Files.newInputStream(root.resolve(SAMPLE))) {
            Snapshot snapshot = Snapshot.read(SAMPLE, sample, _ -> {});
            String text = TextReport.of(
                    Sources.attach(
                            Analysis.run(List.of(snapshot), Analysis.Options.ALL), List.of(root.resolve("examples"))),
                    new TextReport.Options(DEFAULT_TOP, false, false),
                    new Style(TERMINAL, false, true));
            assertThat(readme).contains("```text\n" + text + "```");
        }
    }

    @Test
    void theReplayIsShownAsTheReadmeShows() throws IOException {
        Path root = Path.of("..");
        String readme = Files.readString(root.resolve("README.md"));
        assertThat(readme).contains("./leakline whatif " + FAILED);
        try (InputStream recording = Files.newInputStream(root.resolve(FAILED))) {
            Snapshot snapshot = Snapshot.read(FAILED, recording, _ -> {});
            String text =
                    WhatIfText.of(Analysis.whatIf(List.of(snapshot), 0, List.of()), new Style(TERMINAL, false, true));
            assertThat(readme).contains("```text\n" + text + "```");
        }
    }
}
