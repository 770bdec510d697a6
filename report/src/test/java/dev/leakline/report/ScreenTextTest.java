package dev.leakline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.Analysis;
import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.OutsideData;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A screen of every recording at hand has room for the verdict, the line, who keeps it, and what to do first. */
class ScreenTextTest {
    private static final Path SCENARIOS = Path.of("../testkit/scenarios/recorded");
    private static final Path EXAMPLES = Path.of("../examples");
    private static final Style LINES = new Style(80, false, true, false);

    static Stream<List<Path>> shipped() throws IOException {
        Stream<List<Path>> examples = Stream.of(
                List.of(EXAMPLES.resolve("train_with_a_leak.pickle.gz")),
                List.of(
                        EXAMPLES.resolve("train_with_a_leak.holders.gz"),
                        EXAMPLES.resolve("train_with_a_leak.pickle.gz")),
                List.of(EXAMPLES.resolve("oom.log")));
        return Stream.concat(examples, recordings(SCENARIOS).map(List::of));
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void hasTheAnswer(List<Path> files) throws IOException {
        check(files);
    }

    @Test
    void hasTheAnswerOfRecordingsOfOthers() throws IOException {
        for (Path file : recordings(OutsideData.path("corpus/snapshots")).toList()) {
            check(List.of(file));
        }
    }

    private static Stream<Path> recordings(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files
                    .filter(file -> file.toString().contains(".pickle"))
                    .filter(file -> file.toFile().length() < 3_000_000)
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private static void check(List<Path> files) throws IOException {
        List<Input> inputs = new java.util.ArrayList<>();
        for (Path file : files) {
            inputs.add(Input.open(InputSource.of(file), Demand.ANYTHING));
        }
        AnalysisResult result = Analysis.run(inputs, Analysis.Options.ALL);
        String text = ScreenText.of(result, Given.of("FILES"), LINES);
        assertThat(text.lines().count()).as(text).isLessThanOrEqualTo(ScreenText.LINES);
        assertThat(text.getBytes(StandardCharsets.UTF_8).length).as(text).isLessThanOrEqualTo(ScreenText.BYTES);
        assertThat(text).contains(result.leaks() == null ? result.verdict().word() : "undetermined");
        if (result.spoken() == null && !result.findings().isEmpty()) {
            check(result.findings().getFirst(), text);
        }
        result.advice().stream().limit(1).forEach(advice -> assertThat(text).contains(advice.action()));
    }

    private static void check(Finding first, String text) {
        if (first.site().isLine()) {
            assertThat(text).contains(first.site().frame().inWords());
        }
        first.holders().stream()
                .limit(1)
                .forEach(holder -> assertThat(text).contains("kept by").contains(holder.title()));
    }
}
