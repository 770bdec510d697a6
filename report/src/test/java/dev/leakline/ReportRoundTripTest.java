package dev.leakline;

import static dev.leakline.Reports.json;
import static dev.leakline.Reports.page;
import static dev.leakline.Reports.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.report.TextReport;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What is read back from a page or from JSON is reported byte for byte as what was found in the snapshot itself. */
class ReportRoundTripTest {
    private static final String RECORDING = ".pickle.gz";
    private static final Style STYLE = new Style(100, false, true);

    @TestFactory
    Stream<DynamicTest> ourScenarios() throws IOException {
        try (Stream<Path> files = Files.list(Repository.root().resolve("testkit/scenarios/recorded"))) {
            List<Path> recordings = files.filter(file -> file.toString().endsWith(RECORDING))
                    .sorted()
                    .toList();
            assertThat(recordings).isNotEmpty();
            return tests(recordings);
        }
    }

    @TestFactory
    Stream<DynamicTest> traces() throws IOException {
        try (Stream<Path> files = Files.list(Repository.root().resolve("core/src/test/resources/traces"))) {
            return tests(
                    files.filter(file -> file.toString().endsWith(".json.gz") && !file.endsWith("no_memory.json.gz"))
                            .sorted()
                            .toList());
        }
    }

    @TestFactory
    Stream<DynamicTest> leakbench() throws IOException {
        return tests(OutsideData.files("leakbench/recorded", RECORDING));
    }

    /** With holders: what a name holds, cycles, what is held beside the findings. */
    @TestFactory
    Stream<DynamicTest> joinedWithDumps() throws IOException {
        return JoinedScenariosTest.names(JoinedScenariosTest.OURS)
                .map(path -> dynamicTest(
                        path.getFileName().toString(),
                        () -> check(JoinedScenariosTest.joined(
                                path.getParent(), path.getFileName().toString()))));
    }

    private static Stream<DynamicTest> tests(List<Path> recordings) {
        return recordings.stream()
                .map(file -> dynamicTest(file.getFileName().toString(), () -> check(Analysed.path(file))));
    }

    private static void check(AnalysisResult found) throws IOException {
        AnalysisResult ofPage = read(page(found));
        assertThat(text(ofPage)).isEqualTo(text(found));
        assertThat(json(ofPage, true)).isEqualTo(json(found, true));
        AnalysisResult ofJson = read(json(found, false));
        assertThat(json(ofJson, false)).isEqualTo(json(found, false));
    }

    private static String text(AnalysisResult result) {
        return TextReport.of(result, new TextReport.Options(Reports.ALL, true, true), STYLE);
    }
}
