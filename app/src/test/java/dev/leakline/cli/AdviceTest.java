package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.report.Given;
import dev.leakline.report.NextCommand;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No advice names the command that it was given by, unless with an option that was not given. */
class AdviceTest {
    private static final Given JOB = new Given(List.of("leakline-run-1"), List.of("python", "train.py"));

    static Stream<Path> evidence() throws IOException {
        try (Stream<Path> recordings = Files.list(Path.of("../testkit/scenarios/recorded"));
                Stream<Path> figures = Files.walk(Path.of("../core/src/test/resources/figures"))) {
            return Stream.concat(
                    recordings.filter(file -> file.toString().endsWith(".pickle.gz")),
                    figures.filter(Files::isRegularFile))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("evidence")
    void noAdviceNamesItsCommand(Path file) throws IOException {
        AnalysisResult result =
                Analysis.run(List.of(Input.open(InputSource.of(file), Demand.ANYTHING)), Analysis.Options.ALL);
        for (String command : List.of("report", "explain")) {
            result.advice().forEach(advice -> check(command, advice.action()));
            advice(result.findings()).forEach(advice -> check(command, advice.action()));
            check(command, NextCommand.of(result, Given.of(file.toString())).command());
        }
        for (String command : List.of("run", "attach")) {
            advice(JobReport.advised(result.findings(), "leakline " + command))
                    .forEach(advice -> check(command, advice.action()));
            check(command, NextCommand.of(result, JOB).command());
        }
        for (boolean hasHistory : List.of(true, false)) {
            assertThat(advice(JobReport.recorded(result.findings(), hasHistory)).map(Advice::action))
                    .noneMatch(action -> action.contains("_record_memory_history"));
        }
        if (result.devices().stream()
                .anyMatch(device -> device.events() > 1 && !device.coverage().isTrace())) {
            assertThat(result.reason()).as("it was recorded").doesNotContain("ideally 50, with");
        }
    }

    private static Stream<Advice> advice(List<Finding> findings) {
        return findings.stream().flatMap(finding -> finding.advice().stream());
    }

    private static void check(String command, String advice) {
        assertThat(Pattern.compile("leakline " + command + "\\b(?! --\\w)")
                        .matcher(advice)
                        .find())
                .as("%s: %s", command, advice)
                .isFalse();
    }
}
